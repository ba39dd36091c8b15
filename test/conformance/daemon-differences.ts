// Where the daemon is not the service, and why; each with what is true of it instead.

import { expect } from 'vitest';
import type { Controlled } from './checks.js';
import type { Difference } from './conformance.js';
import {
  API,
  bodyOf,
  capability,
  COPY,
  creditsHeader,
  creditsLeft,
  expectRefusal,
  IMAGES,
  imageRequest,
  MATCH,
  search,
  SEARCH,
  somePreset,
  stickerPath,
} from './questions.js';
import { withKey, type Answer } from './service.js';

const ANYBODY = { Authorization: null };
const STRICT = { 'X-Svcd-Fallback': 'off' };

const keyLimit: Difference = {
  why: 'a Key that may not spend gets a default, so that a render goes on.',
  instead: async (service) => {
    const { control } = service;
    const key = await control.createKey(control.account, { limits: { perRequest: 5 } });
    const client = withKey(service, key.secret);
    expectDefault(await client.post(IMAGES, imageRequest()), 'insufficient_credits');
    expectRefusal(await client.post(IMAGES, imageRequest(), STRICT), 403, 'key_limit_exceeded');
  },
};

const noCredits: Difference = {
  why: 'who has no credits gets a default, so that a render goes on.',
  instead: async (service) => {
    await service.control.setCredits(0);
    const path = stickerPath(await somePreset(service));
    expectDefault(await service.get(path), 'insufficient_credits');
    expectRefusal(await service.get(path, STRICT), 402, 'insufficient_credits');
  },
};

const disabledKey: Difference = {
  why: 'search answers from the library on this machine, which needs no Key.',
  instead: async (service) => {
    const key = await service.control.createKey(service.control.account);
    await service.control.setKeyState(key, 'disabled');
    const client = withKey(service, key.secret);
    expectRefusal(await client.get(`${API}/me`), 403, 'key_disabled');
    expectRefusal(await client.get(stickerPath(await somePreset(client))), 403, 'key_disabled');
  },
};

const noKey: Difference = {
  why: 'search and match need no Key on this machine, and an asset that cannot be bought has a default.',
  instead: async (service) => {
    expect((await service.get(SEARCH, ANYBODY)).status).toBe(200);
    expectDefault(await service.post(IMAGES, imageRequest(), ANYBODY), 'no_key');
    expectRefusal(await service.post(IMAGES, imageRequest(), { ...ANYBODY, ...STRICT }), 401, 'invalid_key');
    expect((await service.get(`${API}/me`, ANYBODY)).status).toBe(401);
  },
};

const wrongKey: Difference = {
  why: 'search and match need no Key on this machine; what spends or shows the account refuses a wrong one.',
  instead: async (service) => {
    const wrong = { Authorization: 'Bearer wrong' };
    expect((await service.get(SEARCH, wrong)).status).toBe(200);
    expectRefusal(await service.get(`${API}/me`, wrong), 401, 'invalid_key');
    expectRefusal(await service.get(stickerPath(await somePreset(service)), wrong), 401, 'invalid_key');
  },
};

const duplicate: Difference = {
  why: 'the same image is made once, and everybody who asked gets it.',
  instead: async (service) => {
    const release = await service.control.holdImages();
    const request = imageRequest();
    const both = [service.post(IMAGES, request), service.post(IMAGES, request)];
    await service.get(`${API}/me`);
    release();
    const [first, second] = (await Promise.all(both)).map(bodyOf);
    expect(second?.['url']).toBe(first?.['url']);
    expect(await service.control.charged()).toBe(10);
  },
};

const rate: Difference = {
  why: 'svcd waits for its turn or tells what it knows, so that its clients need not count requests.',
  instead: async (service) => {
    const statuses = new Set<number>();
    for (let asked = 0; asked <= 120; asked++) statuses.add((await service.get(`${API}/me`)).status);
    expect([...statuses]).toEqual([200]);
  },
};

const owned: Difference = {
  why: 'what was paid for is kept, and served again for nothing.',
  instead: async (service) => {
    const path = stickerPath(await somePreset(service));
    await service.get(path);
    const before = await creditsLeft(service);
    const again = await service.get(path);
    expect([again.status, again.headers.get('X-Svcd-Source')]).toEqual([200, 'owned']);
    expect(await creditsLeft(service)).toBe(before);
  },
};

