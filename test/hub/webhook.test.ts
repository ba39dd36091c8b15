// What the operator's own program is told without asking, and how it knows who tells it.

import { createHmac } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { sendAlerts } from '../../src/daemon/send-alerts.js';
import { SvcdError } from '../../src/model/errors.js';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';
import { runHere } from '../support/run-here.js';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';
import { portOf } from '../support/in-test.js';

const QUICK = { everyMs: 20, pauseMs: 1 };
const PATH = '/svcd?key=hush';

/** The operator's program, which does not take the first so many messages. */
async function startReceiver(refused = 0) {
  const got: { readonly headers: IncomingHttpHeaders; readonly body: string; readonly path: string }[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      got.push({ headers: request.headers, body, path: request.url ?? '' });
      return response.writeHead(got.length > refused ? 204 : 500).end();
    });
  });
  const types = () =>
    got.slice(refused).map(({ body }) => {
      const { type, data } = JSON.parse(body) as { type: string; data: Record<string, unknown> };
      return [type, data['payer'], data['percent'] ?? data['code'] ?? data['purchases'] ?? data['full']];
    });
  return { got, types, url: `http://127.0.0.1:${await portOf(server)}${PATH}` };
}

it('tells once of a budget at 80 and 100 %, what is unknown and a Key that is refused, signed, until it is taken', async () => {
  const home = temporaryHome();
  const { got, types, url } = await startReceiver(2);
  const logged: string[] = [];
  const warn = (event: string, fields?: object) => void logged.push(event + JSON.stringify(fields));
  const log = { ...silentLog, warn, error: warn, info: warn };
  let isRefused = false;
  const faults = () => (isRefused ? { refuse: new SvcdError('key_disabled', 'disabled') } : undefined);
  const hub = await startHub({ home, log, remote: { faults }, flags: { webhook: url }, alertPace: QUICK });
  await hub.send('PUT', '/svcd/hub/budgets', { payer: 'project:promo', period: 'total', credits: 2 });
  await hub.send('PUT', '/svcd/hub/budgets', { payer: 'project:promo', period: 'day', credits: 1 });
  const machine = await hub.machine();
  await machine.get(CAKE);
  await expect.poll(types).toEqual([['svcd.budget', 'project:promo', 100]]);
  await hub.send('PUT', '/svcd/hub/budgets', { payer: 'project:promo', period: 'day', credits: null });
  isRefused = true;
  await machine.get(RAIN);
  await expect.poll(types).toContainEqual(['svcd.key', undefined, 'key_disabled']);

  const secret = Buffer.from(readFileSync(join(home, 'webhook-secret'), 'utf8').trim().replace('whsec_', ''), 'base64');
  expect(statSync(join(home, 'webhook-secret')).mode & 0o777).toBe(0o600);
  for (const { headers, body, path } of got) {
    const { 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': signature } = headers;
    const digest = createHmac('sha256', secret)
      .update(`${String(id)}.${String(at)}.${body}`)
      .digest('base64');
    expect([path, signature]).toEqual([PATH, `v1,${digest}`]);
  }
  expect(new Set(got.map(({ headers }) => headers['webhook-id'])).size).toBe(got.length - 2);
  expect(logged.join('\n')).toContain('the webhook did not take a message');
  expect(logged.join('\n')).not.toMatch(/hush|whsec_/);
});

it('is of a single svcd too, and tells of a disk without room', async () => {
  const { types, url } = await startReceiver();
  const home = temporaryHome();
  const readOnly = { home, by: 'disk_full', why: 'no room' } as const;
  await startTestDaemon({ home, readOnly, flags: { webhook: url }, alertPace: QUICK });
  await expect.poll(types).toEqual([['svcd.disk', undefined, true]]);
});

it('keeps the last hundred messages for a program that is away, and tells a rise again', async () => {
  let [release, credits] = [() => undefined as void, 10];
  const away = new Promise<void>((resolve) => (release = resolve));
  const sent: (number | undefined)[] = [];
  const exchange = async ({ body }: { body?: Uint8Array | undefined }) => {
    await away;
    const { data } = JSON.parse(Buffer.from(body!).toString()) as { data: { percent?: number; purchases?: number } };
    sent.push(data.percent ?? data.purchases);
    return { kind: 'answer', status: 200, headers: {}, bytes: Buffer.alloc(0) } as const;
  };
  const showBudgets = async () =>
    Array.from({ length: 150 }, (_, at) => ({ payer: `machine:${at}`, period: 'day', credits, spent: 8, reserved: 0 }));
  const none = () => undefined;
  const rooms = {
    clock: systemClock,
    journal: { sums: async () => [{ state: 'unknown', purchases: 3, credits: 12 }] },
    keys: { current: none },
    keyTrouble: { find: none },
    guard: { findStop: none },
  };
  const stores = { get: () => ({ books: { showBudgets } }) };
  const lost: string[] = [];
  const log = { ...silentLog, error: (event: string) => void lost.push(event) };
  const given = [{ ...rooms, log }, stores] as never as [never, never];
  const end = sendAlerts('http://127.0.0.1/', temporaryHome(), exchange, ...given, { everyMs: 5, pauseMs: 1 });
  onTestFinished(end);
  await expect.poll(() => lost.length).toBe(51);
  release();
  await expect.poll(() => sent).toEqual([...Array<number>(99).fill(80), 3]);
  credits = 8;
  // Of these as many.
  await expect.poll(() => sent.slice(100)).toEqual(Array<number>(100).fill(100));
});

it.each(['alerts.example.com', 'http://alerts.example.com/hush', 'https://user:hush@alerts.example.com/'])(
  'refuses the address %s at the start in a sentence that repeats nothing of it',
  async (webhook) => {
    const { code, stderr } = await runHere(['hub', 'start', '--webhook', webhook], { home: temporaryHome() });
    expect([code, stderr]).toEqual([2, expect.stringContaining('--webhook must be an https address')]);
    expect(stderr).not.toContain('hush');
  },
);

it('refuses a secret that is none, and shows neither it nor the path', async () => {
  const home = temporaryHome();
  writeFileSync(join(home, 'webhook-secret'), 'hush');
  const webhook = 'https://alerts.example.com/hush';
  const starting = startTestDaemon({ home, flags: { webhook } });
  await expect(starting).rejects.toMatchObject({
    code: 'invalid_config',
    message: expect.not.stringContaining('hush') as string,
  });
  const shown = await runHere(['config', '--json'], { home, env: { SVCD_WEBHOOK: webhook } });
  expect(JSON.parse(shown.stdout)).toMatchObject({ webhook: { value: 'https://alerts.example.com/…' } });
});
