// Facts, verdict and safe form through the daemon: of what is bought, owned, one's own, shipped, and of a default.

import { describe, expect, it } from 'vitest';
import * as v from 'valibot';
import { factsSchema, type FactsAnswer } from '../../src/api/library.js';
import type { Report } from '../../src/api/report.js';
import { sha256Hex } from '../../src/model/hash.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';
import { startForeignRemote } from '../support/foreign-remote.js';
import { startTestDaemon, type StartOptions } from '../support/start-daemon.js';

type Item = Record<string, unknown>;

const VERDICT = 'x-svcd-verdict';
const [scripted] = FLAWED.expressions;
const sound = FLAWLESS[0];

async function startShop(files: Readonly<Record<string, unknown>>, options: StartOptions = {}) {
  const remote = await startForeignRemote();
  for (const [preset, file] of Object.entries(files)) remote.files.set(preset, JSON.stringify(file));
  const flags = { remote: remote.url, ...options.flags };
  const svcd = await startTestDaemon({ ...options, flags, userKey: 'sk-user-key' });
  const facts = async (preset: string, query = '') => {
    const answer = await svcd.call(`/svcd/facts/${encodeURIComponent(preset)}${query}`);
    return { status: answer.status, body: (await answer.json()) as FactsAnswer };
  };
  const get = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await svcd.get(`/api/v1/stickers/${path}`, headers);
    return { answer, headers: answer.headers, bytes: new Uint8Array(await answer.arrayBuffer()) };
  };
  return { remote, svcd, facts, get };
}

describe('GET /svcd/facts', () => {
  it('tells anybody the facts of what is owned, shipped or the user’s own, and buys nothing', async () => {
    const { remote, svcd, facts, get } = await startShop({ loop: scripted });
    const asked = remote.seen.length;
    expect(await facts('loop')).toMatchObject({ status: 404, body: { code: 'not_owned' } });
    expect(await facts('nobody/has-this')).toMatchObject({ status: 404, body: { code: 'not_owned' } });
    expect(remote.seen.length).toBe(asked);

    const { bytes } = await get('loop');
    const owned = await facts('loop');
    expect(owned).toMatchObject({ status: 200, body: { preset: 'loop', verdict: 'scripted', uses: ['expressions'] } });
    expect(owned.body).toMatchObject({ sha256: sha256Hex(bytes), bytes: bytes.byteLength, frames: 60 });
    const body = JSON.stringify({ title: 'mine', lottie: JSON.stringify(sound) });
    const added = await svcd.send('PUT', '/svcd/library/stickers/own%2Fmine', body);
    expect([added.status, await added.text()]).toMatchObject([200, expect.anything()]);
    for (const [preset, verdict] of [
      ['own/mine', 'clean'],
      ['default/plain', 'clean'],
    ] as const) {
      const { body: told } = await facts(preset);
      expect(told).toMatchObject({ preset, verdict });
      expect(v.is(factsSchema, told)).toBe(true);
    }
  });

  it('refuses another form than there is', async () => {
    const { facts } = await startShop({});
    expect(await facts('default/plain', '?form=small')).toMatchObject({
      status: 400,
      body: { code: 'invalid_request' },
    });
  });

  it('has the facts of a large file from a thread, while searches are answered', async () => {
    const meta = { list: Array.from({ length: 110_000 }, () => [[]]) };
    const { svcd, facts, get } = await startShop({ large: { ...scripted, nm: 'x'.repeat(6_000_000), meta } });
    const { headers } = await get('large');
    expect(headers.get('x-svcd-source')).toBe('remote');
    const order: string[] = [];
    const asking = facts('large').then(({ body }) => {
      order.push('facts');
      return body;
    });
    const answer = await svcd.get('/svcd/search?q=cake');
    order.push('search');
    expect(answer.status).toBe(200);
    expect(await asking).toMatchObject({ verdict: 'scripted' });
    expect(order.toSorted()).toEqual(['facts', 'search']);
    expect((await get('large')).headers.get(VERDICT)).toBe('scripted');
  });

  it('has the head of a file above 8 MiB, which is heavy', async () => {
    const { facts, get } = await startShop({ huge: { ...scripted, nm: 'x'.repeat(9_000_000) } });
    await get('huge');
    const { body } = await facts('huge');
    expect(body).toMatchObject({ verdict: 'heavy', width: 256, height: 256, frames: 60, layers: 0 });
    expect(body.problems.map(({ code }) => code)).toEqual(['large_file', 'too_large']);
  });

  it('never has facts of what cannot be played: it is kept as evidence', async () => {
    const { remote, facts, get } = await startShop({});
    remote.files.set('deep', `${JSON.stringify(sound).slice(0, -1)},"deep":${'['.repeat(2_000)}${']'.repeat(2_000)}}`);
    const { headers } = await get('deep');
    expect(headers.get('x-svcd-source')).toBe('default');
    expect(headers.get(VERDICT)).toBe('clean');
    expect(await facts('deep')).toMatchObject({ status: 404 });
  });
});

