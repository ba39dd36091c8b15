// A browser page signs in: a code, once, for a cookie that only our own pages may use.

import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { text as textOf } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { createMovingClock } from '../support/moving-clock.js';
import { itIf, OTHER_USERS } from '../support/requires.js';
import { requestRaw } from '../support/request-raw.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { startTestDaemon, temporaryHome, type StartedDaemon } from '../support/start-daemon.js';
import { openCode, signIn } from '../support/sign-in.js';
import { startPair } from '../support/start-pair.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const IMAGE = '{"prompt":"a cat","size":"1024x1024"}';
const OWN_PAGE = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors', 'sec-fetch-dest': 'empty' };

describe('a code', () => {
  it('gives a cookie that scripts cannot read and other sites cannot send, and leads on', async () => {
    const { svcd } = await startPair();
    const answer = await svcd.call((await openCode(svcd)).path, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/']);
    expect(answer.headers.get('set-cookie')).toMatch(
      /^svcd_session_\d+=[\w-]{32}; HttpOnly; SameSite=Strict; Path=\/$/,
    );
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  itIf(OTHER_USERS, 'is nothing for another user of the machine, who saw it in the list of processes', async () => {
    const { svcd } = await startPair();
    const { path } = await openCode(svcd);
    const script = `fetch(${JSON.stringify(svcd.url + path)}, { redirect: 'manual' }).then((one) => console.log(one.status))`;
    const as = ['--reuid=12345', '--regid=12345', '--clear-groups', process.execPath, '-e', script];
    const { stdout } = await promisify(execFile)('setpriv', as, { cwd: '/' });
    expect(stdout.trim()).toBe('403');
    expect((await svcd.call(path, { redirect: 'manual' })).status).toBe(303);
  });

  it('is good once, and a HEAD does not use it up', async () => {
    const { svcd } = await startPair();
    const { path } = await openCode(svcd);
    expect((await svcd.call(path, { method: 'HEAD' })).status).toBe(204);
    const statuses = [];
    for (let tries = 0; tries < 3; tries++) {
      statuses.push((await svcd.call(path, { redirect: 'manual' })).status);
    }
    expect(statuses).toEqual([303, 401, 401]);
  });

  it('that was used shows a page to a browser, which says how to get another', async () => {
    const { svcd } = await startPair();
    const { path } = await openCode(svcd);
    await svcd.call(path, { redirect: 'manual' });
    const answer = await svcd.call(path, { headers: { Accept: 'text/html,*/*' } });
    expect([answer.status, answer.headers.get('content-type')]).toEqual([410, 'text/html; charset=utf-8']);
    expect(answer.headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(await answer.text()).toMatch(/used already.*<a href="\/">.*svcd open.*已使用过.*svcd open/s);
    const cookie = 'a='.padEnd(21_000, 'x');
    const flood = await new Promise<string>((resolve, reject) => {
      const asked = get(svcd.url, { headers: { accept: 'text/html', cookie }, agent: false }, (told) => {
        textOf(told).then((all) => resolve(`${told.statusCode} ${all}`), reject);
      });
      asked.on('error', reject);
    });
    expect(flood).toMatch(/^431 .*Clear the cookies of 127\.0\.0\.1/);
    expect(JSON.parse((await requestRaw(svcd.url, '/', { cookie })).text)).toMatchObject({ code: 'invalid_request' });
  });

  it('is good for a minute', async () => {
    const clock = createMovingClock('2026-11-21T08:00:00Z');
    const { svcd } = await startPair({ clock });
    const [early, late] = [(await openCode(svcd)).path, (await openCode(svcd)).path];
    clock.pass(59_000);
    expect((await svcd.call(early, { redirect: 'manual' })).status).toBe(303);
    clock.pass(2000);
    expect((await svcd.call(late, { redirect: 'manual' })).status).toBe(401);
  });
});

describe('a session', () => {
  it('spends for our own pages, and only for them', async () => {
    const { svcd, remote } = await startPair();
    const session = await signIn(svcd);
    const ask = (headers: Record<string, string>) => requestRaw(svcd.url, '/api/v1/me', { ...session, ...headers });
    expect((await ask(OWN_PAGE)).status).toBe(200);
    expect((await ask({})).status).toBe(401);
    expect((await ask({ 'sec-fetch-site': 'same-site' })).status).toBeGreaterThanOrEqual(400);
    expect((await ask({ 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' })).status).toBeGreaterThanOrEqual(400);
    const origin = svcd.url;
    await requestRaw(svcd.url, '/api/v1/images', { ...session, origin, ...OWN_PAGE, ...JSON_TYPE }, 'POST', IMAGE);
    expect(remote.sandbox.charges()).toHaveLength(1);
  });

  it.each([
    ['none at all', {}],
    ['that of another port', { origin: 'http://127.0.0.1:1' }],
    ['null', { origin: 'null' }],
    ['our other name', { origin: 'http://localhost:PORT' }],
  ])('buys nothing for a POST whose Origin is %s', async (_what, origin) => {
    const { svcd, remote } = await startPair();
    const session = await signIn(svcd);
    const spelled = Object.entries(origin).map(([name, value]) => [
      name,
      value.replace('PORT', new URL(svcd.url).port),
    ]);
    const headers = { ...session, ...OWN_PAGE, ...JSON_TYPE, ...Object.fromEntries(spelled), 'x-svcd-fallback': 'off' };
    expect((await requestRaw(svcd.url, '/api/v1/images', headers, 'POST', IMAGE)).status).toBeGreaterThanOrEqual(401);
    expect(remote.sandbox.charges()).toEqual([]);
  });

  const WAYS: Record<string, Record<string, string>> = {
    'a typed address': { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' },
    'a link of our page': {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'navigate',
      'sec-fetch-dest': 'document',
    },
    'a picture of our page': {
      'sec-fetch-site': 'same-origin',
      'sec-fetch-mode': 'no-cors',
      'sec-fetch-dest': 'image',
    },
    'a script of our page': OWN_PAGE,
  };

  it.each(Object.entries(WAYS))('buys nothing by %s', async (_what, way) => {
    const { svcd, remote } = await startPair();
    const session = await signIn(svcd);
    const heard = remote.sandbox.charges();
    for (const method of ['GET', 'HEAD']) {
      const sticker = await requestRaw(svcd.url, stickerPath(CAKE), { ...session, ...way }, method);
      expect(sticker.headers).toMatchObject({ 'x-svcd-source': 'default', 'x-svcd-reason': 'no_key' });
      const strict = { ...session, ...way, 'x-svcd-fallback': 'off' };
      expect((await requestRaw(svcd.url, stickerPath(CAKE), strict, method)).status).toBe(401);
    }
    expect(remote.sandbox.charges()).toEqual(heard);
    // What is owned is there, and so is the account.
    await svcd.get(stickerPath(CAKE));
    const owned = await requestRaw(svcd.url, stickerPath(CAKE), { ...session, ...way });
    const seesAccount = way['sec-fetch-site'] !== 'none';
    expect(owned.headers['x-svcd-source']).toBe('owned');
    expect(owned.headers['x-service-credits-remaining']).toBe(seesAccount ? '999' : undefined);
    expect((await requestRaw(svcd.url, '/api/v1/usage', { ...session, ...way })).status).toBe(seesAccount ? 200 : 401);
  });

  it('is nothing without the secret of the tab, whatever a neighbour does with the cookie', async () => {
    const { svcd, remote } = await startPair();
    const { cookie, 'x-svcd-session': secret } = await signIn(svcd);
    const own = { ...OWN_PAGE, origin: svcd.url, ...JSON_TYPE };
    for (const shown of [{ cookie }, { cookie, 'x-svcd-session': 'a' }, { 'x-svcd-session': secret }]) {
      for (const path of ['/svcd/summary', '/svcd/events', '/svcd/collections', '/svcd/purchases', '/api/v1/usage']) {
        expect((await requestRaw(svcd.url, path, { ...own, ...shown })).status, path).toBe(401);
      }
      const put = await requestRaw(svcd.url, '/svcd/budget', { ...own, ...shown }, 'PUT', '{"day":100000}');
      const lift = await requestRaw(svcd.url, '/svcd/spending', { ...own, ...shown }, 'POST', '{"stopped":false}');
      const strict = { ...own, ...shown, 'x-svcd-fallback': 'off' };
      const bought = await requestRaw(svcd.url, '/api/v1/images', strict, 'POST', IMAGE);
      expect([put.status, lift.status, bought.status]).toEqual([401, 401, 401]);
    }
    expect(remote.sandbox.charges()).toEqual([]);
  });

  it('is found among other cookies of its name, and by the cookie of a later sign-in', async () => {
    const { svcd } = await startPair();
    const { cookie, 'x-svcd-session': secret } = await signIn(svcd);
    const [name = ''] = cookie.split('=');
    const tossed = `${name}=evil; ${name}=; ${cookie}; ${name}=other`;
    const ask = async (sent: string) =>
      (await requestRaw(svcd.url, '/svcd/summary', { ...OWN_PAGE, cookie: sent, 'x-svcd-session': secret })).status;
    expect(await ask(tossed)).toBe(200);
    expect(await ask((await signIn(svcd)).cookie)).toBe(200);
    expect(await ask(`${name}=evil`)).toBe(401);
  });

  it('handles neither tokens nor Keys, and does not stop svcd', async () => {
    const { svcd } = await startPair();
    const session = await signIn(svcd);
    for (const path of ['/svcd/key', '/svcd/tokens']) {
      expect((await requestRaw(svcd.url, path, { ...session, ...OWN_PAGE })).status, path).toBe(403);
    }
    for (const path of ['/svcd/stop', '/svcd/session-code', '/svcd/token/rotate', '/svcd/key/refresh']) {
      expect((await requestRaw(svcd.url, path, { ...session, ...OWN_PAGE }, 'POST')).status, path).toBe(403);
    }
  });

  it('is kept over a restart for a day after its use, as digests, and ends with a revoked token', async () => {
    const clock = createMovingClock('2026-11-21T08:00:00Z');
    const home = temporaryHome();
    const start = () => startTestDaemon({ home, clock, flags: { remote: 'http://127.0.0.1:9' } });
    const first = await start();
    const session = await signIn(first);
    const port = new URL(first.url).port;
    await first.daemon.close();
    const file = readFileSync(join(home, 'sessions.json'), 'utf8');
    for (const value of [session.cookie.split('=')[1] ?? '', session['x-svcd-session']]) {
      expect(file).not.toContain(value);
    }
    const again = async (svcd: StartedDaemon) => {
      const cookie = session.cookie.replace(port, new URL(svcd.url).port);
      return (await requestRaw(svcd.url, '/svcd/summary', { ...session, ...OWN_PAGE, cookie })).status;
    };
    const second = await start();
    expect(await again(second)).toBe(200);
    clock.pass(25 * 60 * 60 * 1000);
    await second.daemon.close();
    const third = await start();
    expect(await again(third)).toBe(401);
    const later = await signIn(third);
    await third.post('/svcd/tokens', { name: 'promo' });
    await third.send('DELETE', '/svcd/tokens/promo');
    expect((await requestRaw(third.url, '/svcd/summary', { ...later, ...OWN_PAGE })).status).toBe(401);
    expect(JSON.parse(readFileSync(join(home, 'sessions.json'), 'utf8'))).toEqual([]);
  });

  it('ends with the token that let it in', async () => {
    const { svcd } = await startPair();
    const session = await signIn(svcd);
    await svcd.post('/svcd/token/rotate', {});
    expect((await requestRaw(svcd.url, '/api/v1/me', { ...session, ...OWN_PAGE })).status).toBe(401);
  });

  it('is not sent to the remote', async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ flags: { remote: remote.url }, userKey: 'sk-the-real-one' });
    const session = await signIn(svcd);
    await requestRaw(svcd.url, '/api/v1/me', { ...session, ...OWN_PAGE });
    const own = { ...session, origin: svcd.url, ...OWN_PAGE, ...JSON_TYPE };
    await requestRaw(svcd.url, '/api/v1/music/select', own, 'POST', '{}');
    // What a GET of a page may cost is not known, so it brings no Key.
    await requestRaw(svcd.url, '/api/v1/music/list', { ...session, ...OWN_PAGE });
    const key = 'Bearer sk-the-real-one';
    expect(remote.seen.map(({ headers }) => headers.authorization)).toEqual([key, key, undefined]);
    expect(remote.seen.map(({ headers }) => headers.cookie)).toEqual(remote.seen.map(() => undefined));
  });
});

describe('a code of svcd open --code', () => {
  const RAISE = '{"day":100000}';

  async function signedIn(limits = '{"day":20,"month":null}') {
    const clock = createMovingClock('2026-11-21T08:00:00Z');
    const { svcd } = await startPair({ clock });
    const session = await signIn(svcd);
    const own = { ...OWN_PAGE, origin: svcd.url, ...JSON_TYPE };
    const send = async (headers: object, path: string, method: string, body: string) => {
      const { status, text } = await requestRaw(svcd.url, path, { ...own, ...headers }, method, body);
      return [status, (JSON.parse(text) as { code?: string }).code];
    };
    const raise = (code?: string, shown: object = session, body = RAISE) =>
      send({ ...shown, ...(code !== undefined && { 'x-svcd-code': code }) }, '/svcd/budget', 'PUT', body);
    const lift = (code?: string, stopped = false) =>
      send(
        { ...session, ...(code !== undefined && { 'x-svcd-code': code }) },
        '/svcd/spending',
        'POST',
        `{"stopped":${stopped}}`,
      );
    const newCode = async () => ((await (await svcd.send('POST', '/svcd/page-code')).json()) as { code: string }).code;
    const spending = async () => (await svcd.get('/svcd/spending')).json();
    if (limits !== '') await svcd.send('PUT', '/svcd/budget', limits);
    return { svcd, clock, session, raise, lift, newCode, spending };
  }
  const REFUSED = [403, 'needs_code'];
  const DONE = [200, undefined];
  const wrong = (code: string) => code.replace(/./g, (digit) => `${(Number(digit) + 1) % 10}`);

  it('is wanted of a page that raises a budget or lifts a stop, and works once', async () => {
    const { svcd, raise, lift, newCode, spending, session } = await signedIn();
    expect([await raise(), await raise(undefined, session, '{"day":null}')]).toEqual([REFUSED, REFUSED]);
    expect(await lift(undefined, true)).toEqual(DONE);
    expect(await lift()).toEqual(REFUSED);
    expect(await spending()).toMatchObject({ stopped: { by: 'user' }, budgets: [{}, { limit: 20 }, { limit: null }] });
    // What lets less be spent needs none, nor what stays as it is.
    expect(await raise(undefined, session, '{"day":19,"month":500}')).toEqual(DONE);
    expect(await raise(undefined, session, '{"request":null,"day":19}')).toEqual(DONE);
    const code = await newCode();
    expect(code).toMatch(/^\d{8}$/);
    expect([await lift(code.replace(/(?=....$)/, ' ')), await raise(code), await lift(code)]).toEqual([
      DONE,
      REFUSED,
      REFUSED,
    ]);
    expect(await raise(await newCode())).toEqual(DONE);
    expect(await spending()).toMatchObject({ stopped: null, budgets: [{}, { limit: 100_000 }, { limit: 500 }] });
    // The home's own token needs none.
    expect((await svcd.send('PUT', '/svcd/budget', '{"day":200000}')).status).toBe(200);
    expect((await svcd.post('/svcd/spending', { stopped: false })).status).toBe(200);
  });

  it('is wanted of a page that says that a purchase was free, and of no other end', async () => {
    const { svcd, session, newCode } = await signedIn();
    const own = { ...session, ...OWN_PAGE, ...JSON_TYPE, origin: svcd.url };
    const settle = async (as: string, code = '') => {
      const shown = { ...own, 'x-svcd-code': code };
      const { text } = await requestRaw(svcd.url, '/svcd/purchases/7/settle', shown, 'POST', JSON.stringify({ as }));
      return (JSON.parse(text) as { code: string }).code;
    };
    expect([await settle('free'), await settle('charged')]).toEqual(['needs_code', 'not_found']);
    expect(await settle('free', await newCode())).toBe('not_found');
  });

  it('is wanted for any limit in place of the one that the first Key will bring, but for a lower one', async () => {
    const { raise, session } = await signedIn('');
    for (const limits of ['{"day":null}', '{"day":101}', '{"month":1000000}']) {
      expect([limits, ...(await raise(undefined, session, limits))]).toEqual([limits, ...REFUSED]);
    }
    expect(await raise(undefined, session, '{"day":100,"month":1000000}')).toEqual(DONE);
    expect(await raise(undefined, session, '{"month":5000}')).toEqual(DONE);
  });

  it('is void after five wrong ones, after two minutes, and when there is another', async () => {
    const { clock, raise, newCode, spending } = await signedIn();
    const tried = await newCode();
    for (let tries = 0; tries < 5; tries++) expect(await raise(wrong(tried))).toEqual(REFUSED);
    expect(await raise(tried)).toEqual(REFUSED);
    const late = await newCode();
    clock.pass(121_000);
    expect(await raise(late)).toEqual(REFUSED);
    const [before, now] = [await newCode(), await newCode()];
    expect(await raise(before)).toEqual(REFUSED);
    expect(await spending()).toMatchObject({ budgets: [{}, { limit: 20 }, {}] });
    for (let tries = 0; tries < 3; tries++) await raise(wrong(now));
    clock.pass(119_000);
    expect(await raise(now)).toEqual(DONE);
  });

  it('is nothing to a neighbour with the cookie alone, whose tries do not count, and lets no page in', async () => {
    const { svcd, session, raise, newCode } = await signedIn();
    const code = await newCode();
    for (let tries = 0; tries < 6; tries++) {
      expect(await raise(tries === 0 ? code : wrong(code), { cookie: session.cookie })).toEqual([401, 'invalid_token']);
    }
    const own = { ...session, ...OWN_PAGE, origin: svcd.url, 'x-svcd-code': code };
    const origin = await requestRaw(svcd.url, '/svcd/origins/http%3A%2F%2Flocalhost%3A3000', own, 'PUT');
    const another = await requestRaw(svcd.url, '/svcd/page-code', own, 'POST');
    expect([origin.status, another.status]).toEqual([403, 403]);
    expect(await raise(code)).toEqual(DONE);
  });
});

describe('a prefetch', () => {
  it.each([
    ['sec-purpose', 'prefetch'],
    ['sec-purpose', 'prefetch;prerender'],
    ['purpose', 'prefetch'],
    ['x-purpose', 'preview'],
    ['x-moz', 'prefetch'],
  ])('(%s: %s) gets nothing that could cost, with a cookie or with the token', async (name, value) => {
    const { svcd, remote } = await startPair();
    const session = await signIn(svcd);
    const callers = [{ ...session, ...OWN_PAGE }, { authorization: `Bearer ${svcd.token}` }, {}];
    for (const caller of callers) {
      for (const path of [stickerPath(CAKE), '/api/v1/music/list', '/svcd/files/a.png']) {
        const { status, text } = await requestRaw(svcd.url, path, { ...caller, [name]: value });
        expect([status, JSON.parse(text)], path).toMatchObject([403, { code: 'not_permitted' }]);
      }
      expect((await requestRaw(svcd.url, '/svcd/status', { ...caller, [name]: value })).status).toBe(200);
    }
    expect(remote.sandbox.charges()).toEqual([]);
  });
});
