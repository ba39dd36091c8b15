// Budgets, purchases, usage and the switch to offline as a person or a script calls them, against real daemons.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { expectRefusal, homeInTest, serve, startInTest } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';
import { type Outcome } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

type Json = Record<string, unknown>;
type Run = (...args: string[]) => Promise<Outcome>;

const parse = ({ stdout }: Outcome) => JSON.parse(stdout) as Json;
const runOn =
  (svcd: StartedSvcd): Run =>
  (...args) =>
    runHere(args, { home: svcd.home, cwd: svcd.home });

describe('with the sandbox', () => {
  let svcd: StartedSvcd;
  let run: Run;
  let presets: string[];
  beforeAll(async () => {
    svcd = await startSvcd(['--sandbox']);
    run = runOn(svcd);
    const { results } = parse(await run('search', '生日', '--json')) as { results: { preset: string }[] };
    presets = results.map(({ preset }) => preset);
  });
  afterAll(() => svcd.stop());

  describe('svcd budget', () => {
    afterAll(async () => void (await run('budget', 'set', '--request=none', '--day=none', '--month=none')));

    it('holds: beyond it a get takes a default, or fails with the figures when told to', async () => {
      expect((await run('get', presets[0] ?? '', '-o', 'one.json')).code).toBe(0);
      const set = await run('budget', 'set', '--day', '1');
      expect(set).toMatchObject({ code: 0, stderr: '' });
      expect(set.stdout).toMatch(/today +at most 1 +1 spent or reserved +0 left/);

      const lenient = parse(await run('get', presets[1] ?? '', '-o', 'two.json', '--json'));
      expect(lenient).toMatchObject({ source: 'default', reason: 'budget', cost: 0 });
      const strict = await run('get', presets[1] ?? '', '-o', 'two.json', '--strict', '--overwrite');
      expect(strict.code).toBe(11);
      expect(strict.stderr).toMatch(/per day is 1 credits? \(1 spent or reserved\), and this costs 1/);
    });

    it('changes what is named and leaves the rest', async () => {
      await run('budget', 'set', '--day', '20', '--month', '200');
      const changed = parse(await run('budget', 'set', '--day', 'none', '--request', '0', '--json'));
      expect(changed['budgets']).toMatchObject([
        { period: 'request', limit: 0, spent: null },
        { period: 'day', limit: null, spent: expect.any(Number) },
        { period: 'month', limit: 200, spent: expect.any(Number) },
      ]);
      expect(parse(await run('budget', '--json'))).toEqual({ ...changed, stopped: null });
      const { stdout } = await run('budget', 'show');
      expect(stdout).toMatch(/^Budgets \(the sandbox\):\n +per request +at most 0\n +today +no limit/);
    });

    it.each([
      [['set', '--day', 'many'], '"many"'],
      [['set', '--month=-1'], '"-1"'],
      [['set', '--request', '1.5'], '"1.5"'],
      [['set', '--day'], '--day needs a value'],
      [['set'], 'at least one of'],
      [['sett'], 'did you mean set?'],
    ])('refuses %j', async (args, named) => {
      expectRefusal(await run('budget', ...args), named);
    });
  });

  describe('svcd purchases', () => {
    it('lists what was bought, in words and for a program', async () => {
      const preset = presets[2] ?? '';
      await run('get', preset, '-o', 'three.json');
      const { code, stdout } = await run('purchases');
      expect(code).toBe(0);
      expect(stdout).toMatch(/^number +when +what +state +credits +owned/);
      expect(stdout).toMatch(/\n\d+ +\d{4}-\d\d-\d\d \d\d:\d\d:\d\d +\S+ +paid +1 +owned\n/);

      const { purchases } = parse(await run('purchases', 'list', '--preset', preset, '--json'));
      expect(purchases).toEqual([
        {
          id: expect.any(Number),
          kind: 'sticker',
          preset,
          state: 'paid',
          price: 1,
          cost: 1,
          reason: null,
          owned: true,
          created_at: expect.stringMatching(/^\d{4}-.*Z$/),
          settled_at: expect.stringMatching(/^\d{4}-.*Z$/),
        },
      ]);
    });

    it('finds by state and day, and says so when there is none', async () => {
      await run('get', presets[2] ?? '', '-o', 'three.json');
      const today = new Intl.DateTimeFormat('sv-SE').format();
      expect((await run('purchases', '--since', today, '--state', 'paid', '--limit', '1')).stdout).toMatch(
        /paid +1 +owned\n\nThe 1 newest;/,
      );
      // More than a page of stickers may have.
      expect(parse(await run('purchases', '--limit', '10000', '--json'))).toHaveProperty('purchases');
      expect((await run('purchases', '--since', '2999-01-01')).stdout).toBe(
        'No purchase matches (the sandbox).\n(sandbox: its credits and purchases are not real)\n',
      );
    });

    it('says that a paid one needs no settling, and that retrying what is owned costs nothing', async () => {
      await run('get', presets[2] ?? '', '-o', 'three.json');
      const { purchases } = parse(await run('purchases', '--limit=1', '--json')) as { purchases: Json[] };
      const id = String(purchases[0]?.['id']);
      expect((await run('purchases', 'settle', id)).stdout).toMatch(/was charged: 1 credit\. It is owned\.\n/);
      const decided = await run('purchases', 'settle', id, '--as', 'free');
      expect(decided.code).toBe(2);
      expect(decided.stderr).toContain(`purchase ${id} is paid`);
      const retried = parse(await run('purchases', 'retry', id, '--yes', '--json'));
      expect(retried).toMatchObject({ purchase: Number(id), source: 'owned', cost: 0 });
      const unasked = await run('purchases', 'retry', id);
      expect([unasked.code, unasked.stdout]).toEqual([0, expect.stringMatching(/is owned: nothing was bought, no ch/)]);
    });

    it.each([
      [['list', '--since', 'yesterday'], 2, '"yesterday"'],
      [['--limit', '0'], 2, '"0"'],
      [['--state', 'lost'], 2, '"lost"'],
      [['settle', 'x7'], 2, '"x7"'],
      [['settle', '1', '--as', 'maybe'], 2, '"maybe"'],
      [['settle'], 2, 'ID is missing'],
      [['settle', '999999'], 3, 'no purchase 999999'],
      [['retry', '999999', '--yes'], 3, 'no purchase 999999'],
    ])('refuses %j', async (args, expected, named) => {
      expectRefusal(await run('purchases', ...args), named, expected);
    });
  });

  it('svcd usage tells what was saved by owning, beside what the service says', async () => {
    const preset = presets[3] ?? '';
    await run('get', preset, '-o', 'four.json');
    const before = parse(await run('usage', '--json')) as { svcd: { saved: number; spent: number } };
    await run('get', preset, '-o', 'four.json');
    const after = parse(await run('usage', '--json'));
    expect(after).toEqual({
      remote: expect.objectContaining({ effective_credits_remaining: expect.any(Number) }),
      sandbox: true,
      svcd: {
        ...before.svcd,
        saved: before.svcd.saved + 1,
        budgets: expect.any(Array),
        purchases: expect.any(Object),
      },
    });
    const { stdout } = await run('usage');
    expect(stdout).toMatch(/^[\d,]+ credits can be spent with this Key\./);
    expect(stdout).toMatch(/spent +\d+ credits? +in \d+ purchases?/);
    expect(stdout).toMatch(/saved +\d+ credits? +not spent/);
    expect(stdout).toMatch(/Budgets:\n +per request +no limit/);
  });
});

