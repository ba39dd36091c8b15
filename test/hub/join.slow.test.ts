// Joining a hub and leaving it as people do it, with three homes that bought alone before.

import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type Recorded, unpackHome } from '../platform/homes/unpack.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN } from '../sandbox/tiny-catalogue.js';
import { startHub, type StartedHub } from '../support/machine.js';
import { POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { Sqlite } from '../support/sqlite.js';
import { startSvcd } from '../support/start-svcd.js';

const sticker = (preset: string) => `/api/v1/stickers/${encodeURIComponent(preset)}`;

function newHome(): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  return home;
}

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
  const home = newHome();
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
    const { code } = await hub.invite();
    for (const [home, name] of [
      [ann, 'ann'],
      [bob, 'bob'],
      [cem, 'cem'],
    ] as const) {
      const joined = await run(home, 'join', code, '--give', '--name', name);
      expect(joined).toMatchObject({ joined: true, machine: name, given_problem: null, given: { bad: 0 } });
      expect(statSync(join(home, 'hub.json')).mode & 0o777).toBe(0o600);
    }
    // Nothing of it is owned before somebody approves.
    expect(told(await hub.get(sticker(CAKE)))).not.toEqual(['owned', '0']);
    const given = (await (await hub.get('/svcd/hub/given')).json()) as { given: object[] };
    expect(given.given).toMatchObject([
      { name: 'ann', files: 2, paid: 2, unknown: 0 },
      { name: 'bob', files: 1, paid: 1 },
      { name: 'cem', files: 1, paid: 1, unknown: 1 },
    ]);
    const approved = await hub.post('/svcd/hub/given', { approve: true });
    expect(await approved.json()).toMatchObject({ files: 4, unknown: 1, paid: 4 });
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true });

    const machine = await start(bob);
    expect(told(await machine.get(sticker(RAIN)))).toEqual(['remote', '0']);
    expect(told(await machine.get(sticker(BIRTHDAY_CAKE)))).toEqual(['remote', '0']);
    const doubtful = await machine.get(sticker(SIGN));
    expect([told(doubtful)[0], doubtful.headers.get('x-svcd-reason')]).toEqual(['default', 'unsettled']);
    // One sticker was bought by the hub itself above; nothing else has cost anything since.
    expect(paidBefore - ((await balance(hub)) ?? 0)).toBeLessThanOrEqual(1);

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
  it('migrates, gives what it bought to a hub, buys nothing that it had in doubt, and takes it along when it leaves', async () => {
    const hub = await startHub();
    const { home, recorded } = oldHome(hub.remote.url);
    const { code } = await hub.invite();
    const joined = await run(home, 'join', code, '--give', '--name', 'old');
    expect(joined).toMatchObject({ joined: true, given_problem: null, given: { bad: 0 } });
    const files = recorded.remote.bought.length;
    const given = (await (await hub.get('/svcd/hub/given')).json()) as { given: { files: number; unknown: number }[] };
    expect(given.given).toMatchObject([{ name: 'old', state: 'waiting' }]);
    expect(given.given[0]?.files).toBeGreaterThanOrEqual(files);
    // One of those that were cut off was charged; of the other nobody knows.
    expect(given.given[0]?.unknown).toBeGreaterThan(0);
    const before = await balance(hub);
    expect((await hub.post('/svcd/hub/given', { approve: true })).status).toBe(200);
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true });
    for (const { preset, sha256 } of recorded.remote.bought) {
      const answer = await hub.get(sticker(preset));
      expect([...told(answer), digestOf(await answer.arrayBuffer())]).toEqual(['owned', '0', sha256]);
    }
    for (const preset of recorded.remote.lost) {
      expect((await hub.get(sticker(preset))).headers.get('x-svcd-reason')).toBe('unsettled');
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
  const folder = newHome();
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
  it('give what they own; it is served once approved, and nothing of it is bought', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    const hub = await startHub({ flags: { 'hub-database': server.url } });
    const [ann, bob] = [await boughtAlone(hub, CAKE, RAIN), await boughtAlone(hub, CAKE)];
    leaveInDoubt(bob, hub.remote.url, SIGN);
    const { code } = await hub.invite();
    for (const [home, name] of [
      [ann, 'ann'],
      [bob, 'bob'],
    ] as const) {
      const joined = await run(home, 'join', code, '--give', '--name', name);
      expect(joined).toMatchObject({ joined: true, given_problem: null, given: { bad: 0 } });
      onTestFinished(async () => void (await runSvcd(['stop'], { home })));
    }
    const list = async () => ((await (await hub.get('/svcd/hub/given')).json()) as { given: object[] }).given;
    expect(await list()).toMatchObject([
      { name: 'ann', state: 'waiting', files: 2, paid: 2, unknown: 0 },
      { name: 'bob', state: 'waiting', files: 1, paid: 1, unknown: 1 },
    ]);
    const before = await balance(hub);
    const approved = await hub.post('/svcd/hub/given', { approve: true });
    expect(await approved.json()).toMatchObject({ files: 3, owned_already: 1, unknown: 1, paid: 3 });
    expect(await list()).toMatchObject([{ state: 'approved' }, { state: 'approved' }]);
    const journal = await server.sql(
      `SELECT item, state, cost, payers, superseded_by IS NULL AS counts FROM purchase ORDER BY item, id`,
    );
    expect(journal).toMatchObject([
      ...[true, false].map((counts) => ({ item: `sticker:${CAKE}`, state: 'paid', cost: 1, payers: [], counts })),
      { item: `sticker:${SIGN}`, state: 'unknown', cost: null, counts: true },
      { item: `sticker:${RAIN}`, state: 'paid', cost: 1, counts: true },
    ]);
    const owned = await server.sql<{ receipt: string | null }>(`SELECT item, origin, receipt FROM owned ORDER BY item`);
    expect(owned).toMatchObject([
      { item: `sticker:${CAKE}`, origin: 'given', receipt: expect.stringMatching(/^v1\.\d+\./) as unknown },
      { item: `sticker:${RAIN}`, origin: 'given', receipt: expect.stringMatching(/^v1\.\d+\./) as unknown },
    ]);
    expect(told(await hub.get(sticker(RAIN)))).toEqual(['owned', '0']);
    const machine = await start(bob);
    expect(told(await machine.get(sticker(RAIN)))).toEqual(['remote', '0']);
    const doubtful = await machine.get(sticker(SIGN));
    expect([told(doubtful)[0], doubtful.headers.get('x-svcd-reason')]).toEqual(['default', 'unsettled']);
    expect(await balance(hub)).toBe(before);
    expect(await (await hub.get('/svcd/hub/audit')).json()).toMatchObject({ right: true });
    // Decided is decided.
    expect(await (await hub.post('/svcd/hub/given', { approve: true })).json()).toMatchObject({ files: 0, paid: 0 });
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
    const home = newHome();
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
      expect(refused.stderr).toContain('svcd leave');
    }
    await daemon.stop();
  });

  it.each([
    ['svcdi_nonsense', 'code of an invite'],
    ['hello', 'code of an invite'],
  ])('that is none (%s) is refused in words, and nothing is written', async (code, words) => {
    const home = newHome();
    const { code: exit, stderr } = await runSvcd(['join', code], { home });
    expect([exit, stderr.includes(words)]).toEqual([10, true]);
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });

  it('that was used up is refused by the hub', async () => {
    const hub = await startHub();
    const { code } = await hub.invite({ uses: 1 });
    await run(newHome(), 'join', code);
    const { code: exit, stderr } = await runSvcd(['join', code], { home: newHome() });
    expect([exit, stderr]).toEqual([10, expect.stringContaining('invit') as unknown]);
  });
});

describe('a home with a broken hub.json', () => {
  it('leaves with one command', async () => {
    const home = newHome();
    writeFileSync(join(home, 'hub.json'), '{');
    expect(await run(home, 'leave')).toMatchObject({ left: true, hub: null });
    expect(existsSync(join(home, 'hub.json'))).toBe(false);
  });
});
