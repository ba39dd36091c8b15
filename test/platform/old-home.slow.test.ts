// The home folder of an earlier version, used with two remotes and opened by this version: nothing that was bought,
// set or learned is lost, and credits spent before still count.

import { createHash } from 'node:crypto';
import { existsSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { createMovingClock } from '../support/moving-clock.js';
import { startTestDaemon, temporaryHome, type StartedDaemon } from '../support/start-daemon.js';
import { runSvcd } from '../support/run-svcd.js';
import { unpackHome, type Recorded, type RecordedPart } from './homes/unpack.js';

const VERSIONS = ['0.1.0'];
const STRICT = { 'X-Svcd-Fallback': 'off' };

interface Opened {
  readonly svcd: StartedDaemon;
  readonly recorded: Recorded;
  readonly home: string;
}

let opened: StartedDaemon | undefined;
afterEach(async () => {
  await opened?.daemon.close();
  opened = undefined;
});

/** Opens a copy of the home on the day it was made, because the budgets of that day must still count. */
async function open(version: string, flags: Record<string, unknown> = {}): Promise<Opened> {
  const folder = temporaryHome();
  const recorded = unpackHome(version, folder);
  const home = join(folder, 'home');
  const svcd = await startTestDaemon({
    home,
    flags,
    userKey: recorded.remote.key,
    clock: createMovingClock(recorded.at),
  });
  opened = svcd;
  return { svcd, recorded, home };
}

const openSandbox = (version: string) => open(version, { sandbox: true, offline: false });

async function json(answer: Promise<Response>): Promise<Record<string, unknown>> {
  const response = await answer;
  expect(response.status, response.url).toBeLessThan(300);
  return (await response.json()) as Record<string, unknown>;
}

const stickerAt = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

async function digestOf(answer: Response): Promise<string> {
  return createHash('sha256')
    .update(Buffer.from(await answer.arrayBuffer()))
    .digest('hex');
}

function factsOf({ status, headers }: Response): unknown {
  return { status, source: headers.get('x-svcd-source'), cost: headers.get('x-svcd-cost') };
}

const FREE = { status: 200, source: 'owned', cost: '0' };

/** Requests everything that was bought, without a token, so that nothing can be bought again. */
async function expectOwned({ call }: StartedDaemon, { bought, images }: RecordedPart): Promise<void> {
  expect(bought.length).toBeGreaterThan(3);
  for (const { preset, sha256 } of bought) {
    const answer = await call(stickerAt(preset), { headers: STRICT });
    expect(factsOf(answer), preset).toEqual(FREE);
    expect(await digestOf(answer), preset).toBe(sha256);
  }
  expect(images.length).toBeGreaterThan(0);
  for (const { prompt, picture, sha256 } of images) {
    const body = JSON.stringify({ prompt, size: '1024x1024' });
    const headers = { ...STRICT, 'Content-Type': 'application/json' };
    const answer = await call('/api/v1/images', { method: 'POST', headers, body });
    expect(factsOf(answer), prompt).toEqual(FREE);
    const { url } = (await answer.json()) as { url: string };
    expect(new URL(url).pathname).toMatch(/^\/svcd\/images\/[0-9a-f]{32}\.png$/);
    expect(await digestOf(await call(new URL(url).pathname))).toBe(sha256);
    const file = await call(picture);
    expect(file.headers.get('x-svcd-source')).toBe('owned');
    expect(await digestOf(file)).toBe(sha256);
  }
}

const UNCHANGED = [
  '/svcd/purchases?limit=10000',
  '/svcd/spending',
  '/svcd/defaults/stickers',
  '/svcd/origins',
  '/svcd/library/stickers',
];

/** The answers are those that were recorded. */
async function expectUnchanged({ get }: StartedDaemon, { recorded }: RecordedPart): Promise<void> {
  for (const path of UNCHANGED) expect(await json(get(path)), path).toMatchObject(recorded[path] ?? {});
  expect(tokensIn(await json(get('/svcd/tokens')))).toEqual(tokensIn(recorded['/svcd/tokens'] ?? {}));
}

/** Without the last use: both remotes share the tokens, and the other one was used later. */
function tokensIn(recorded: object): object[] {
  const { tokens } = recorded as { tokens: object[] };
  return tokens.map((token) => ({ ...token, last_used_at: undefined }));
}

describe.each(VERSIONS)('a home of svcd %s, with the remote it was made with away', (version) => {
  it('lists the same purchases, budgets, tokens, defaults, origins and stickers of the user', async () => {
    const { svcd, recorded } = await open(version);
    await expectUnchanged(svcd, recorded.remote);
    const { purchases } = (await json(svcd.get('/svcd/purchases'))) as { purchases: { state: string }[] };
    const states = new Set(purchases.map(({ state }) => state));
    expect([...states].toSorted()).toEqual(['paid', 'refused', 'unknown']);
  });

  it('serves all that was bought there at no cost', async () => {
    const { svcd, recorded } = await open(version);
    await expectOwned(svcd, recorded.remote);
  });

  it('answers about the account from the last known state', async () => {
    const { svcd, recorded } = await open(version);
    for (const path of ['/api/v1/me', '/api/v1/usage']) {
      const answer = await svcd.get(path);
      expect(answer.headers.get('x-svcd-source')).toBe('last-known');
      const body = (await answer.json()) as object;
      expect(body).toEqual(recorded.remote.recorded[path]);
      expect(answer.headers.get('x-service-credits-remaining')).toMatch(/^\d+$/);
    }
  });

  it('accepts each token for what it is for, and refuses the revoked one', async () => {
    const { svcd, recorded } = await open(version);
    const { promo = '', studio = '', ended = '' } = recorded.remote.tokens;
    const list = async (token: string) =>
      (await svcd.call('/svcd/purchases', { headers: { Authorization: `Bearer ${token}` } })).status;
    expect([await list(svcd.token), await list(studio), await list(promo), await list(ended)]).toEqual([
      200, 200, 403, 401,
    ]);
  });

  it('keeps the stickers and counters of filling the library, and stays paused', async () => {
    const { svcd, recorded } = await open(version);
    const before = recorded.remote.recorded['/svcd/library'] as Record<string, unknown>;
    const now = await json(svcd.get('/svcd/library'));
    for (const field of ['state', 'complete', 'known', 'estimate', 'coverage', 'requests', 'last_sync_at'])
      expect(now[field], field).toEqual(before[field]);
    expect(now).toMatchObject({ state: 'paused', complete: false, requests: { answered: 12 } });
    const found = await json(svcd.get('/api/v1/stickers/search?q=%E7%94%9F%E6%97%A5'));
    const presets = (found['results'] as { preset: string }[]).map(({ preset }) => preset);
    expect(presets).toContain('fluent-emoji-flat/birthday-cake');
  });

  it('keeps what was learned from the answers of the remote', async () => {
    const { svcd, recorded } = await open(version);
    const exported = await (await svcd.get('/svcd/library/export')).text();
    // The first line says when it was exported.
    const linesOf = (text: string) => text.trimEnd().split('\n').slice(1);
    expect(linesOf(recorded.remote.library).length).toBeGreaterThan(40);
    // svcd's own stand-ins are no part of an export any more.
    const learned = linesOf(recorded.remote.library).filter((line) => !/"preset":"default\/|"end":/.test(line));
    expect(linesOf(exported).slice(0, -1)).toEqual(learned);
  });

  it('searches with the synonyms of the user and finds the stickers they added', async () => {
    const { svcd } = await open(version);
    const search = async (q: string) => {
      const answer = await json(svcd.get(`/api/v1/stickers/search?q=${encodeURIComponent(q)}&limit=50`));
      return (answer['results'] as { preset: string }[]).map(({ preset }) => preset);
    };
    expect(await search('寿星公的点心')).toContain('fluent-emoji-flat/birthday-cake');
    expect(await search('公司片头')).toContain('own/intro');
    const own = await svcd.call(stickerAt('own/intro'));
    expect(factsOf(own)).toEqual(FREE);
    expect(await own.json()).toMatchObject({ w: 300, h: 150 });
  });

  it('serves the registered default of a preset, else that of every preset', async () => {
    const { svcd, recorded } = await open(version);
    const widthOf = async (preset: string) => {
      const answer = await svcd.call(stickerAt(preset));
      expect(answer.headers.get('x-svcd-source')).toBe('default');
      return ((await answer.json()) as { w: number }).w;
    };
    expect(await widthOf(recorded.remote.lost.at(-1) ?? '')).toBe(160);
    expect(await widthOf('no/such')).toBe(200);
  });

  it('admits pages of the listed origins and of no others', async () => {
    const { svcd } = await open(version);
    const statusFor = async (origin: string) =>
      (await svcd.call('/svcd/owned?preset=a', { headers: { Origin: origin } })).status;
    expect(await statusFor('https://studio.example')).toBe(200);
    expect(await statusFor('https://other.example')).toBe(403);
  });

  it("keeps the home's own token, the settings and the record of a charged purchase", async () => {
    const { svcd, recorded } = await open(version);
    expect((await svcd.get('/svcd/tokens')).status).toBe(200);
    const status = await json(svcd.get('/svcd/status'));
    expect(status['remote']).toMatchObject({ offline: true, forced: true, sandbox: false });
    expect(status['owned']).toEqual({ items: expect.any(Number) });
    // It was paid for and its bytes were lost: it is not bought again without consent.
    const again = await svcd.get(stickerAt(recorded.remote.lost[0] ?? ''), STRICT);
    expect([again.status, ((await again.json()) as { code: string }).code]).toEqual([409, 'unsettled']);
  });
});

describe.each(VERSIONS)('a home of svcd %s, with the sandbox in it', (version) => {
  it('has the same money, accounts and Keys, and serves what was bought there but not elsewhere', async () => {
    const { svcd, recorded } = await openSandbox(version);
    await expectUnchanged(svcd, recorded.sandbox);
    expect(await json(svcd.get('/api/v1/me'))).toEqual(recorded.sandbox.recorded['/api/v1/me']);
    const { url, control_token: token } = svcd.daemon.info.sandbox ?? { url: '', control_token: '' };
    for (const [path, before] of Object.entries(recorded.sandbox.account)) {
      const headers = { Authorization: `Bearer ${token}` };
      expect(await json(fetch(url + path, { headers })), path).toEqual(before);
    }
    await expectOwned(svcd, recorded.sandbox);
    const here = new Set(recorded.sandbox.bought.map(({ preset }) => preset));
    const there = recorded.remote.bought.find(({ preset }) => !here.has(preset));
    const answer = await svcd.call(stickerAt(there?.preset ?? ''));
    expect(answer.headers.get('x-svcd-source')).toBe('default');
  });

  it('lets a token spend what is left of its day and no more', async () => {
    const { svcd, recorded } = await openSandbox(version);
    const [first = '', second = ''] = recorded.sandbox.next;
    const headers = { ...STRICT, Authorization: `Bearer ${recorded.remote.tokens['late'] ?? ''}` };
    const bought = await svcd.call(stickerAt(first), { headers });
    expect(factsOf(bought)).toEqual({ status: 200, source: 'remote', cost: '1' });
    const refused = await svcd.call(stickerAt(second), { headers });
    expect(refused.status).toBe(402);
    expect(await refused.json()).toMatchObject({ code: 'budget' });
    const { budgets } = (await json(svcd.get('/svcd/spending'))) as { budgets: { spent: number }[] };
    const before = recorded.sandbox.recorded['/svcd/spending'] as { budgets: { spent: number }[] };
    expect(budgets[1]?.spent).toBe((before.budgets[1]?.spent ?? 0) + 1);
  });
});

describe('the first start after an update', () => {
  it('says where the copies from before are, and removes those of an update 30 days ago with a word', async () => {
    const folder = temporaryHome();
    unpackHome('0.1.0', folder);
    const home = join(folder, 'home');
    const svcd = (...args: string[]) => runSvcd(args, { home });
    const start = ['start', '--detach', '--offline', '--remote', 'http://127.0.0.1:1', '--port', '0'];
    const copies = ['library.db', 'owned.db'].map((name) => join(home, `${name}.before-migration`));
    const first = await svcd(...start);
    expect(first.stdout).toContain(`copies of before, kept for 30 days: ${copies.join(', ')}`);
    await svcd('stop');
    expect((await svcd(...start)).stdout).not.toContain('copies of before');
    await svcd('stop');
    const old = new Date(Date.now() - 31 * 24 * 3_600_000);
    for (const copy of copies) utimesSync(copy, old, old);
    await svcd(...start);
    await svcd('stop');
    expect(copies.filter((copy) => existsSync(copy))).toEqual([]);
    expect((await svcd('logs')).stdout).toContain('kept for 30 days and is removed');
  });
});