/** A service that cuts paid calls off, until it is told to behave. */
async function startCutter() {
  const lottie = JSON.stringify({ v: '5.7.0', fr: 30, ip: 0, op: 30, w: 9, h: 9, layers: [{ ty: 4 }] });
  const state = { cuts: true, paid: 0 };
  const url = await serve((request, response) => {
    const isSticker = request.url?.startsWith('/api/v1/stickers/') === true;
    if (isSticker) state.paid += 1;
    if (isSticker && state.cuts) return void request.socket.destroy();
    response.setHeader('content-type', 'application/json');
    response.end(isSticker ? lottie : JSON.stringify({ effective_credits_remaining: 7 }));
  });
  return { url, state };
}

async function startBehind(remote: string) {
  const svcd = await startInTest(['--remote', remote], { env: { SERVICE_API_KEY: 'sk-test' } });
  return { svcd, run: runOn(svcd) };
}

describe('a purchase that goes on without the command', () => {
  it('is told beside the default, with its price', async () => {
    const held: { destroy(): void }[] = [];
    const url = await serve(({ url: path, socket }, response) => {
      if (path?.startsWith('/api/v1/stickers/') === true) held.push(socket);
      else response.end('{"effective_credits_remaining":7}');
    });
    const svcd = await startInTest(['--remote', url], { env: { SERVICE_API_KEY: 'sk-test', SVCD_DEADLINE_MS: '300' } });
    const got = await runOn(svcd)('get', 'a/slow', '-o', 'x.json');
    expect(got.stdout).toContain('purchase 1 goes on, and costs 1 credit when it arrives');
    held.forEach((socket) => socket.destroy());
  });
});

