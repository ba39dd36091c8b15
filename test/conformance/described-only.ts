// The checks of what the document describes without a path: music and durable tasks, on the paths that we chose.

import { expect } from 'vitest';
import type { Controlled } from './checks.js';
import { API, bodyOf, capability, costOf, expectRefusal, imageRequest, pngSize, resultsOf } from './questions.js';
import { withKey, type Json, type Service } from './service.js';

const MUSIC = `${API}/music`;
const ALL = ['music.search', 'assets.read', 'assets.write'];
const WANTED = 'purpose=vlog&mood=happy&style=piano&duration=30';
const ASKED_AT_MOST = 200;

export const musicWorks = {
  candidates: async (service: Controlled) => {
    const client = await musician(service);
    const tracks = await search(client, WANTED);
    expect(tracks.length).toBeGreaterThan(1);
    for (const track of tracks) {
      expect(track).toMatchObject({ mood: 'happy', style: 'piano' });
      expect(track['purposes']).toContain('vlog');
    }
    expect(tracks[0]).toMatchObject({ duration: 30 });
    expectRefusal(await client.get(`${MUSIC}/search?mood=none`), 400);
  },

  previewDownloadSelect: async (service: Controlled) => {
    const client = await musician(service);
    const [track] = await search(client, WANTED);
    const anybody = { Authorization: null };
    expectRefusal(await client.get(String(track?.['preview']), anybody), 401, 'invalid_key');
    const preview = await client.get(String(track?.['preview']));
    const full = await client.get(String(track?.['file']));
    expect(secondsOfMusic(full.bytes)).toBeCloseTo(30, 1);
    expect(secondsOfMusic(preview.bytes)).toBeLessThan(30);
    const selected = bodyOf(await client.post(`${MUSIC}/tracks/${String(track?.['track'])}/select`, {}));
    const { assets } = bodyOf(await client.get(`${API}/assets`)) as { assets: Json[] };
    expect(assets.map((asset) => asset['asset_id'])).toEqual([selected['asset_id']]);
  },

  free: async (service: Controlled) => {
    const client = await musician(service);
    const cost = await costOf(client, async () => {
      const [track] = await search(client, WANTED);
      expect(track).toMatchObject({ cost: 0 });
      await client.get(String(track?.['file']));
      await client.post(`${MUSIC}/tracks/${String(track?.['track'])}/select`, {});
    });
    expect(cost).toBe(0);
  },

  permissions: async (service: Controlled) => {
    const client = await musician(service, []);
    for (const path of ['music/search', 'assets']) {
      const { status, body } = await client.get(`${API}/${path}`);
      expect(status).toBe(403);
      expect(ALL.filter((permission) => String(body?.['message']).includes(permission))).toHaveLength(1);
    }
  },

  searchPermission: async (service: Controlled) => {
    const client = await musician(service, ['assets.read', 'assets.write']);
    expectRefusal(await client.get(`${MUSIC}/search`), 403, 'permission_missing');
    expectRefusal(await client.get(`${MUSIC}/tracks/happy-piano-15/preview`), 403, 'permission_missing');
    const allowed = await musician(service, ['music.search']);
    expect((await allowed.get(`${MUSIC}/search`)).status).toBe(200);
    expect((await allowed.get(`${MUSIC}/tracks/happy-piano-15/preview`)).status).toBe(200);
  },

  readPermission: async (service: Controlled) => {
    const file = `${MUSIC}/tracks/happy-piano-15/file`;
    for (const one of [['music.search'], ['assets.read']]) {
      expectRefusal(await (await musician(service, one)).get(file), 403, 'permission_missing');
    }
    expect((await (await musician(service, ['music.search', 'assets.read'])).get(file)).status).toBe(200);
  },

  writePermission: async (service: Controlled) => {
    const select = `${MUSIC}/tracks/happy-piano-15/select`;
    for (const one of [['music.search', 'assets.read'], ['assets.write']]) {
      expectRefusal(await (await musician(service, one)).post(select, {}), 403, 'permission_missing');
    }
    const allowed = await musician(service, ['music.search', 'assets.write']);
    expect((await allowed.post(select, {})).status).toBe(200);
  },

  paths: async (service: Controlled) => {
    const client = await musician(service);
    expect((await client.get(`${MUSIC}/search`)).status).toBe(200);
    expectRefusal(await client.get(`${MUSIC}/tracks/none/preview`), 404);
    expectRefusal(await client.post(`${MUSIC}/tracks/none/select`, {}), 404);
  },
};

