// Joining a hub and leaving it as people do it, with homes that bought alone before and carry what they own to the hub.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Recorded, unpackHome } from '../platform/homes/unpack.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN } from '../sandbox/tiny-catalogue.js';
import { startHub, type StartedHub } from '../support/machine.js';
import { POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { Sqlite } from '../support/sqlite.js';
import { startSvcd } from '../support/start-svcd.js';
import { homeInTest } from '../support/in-test.js';

const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

async function start(home: string, flags: readonly string[] = [], env: Record<string, string> = {}) {
  const svcd = await startSvcd(['--no-background-sync', ...flags], { home, env });
  onTestFinished(() => svcd.stop());
  const get = (path: string) =>
    fetch(svcd.info.url + path, { headers: { Authorization: `Bearer ${svcd.info.token}` } });
  return { ...svcd, get };
}

async function run(home: string, ...args: string[]) {
  const { code, stdout, stderr } = await runSvcd([...args, '--json'], { home });
  if (code !== 0) throw new Error(`svcd ${args[0]} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

/** A home that bought these alone, from the service that the hub has. */
async function boughtAlone(hub: StartedHub, ...presets: string[]): Promise<string> {
  const home = homeInTest();
  const { get, stop } = await start(home, ['--remote', hub.remote.url], { SERVICE_API_KEY: hub.remote.sandbox.key });
  for (const preset of presets) expect((await get(sticker(preset))).headers.get('x-svcd-source')).toBe('remote');
  await stop();
  return home;
}

function leaveInDoubt(home: string, scope: string, preset: string): void {
  const db = new Sqlite(join(home, 'owned.db'));
  db.prepare(
    `INSERT INTO purchase (id, scope, item, kind, state, price, reason, key_id, day, created_at, sent_at)
     VALUES ((SELECT coalesce(max(id), 0) + 1 FROM purchase), ?, ?, 'sticker', 'unknown', 1, 'timeout', 'k', '2026-01-01', 1, 1)`,
  ).run(scope, `sticker:${preset}`);
  db.close();
}

const told = (answer: Response) => [answer.headers.get('x-svcd-source'), answer.headers.get('x-svcd-cost')];

/** Carries what a home owns to the hub, by a file and two commands. */
async function carry(hub: StartedHub, home: string): Promise<Record<string, unknown>> {
  const file = join(homeInTest(), 'owned.jsonl');
  expect((await runSvcd(['owned', 'export', file], { home })).code).toBe(0);
  return run(hub.home, 'owned', 'import', file, '--yes');
}

async function refusedToJoin(home: string, code: string): Promise<void> {
  const { code: exit, stderr } = await runSvcd(['join', code], { home });
  expect([exit, stderr]).toEqual([14, expect.stringContaining('svcd purchases settle') as unknown]);
  expect(stderr).toContain('--as charged');
  expect(existsSync(join(home, 'hub.json'))).toBe(false);
}

describe('three homes that bought alone', () => {
  it('share what they own by way of a hub, buy nothing that is in doubt, and go back', async () => {
    const hub = await startHub();
    const scope = hub.remote.url;
    const [ann, bob, cem] = [
      await boughtAlone(hub, CAKE, RAIN),
      await boughtAlone(hub, CAKE),
      await boughtAlone(hub, BIRTHDAY_CAKE),
    ];
    leaveInDoubt(cem, scope, SIGN);
    const paidBefore = (await balance(hub)) ?? 0;
    const { code } = await hub.invite({ uses: 3 });
    // An invite is not used up by a home that may not come in yet.
    await refusedToJoin(cem, code);
    const [doubtful] = (await run(cem, 'purchases', '--state', 'unknown'))['purchases'] as { id: number }[];
    await run(cem, 'purchases', 'settle', String(doubtful?.id), '--as', 'charged');
    expect(await carry(hub, ann)).toMatchObject({ added: 2, bad: 0 });
    expect(await carry(hub, bob)).toMatchObject({ added: 0, unchanged: 1, bad: 0 });
    expect(await carry(hub, cem)).toMatchObject({ added: 1, bad: 0 });
    for (const [home, name] of [
      [ann, 'ann'],
      [bob, 'bob'],
      [cem, 'cem'],
    ] as const) {
      expect(await run(home, 'join', code, '--name', name)).toMatchObject({ joined: true, machine: name });
      expect(statSync(join(home, 'hub.json')).mode & 0o777).toBe(0o600);
    }
    expect(told(await hub.get(sticker(CAKE)))).toEqual(['owned', '0']);
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true });

    const machine = await start(bob);
    expect(told(await machine.get(sticker(RAIN)))).toEqual(['remote', '0']);
    expect(told(await machine.get(sticker(BIRTHDAY_CAKE)))).toEqual(['remote', '0']);
    expect(await balance(hub)).toBe(paidBefore);

    const left = await run(bob, 'leave');
    expect(left).toMatchObject({ left: true, told: true, uses: scope });
    expect(existsSync(join(bob, 'hub.json'))).toBe(false);
    // Leaving started the daemon anew.
    await run(bob, 'stop');
    const alone = await start(bob, ['--offline']);
    expect(told(await alone.get(sticker(RAIN)))).toEqual(['owned', '0']);
    expect(told(await alone.get(sticker(CAKE)))).toEqual(['owned', '0']);
  });
});

describe('a home of an earlier version', () => {
  it('migrates, is not let in with purchases in doubt, carries what it bought to a hub, and takes it along when it leaves', async () => {
    const hub = await startHub();
    const { home, recorded } = oldHome(hub.remote.url);
    const { code } = await hub.invite({ uses: 1 });
    // Before anything has brought the file up to date.
    await refusedToJoin(home, code);
    const { purchases } = (await run(home, 'purchases', '--state', 'unknown')) as { purchases: { id: number }[] };
    expect(purchases.length).toBeGreaterThan(0);
    await refusedToJoin(home, code);
    for (const { id } of purchases) await run(home, 'purchases', 'settle', String(id), '--as', 'charged');
    const before = await balance(hub);
    expect(await carry(hub, home)).toMatchObject({ bad: 0 });
    expect(await run(home, 'join', code, '--name', 'old')).toMatchObject({ joined: true });
    for (const { preset, sha256 } of recorded.remote.bought) {
      const answer = await hub.get(sticker(preset));
      expect([...told(answer), digestOf(await answer.arrayBuffer())]).toEqual(['owned', '0', sha256]);
    }
    expect(await balance(hub)).toBe(before);
    expect(await run(home, 'leave')).toMatchObject({ left: true, told: true, uses: hub.remote.url });
    await runSvcd(['stop'], { home });
    const alone = await start(home, ['--offline']);
    for (const { preset, sha256 } of recorded.remote.bought) {
      const answer = await alone.get(sticker(preset));
      expect([...told(answer), digestOf(await answer.arrayBuffer())]).toEqual(['owned', '0', sha256]);
    }
  });
});

const digestOf = (bytes: ArrayBuffer) => createHash('sha256').update(Buffer.from(bytes)).digest('hex');

/** A copy of the home that an earlier version made, of whose remote the address is this one: the real one is gone. */
function oldHome(address: string): { home: string; recorded: Recorded } {
  const folder = homeInTest();
  const recorded = unpackHome('0.1.0', folder);
  const home = join(folder, 'home');
  const db = new Sqlite(join(home, 'owned.db'));
  const rows = db
    .prepare<[], { name: string }>(
      `SELECT m.name FROM sqlite_master AS m JOIN pragma_table_info(m.name) AS c ON c.name = 'scope' WHERE m.type = 'table'`,
    )
    .all();
  for (const { name } of rows) {
    db.prepare(`UPDATE ${name} SET scope = ? WHERE scope LIKE 'http://127.0.0.1:%'`).run(address);
  }
  db.close();
  for (const name of readdirSync(home).filter((one) => one.endsWith('.json'))) {
    const text = readFileSync(join(home, name), 'utf8');
    writeFileSync(join(home, name), text.replaceAll(/http:\/\/127\.0\.0\.1:47823/g, address));
  }
  return { home, recorded };
}

describeIf(POSTGRESQL, 'two homes that join a hub on PostgreSQL', () => {
  it('carry what they own there; it is served to machines with receipts of this hub, and nothing of it is bought', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const hub = await startHub({ flags: { 'hub-database': server.url } });
    const [ann, bob] = [await boughtAlone(hub, CAKE, RAIN), await boughtAlone(hub, CAKE)];
    // Of another hub, to which it belonged before.
    const foreign = `v1.7.${'A'.repeat(86)}`;
    const db = new Sqlite(join(ann, 'owned.db'));
    db.prepare(`UPDATE owned SET receipt = ? WHERE item = ?`).run(foreign, `sticker:${RAIN}`);
    db.close();
    leaveInDoubt(bob, hub.remote.url, SIGN);
    const { code } = await hub.invite();
    await refusedToJoin(bob, code);
    const before = await balance(hub);
    expect(await carry(hub, ann)).toMatchObject({ added: 2, bad: 0 });
    expect(await carry(hub, bob)).toMatchObject({ unchanged: 1, bad: 0 });
    const owned = await server.sql<{ receipt: string }>(`SELECT item, origin, receipt FROM owned ORDER BY item`);
    expect(owned).toMatchObject([
      { item: `sticker:${CAKE}`, origin: 'given', receipt: expect.stringMatching(/^v1\.0\./) as unknown },
      { item: `sticker:${RAIN}`, origin: 'given', receipt: expect.stringMatching(/^v1\.0\./) as unknown },
    ]);
    expect(told(await hub.get(sticker(RAIN)))).toEqual(['owned', '0']);
    const [doubtful] = (await run(bob, 'purchases', '--state', 'unknown'))['purchases'] as { id: number }[];
    await run(bob, 'purchases', 'settle', String(doubtful?.id), '--as', 'free');
    expect(await run(bob, 'join', code, '--name', 'bob')).toMatchObject({ joined: true });
    const machine = await start(bob);
    expect(told(await machine.get(sticker(RAIN)))).toEqual(['remote', '0']);
    expect(await balance(hub)).toBe(before);
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true });
  });
});

async function balance(hub: StartedHub): Promise<number | undefined> {
  const answer = await fetch(`${hub.remote.url}/api/v1/usage`, {
    headers: { Authorization: `Bearer ${hub.remote.sandbox.key}` },
  });
  return ((await answer.json()) as { balance: number }).balance;
}

describe('a code', () => {
  it('lets a running daemon in without a word more, and another remote is refused from then on', async () => {
    const hub = await startHub();
    const home = homeInTest();
    const daemon = await start(home, ['--sandbox']);
    const { code } = await hub.invite();
    const joined = await run(home, 'join', code);
    expect(joined).toMatchObject({ joined: true, daemon: { problem: null } });
    onTestFinished(async () => void (await runSvcd(['stop'], { home })));
    const status = await run(home, 'status');
    expect(status).toMatchObject({ hub: { project: 'promo' }, remote: { address: hub.machinesUrl } });
    for (const args of [
      ['start', '--sandbox'],
      ['start', '--remote', 'https://assets.example.com'],
      ['config', 'set', 'remote', 'https://assets.example.com'],
      ['key', 'set'],
    ]) {
      const refused = await runSvcd(args, { home, stdin: 'sk-real-0123456789-abcd' });
      expect(refused.code, args.join(' ')).not.toBe(0);
      expect(refused.stderr).toContain('svcd hub leave');
    }
    await daemon.stop();
  });

  it.each([
    ['svcdi_nonsense', 'code of an invite'],
    ['hello', 'code of an invite'],
  ])('that is none (%s) is refused in words, and nothing is written', async (code, words) => {
    const home = homeInTest();
    const { code: exit, stderr } = await runSvcd(['join', code], { home });
    expect([exit, stderr.includes(words)]).toEqual([10, true]);
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });

  it('that was used up is refused by the hub', async () => {
    const hub = await startHub();
    const { code } = await hub.invite({ uses: 1 });
    await run(homeInTest(), 'join', code);
    const { code: exit, stderr } = await runSvcd(['join', code], { home: homeInTest() });
    expect([exit, stderr]).toEqual([10, expect.stringContaining('invit') as unknown]);
  });
});

describe('a home with a broken hub.json', () => {
  it('leaves with one command', async () => {
    const home = homeInTest();
    writeFileSync(join(home, 'hub.json'), '{');
    expect(await run(home, 'leave')).toMatchObject({ left: true, hub: null });
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });
});