describe('a purchase whose end was not seen', () => {
  it('stands out in the list with what can be done, and is decided by the user', async () => {
    const { url, state } = await startCutter();
    const { run } = await startBehind(url);
    const lost = await run('get', 'a/cut', '-o', 'x.json');
    expect(lost.stdout).toContain('purchase 1 of it brought no file');
    expect(lost.stdout).toContain('"svcd purchases retry 1" buys it again');
    const again = parse(await run('get', 'a/cut', '-o', 'x.json', '--overwrite', '--json'));
    expect(again).toMatchObject({ source: 'default', reason: 'unsettled', cost: 0 });
    const listed = await run('purchases');
    expect(listed.stdout).toMatch(/\n1 +\S+ \S+ +a\/cut +UNKNOWN, may have been charged +.*1\? +no\n/);
    expect(listed.stdout).toMatch(/svcd purchases settle 1 --as charged\|free +records your decision/);
    expect(listed.stdout).toMatch(/svcd purchases retry 1 +buys it again/);
    expect((await run('usage')).stdout).toMatch(/unsettled +1 credit +see "svcd purchases"/);

    const asked = await run('purchases', 'settle', '1');
    expect(asked.code).toBe(14);
    expect(asked.stderr).toContain('--as charged');
    const decided = await run('purchases', 'settle', '1', '--as', 'free');
    expect(decided.stdout).toBe('Purchase 1 (a/cut) was not charged; the next request for it buys it.\n');
    expect(state.paid, 'nothing was sent again by itself').toBe(1);
  });

  it('is bought again only after a yes, which a script says with --yes', async () => {
    const { url, state } = await startCutter();
    const { run } = await startBehind(url);
    await run('get', 'a/cut', '-o', 'x.json');
    state.cuts = false;
    const unasked = await run('purchases', 'retry', '1');
    expect(unasked).toMatchObject({ code: 2, stdout: '' });
    expect(unasked.stderr).toMatch(/Buying a\/cut again \(purchase 1\) may cost 1 credit more\..*--yes/);
    expect(state.paid).toBe(1);

    const retried = await run('purchases', 'retry', '1', '--yes');
    expect(retried).toMatchObject({ code: 0, stderr: '' });
    expect(retried.stdout).toMatch(/purchase 1 was bought again \(remote, 1 credit.*\) and is owned\.\n/);
    expect(state.paid).toBe(2);
    expect(parse(await run('get', 'a/cut', '-o', 'x.json', '--overwrite', '--json'))).toMatchObject({
      source: 'owned',
    });
    const { stdout } = await run('purchases');
    expect(stdout).toMatch(/unknown outcome that is owned was bought again/);
    expect(stdout).not.toContain('retry 1');
  });
});

it('svcd budget set without a remote is refused, because it would limit nothing', async () => {
  const home = homeInTest();
  expectRefusal(await runHere(['budget', 'set', '--day', '5'], { home }), 'no remote is configured');
});

describe('GET /svcd/purchases', () => {
  it('finds one by its number, and leaves out refusals of before a moment', async () => {
    const svcd = await startSvcd(['--sandbox']);
    onTestFinished(() => svcd.stop());
    const headers = { Authorization: `Bearer ${svcd.info.token}` };
    const get = (path: string) => fetch(svcd.info.url + path, { headers });
    const owned = 'fluent-emoji-flat/birthday-cake';
    await get(stickerPath('no/such'));
    await get(stickerPath(owned));
    expect(await (await get('/svcd/purchases/2')).json()).toMatchObject({ id: 2, preset: owned });
    expect((await get('/svcd/purchases/3')).status).toBe(404);
    expect((await fetch(`${svcd.info.url}/svcd/purchases/2`)).status).toBe(401);
    const listed = async (query: string) => {
      const answer = (await (await get(`/svcd/purchases?${query}`)).json()) as {
        purchases: { id: number }[];
      };
      return answer.purchases.map(({ id }) => id);
    };
    expect(await listed('')).toEqual([2, 1]);
    expect(await listed('free_since=2000-01-01')).toEqual([2, 1]);
    expect(await listed('free_since=2999-01-01')).toEqual([2]);
    expect((await get('/svcd/purchases?free_since=soon')).status).toBe(400);
  });
});