export const tasksWork = {
  imageByTask: async (service: Controlled) => {
    const task = await finished(service, await accept(service));
    expect(task).toMatchObject({ state: 'succeeded' });
    const { url } = task['result'] as Json;
    expect(pngSize((await service.get(String(url))).bytes)).toEqual({ width: 1536, height: 1024 });
    const receipt = bodyOf(await service.get(`${API}/tasks/${String(task['task_id'])}/receipt`));
    expect(receipt).toMatchObject({ receipt_id: task['receipt_id'], credits: 10 });
    expect(await service.control.charged()).toBe(10);
  },

  newProvidersDisabled: async (service: Controlled) => {
    const { providers } = bodyOf(await service.get(`${API}/providers`)) as { providers: Json[] };
    const waiting = providers.filter((provider) => !provider['enabled']);
    expect(waiting.map((provider) => provider['waiting_for'])).toEqual([
      ['configuration', 'rights', 'price', 'verification'],
    ]);
  },

  lifecycle: async (service: Controlled) => {
    const { control } = service;
    const done = await finished(service, await accept(service));
    expect(done).toMatchObject({ state: 'succeeded' });
    await control.troubleImages('upstream_failure');
    const failed = await finished(service, await accept(service));
    expect(failed).toMatchObject({ state: 'failed', error: { code: expect.any(String) as string } });
    expectRefusal(await service.get(`${API}/tasks/${String(failed['task_id'])}/receipt`), 404);
    expect(await control.charged()).toBe(10);
  },

  paths: async (service: Controlled) => {
    const quote = bodyOf(await service.post(`${API}/quotes`, quoteRequest()));
    expect(quote).toMatchObject({ credits: 10, quote_id: expect.stringMatching(/\S/) as string });
    const tasks = await Promise.all([1, 2].map(() => service.post(`${API}/tasks`, { quote_id: quote['quote_id'] })));
    const [first, second] = tasks.map((answer) => bodyOf(answer)['task_id']);
    expect(second).toBe(first);
    await finished(service, String(first));
    expect(await service.control.charged()).toBe(10);
    const stranger = await otherAccount(service);
    expectRefusal(await stranger.get(`${API}/tasks/${String(first)}`), 404);
    expectRefusal(await service.post(`${API}/tasks`, { quote_id: 'none' }), 404);
    expectRefusal(await service.post(`${API}/quotes`, { capability: 'video.generate', input: {} }), 400);
    expect(await capability(service, 'images.generate')).toMatchObject({ enabled: true });
  },
};

function quoteRequest(): object {
  return { capability: 'images.generate', input: imageRequest() };
}

async function accept(service: Service): Promise<string> {
  const { quote_id: quote } = bodyOf(await service.post(`${API}/quotes`, quoteRequest()));
  const answer = await service.post(`${API}/tasks`, { quote_id: quote });
  expect(answer.status).toBe(202);
  return String(answer.body?.['task_id']);
}

/** The task once it has ended. */
async function finished(service: Service, id: string): Promise<Json> {
  for (let asked = 0; asked < ASKED_AT_MOST; asked++) {
    const task = bodyOf(await service.get(`${API}/tasks/${id}`));
    if (['succeeded', 'failed'].includes(String(task['state']))) return task;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`Task ${id} has not ended.`);
}

async function musician(service: Controlled, permissions: readonly string[] = ALL): Promise<Service> {
  const key = await service.control.createKey(service.control.account, { permissions });
  return withKey(service, key.secret);
}

async function otherAccount(service: Controlled): Promise<Service> {
  const key = await service.control.createKey(await service.control.createAccount());
  return withKey(service, key.secret);
}

async function search(service: Service, query: string): Promise<Json[]> {
  return resultsOf(await service.get(`${MUSIC}/search?${query}`));
}

/** How long a WAV file plays; it must be sound, not silence. */
function secondsOfMusic(bytes: Uint8Array): number {
  const file = Buffer.from(bytes);
  expect(file.toString('latin1', 0, 4) + file.toString('latin1', 8, 12)).toBe('RIFFWAVE');
  const samples = Array.from({ length: (file.length - 44) / 2 }, (_, at) => file.readInt16LE(44 + at * 2));
  const loud = samples.filter((sample) => Math.abs(sample) > 1000).length;
  expect(loud / samples.length).toBeGreaterThan(0.2);
  return samples.length / file.readUInt32LE(24);
}