const notEnabled = imageTrouble('not_enabled', 503, (service) =>
  service.control.switchCapability('images.generate', false),
);
const upstreamFailure = imageTrouble('upstream_failure', 502, (service) =>
  service.control.troubleImages('upstream_failure'),
);
const busy: Difference = {
  why: 'nothing was charged, so svcd asks again within the deadline.',
  instead: async (service) => {
    await service.control.troubleImages('busy');
    const answer = await service.post(IMAGES, imageRequest());
    expect([answer.status, answer.headers.get('X-Svcd-Source')]).toEqual([200, 'remote']);
    expect(await service.control.charged()).toBe(10);
  },
};
const timedOut = imageTrouble('upstream_failure', 504, (service) => service.control.troubleImages('timeout'));

const balance: Difference = {
  why: 'svcd tells a balance once it has heard of it, and only to whoever shows the Key it is of.',
  instead: async (service) => {
    await service.get(`${API}/usage`);
    const told = [
      await service.get(SEARCH),
      await service.post(MATCH, { text: COPY }),
      await service.post(MATCH, '{'),
      await service.get(`${API}/nowhere`),
    ];
    for (const answer of told) expect(creditsHeader(answer)).toBe('1000');
    expect(creditsHeader(await service.get(`${API}/capabilities`, ANYBODY))).toBeNull();
    expect(creditsHeader(await service.get(SEARCH, ANYBODY))).toBeNull();
  },
};

export const DAEMON_DIFFERENCES: Readonly<Record<string, Difference>> = {
  '1.32': keyLimit,
  '1.33': noCredits,
  '1.34': balance,
  '2.29': {
    why: 'what is owned needs no Key on this machine.',
    instead: async (service) => {
      const [first] = await search(service);
      const file = String(first?.['file']);
      expectDefault(await service.get(file, ANYBODY), 'no_key');
      await service.get(file);
      expect((await service.get(file, ANYBODY)).headers.get('X-Svcd-Source')).toBe('owned');
    },
  },
  '3.7': disabledKey,
  '3.13': {
    why: 'what the remote said of its capabilities is kept for five minutes.',
    instead: async (service) => {
      expect(await capability(service, 'images.generate')).toMatchObject({ enabled: true });
      await service.control.switchCapability('images.generate', false);
      expect(await capability(service, 'images.generate')).toMatchObject({ enabled: true });
    },
  },
  '4.1': noKey,
  '4.12': owned,
  '4.13': notEnabled,
  '4.14': upstreamFailure,
  '4.16': duplicate,
  '4.17': busy,
  '4.18': timedOut,
  '5.4': noKey,
  '5.5': wrongKey,
  '5.6': disabledKey,
  '7.3': noKey,
  '7.4': noCredits,
  '7.5': disabledKey,
  '7.6': duplicate,
  '7.7': rate,
  '7.8': busy,
  '7.9': notEnabled,
  '7.10': timedOut,
  '7.13': keyLimit,
  '8.1': rate,
  '8.11': keyLimit,
  '8.12': owned,
  '8.13': owned,
};

/** An image that cannot be made is a default; whoever is strict gets the service's own answer. Nothing is spent. */
function imageTrouble(
  reason: string,
  status: number,
  trouble: (service: Controlled) => Promise<void>,
  headers: Record<string, string> = {},
): Difference {
  return {
    why: 'an image that cannot be made has a default, so that a render goes on.',
    instead: async (service) => {
      await trouble(service);
      expectDefault(await service.post(IMAGES, imageRequest(), headers), reason);
      await trouble(service);
      expectRefusal(await service.post(IMAGES, imageRequest(), { ...headers, ...STRICT }), status);
      expect(await service.control.charged()).toBe(0);
    },
  };
}

/** A success that says that it is a default, and why. */
function expectDefault(answer: Answer, reason: string): void {
  const said = [answer.headers.get('X-Svcd-Source'), answer.headers.get('X-Svcd-Reason')];
  expect([answer.status, ...said]).toEqual([200, 'default', reason]);
}