describe('svcd usage without the service', () => {
  it('tells our figures and that the service is away, and that is a success', async () => {
    const home = homeInTest();
    const { code, stdout } = await runHere(['usage', '--json'], { home });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toEqual({
      remote: null,
      remote_error: expect.objectContaining({ code: expect.any(String), message: expect.any(String) }),
      svcd: expect.objectContaining({ spent: 0, unsettled: 0, saved: 0 }),
    });
    expect((await runHere(['usage'], { home })).stdout).toMatch(
      /^The service gives no figures: .+\n[^]*spent +0 credits/,
    );
  });

  it('tells what the service said last, and how long ago', async () => {
    const { url } = await startCutter();
    const { run } = await startBehind(url);
    expect(parse(await run('usage', '--json'))).not.toHaveProperty('remote_age_s');
    await run('offline');
    expect(parse(await run('usage', '--json'))).toMatchObject({
      remote: { effective_credits_remaining: 7 },
      remote_age_s: expect.any(Number),
    });
    expect((await run('usage')).stdout).toMatch(/^The service cannot be asked now; .* \d+ seconds? old\./);
  });
});

describe('svcd offline and online', () => {
  it('switch a running daemon at once, and for the next start too', async () => {
    const { url, state } = await startCutter();
    state.cuts = false;
    const { svcd, run } = await startBehind(url);
    const config = () => JSON.parse(readFileSync(join(svcd.home, 'config.json'), 'utf8')) as Json;
    const remote = async () => (parse(await run('status', '--json')) as { remote: Json }).remote;
    expect(await remote()).toEqual({
      address: url,
      sandbox: false,
      proxy: null,
      // Status asks a free question where nothing has been asked yet.
      answered: true,
      offline: false,
      forced: false,
      since: null,
      why: null,
      held_until: null,
    });

    const off = await run('offline', '--json');
    expect(parse(off)).toEqual({ offline: true, url: svcd.info.url, kept: true, home: svcd.home });
    expect(config()).toEqual({ offline: true });
    expect(await remote()).toMatchObject({
      offline: true,
      forced: true,
      since: expect.stringMatching(/Z$/),
      why: expect.stringContaining('offline'),
    });
    expect((await run('status')).stdout).toMatch(/way +offline for \d+ seconds?, because svcd was told so/);
    const refused = await run('get', 'some/sticker', '--strict', '-o', 'x.json');
    expect(refused.code).toBe(12);

    const on = await run('online');
    expect(on.stdout).toContain(`svcd at ${svcd.info.url} is online now, and will be after a restart.`);
    expect(config()).toEqual({ offline: false });
    expect((await run('status')).stdout).toMatch(/way +online: it has answered\n/);
    expect((await run('get', 'some/sticker', '--strict', '-o', 'x.json')).code).toBe(0);
    expect((await run('status')).stdout).toMatch(/way +online: it has answered\n/);
  });

  it('with nothing running speak of the next start, and of an environment that says otherwise', async () => {
    const home = homeInTest();
    const off = await runHere(['offline'], { home });
    expect(off.stdout).toBe('svcd does not run; it will be offline from the next start on.\n');
    expect(JSON.parse(readFileSync(join(home, 'config.json'), 'utf8'))).toEqual({ offline: true });
    const on = await runHere(['online', '--json'], { home, env: { SVCD_OFFLINE: 'true' } });
    expect(parse(on)).toEqual({ offline: false, url: null, kept: false, home });
  });

  it('status tells what was noticed when the service cannot be reached', async () => {
    const { run } = await startBehind('http://127.0.0.1:9');
    await run('get', 'some/sticker', '-o', 'x.json');
    expect((await run('status')).stdout).toMatch(/way +offline for \d+ seconds?: .*ECONNREFUSED.*by itself/);
    expect(parse(await run('status', '--json'))['remote']).toMatchObject({ offline: true, forced: false });
  });
});

describe('POST /svcd/offline', () => {
  it('needs the local token and exactly one word', async () => {
    const svcd = await startInTest();
    const ask = (body: unknown, token?: string) =>
      fetch(`${svcd.info.url}/svcd/offline`, {
        method: 'POST',
        body: JSON.stringify(body),
        headers: {
          'Content-Type': 'application/json',
          ...(token === undefined ? {} : { Authorization: `Bearer ${token}` }),
        },
      });
    expect((await ask({ offline: true })).status).toBe(401);
    const wrong = await ask({ offline: 'yes' }, svcd.info.token);
    expect(wrong.status).toBe(400);
    expect(await wrong.json()).toMatchObject({ message: 'offline: must be a boolean, got "yes"' });
    expect((await ask({}, svcd.info.token)).status).toBe(400);
    const done = await ask({ offline: true }, svcd.info.token);
    expect(await done.json()).toEqual({ offline: true, kept: true });
    // Local things go on.
    expect((await fetch(`${svcd.info.url}${stickerPath('default/rain')}`)).status).toBe(200);
  });
});