describe('the verdict of a sticker', () => {
  it('is with each answer about it and in the report', async () => {
    const { svcd, get } = await startShop({ loop: scripted, plain: sound });
    const bought = await get('loop');
    expect([bought.headers.get('x-svcd-source'), bought.headers.get(VERDICT)]).toEqual(['remote', 'scripted']);
    const owned = await get('loop');
    expect([owned.headers.get('x-svcd-source'), owned.headers.get(VERDICT)]).toEqual(['owned', 'scripted']);
    const unchanged = await get('loop', { 'If-None-Match': owned.headers.get('etag') ?? '' });
    expect([unchanged.answer.status, unchanged.headers.get(VERDICT)]).toEqual([304, 'scripted']);
    const head = await svcd.call('/api/v1/stickers/loop', { method: 'HEAD' });
    expect(head.headers.get(VERDICT)).toBe('scripted');
    expect((await get('plain')).headers.get(VERDICT)).toBe('clean');
    const report = (await (await svcd.get('/svcd/report')).json()) as Report;
    expect(report.assets.map(({ preset, verdict }) => [preset, verdict])).toEqual([
      ['loop', 'scripted'],
      ['plain', 'clean'],
    ]);
  });
});

describe('the safe form of a sticker', () => {
  it('is other bytes with a tag of their own, made of what was bought, which stays as it is', async () => {
    const { remote, get, facts } = await startShop({ loop: scripted });
    const safe = await get('loop?form=safe');
    expect(safe.headers.get('x-svcd-cost')).toBe('1');
    expect([safe.headers.get(VERDICT), safe.headers.get('x-svcd-warning')]).toEqual(['clean', null]);
    expect(new TextDecoder().decode(safe.bytes)).not.toContain('$bm_rt');
    const bought = await get('loop?form=as-bought');
    expect(bought.bytes).toEqual(new TextEncoder().encode(remote.files.get('loop')));
    expect(bought.headers.get('x-svcd-cost')).toBe('0');
    const again = await get('loop?form=safe', { 'Accept-Encoding': 'gzip' });
    expect(again.bytes).toEqual(safe.bytes);
    expect(again.headers.get('etag')).toBe(`"${sha256Hex(safe.bytes).slice(0, 32)}"`);
    expect(again.headers.get('etag')).not.toBe(bought.headers.get('etag'));
    const part = await get('loop?form=safe', { Range: 'bytes=0-9' });
    expect([part.answer.status, part.bytes]).toEqual([206, safe.bytes.subarray(0, 10)]);
    const unchanged = await get('loop?form=safe', { 'If-None-Match': again.headers.get('etag') ?? '' });
    expect(unchanged.answer.status).toBe(304);
    expect((await facts('loop', '?form=safe')).body).toMatchObject({ verdict: 'clean', sha256: sha256Hex(safe.bytes) });
  });

  it('is the file itself, compressed as ever, where there is nothing to take out', async () => {
    const big = { ...sound, meta: { text: 'again and '.repeat(1_000) } };
    const { get } = await startShop({ plain: big });
    const [safe, bought] = [await get('plain?form=safe'), await get('plain')];
    expect(safe.bytes).toEqual(bought.bytes);
    expect(safe.headers.get('etag')).toBe(bought.headers.get('etag'));
  });

  it('is what the setting says, unless the request says otherwise; of a default too', async () => {
    const { svcd, get } = await startShop({ loop: scripted }, { flags: { form: 'safe' } });
    expect((await get('loop')).headers.get(VERDICT)).toBe('clean');
    expect((await get('loop?form=as-bought')).headers.get(VERDICT)).toBe('scripted');
    const registered = await svcd.send('PUT', '/svcd/defaults/stickers/gone', scripted);
    expect(registered.status).toBe(200);
    await svcd.post('/svcd/spending', { stopped: true });
    const standIn = await get('gone');
    expect([standIn.headers.get('x-svcd-source'), standIn.headers.get(VERDICT)]).toEqual(['default', 'clean']);
    expect(new TextDecoder().decode(standIn.bytes)).not.toContain('$bm_rt');
  });

  it('is refused by another name, before anything is bought', async () => {
    const { remote, get } = await startShop({ loop: scripted });
    const { answer, bytes } = await get('loop?form=tiny');
    const body = JSON.parse(new TextDecoder().decode(bytes)) as Item;
    expect([answer.status, body['code'], body['message']]).toEqual([
      400,
      'invalid_request',
      expect.stringContaining('"tiny"'),
    ]);
    expect(remote.seen.filter((path) => path.includes('/stickers/loop'))).toEqual([]);
  });
});
