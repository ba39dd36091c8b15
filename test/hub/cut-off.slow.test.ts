// Machines whose hub is killed, stands still, or comes back as another one: what is owned is served, nothing is bought twice, and
// nobody waits longer than for a default.

import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { collect, makeHome, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

const DEADLINE_MS = 4000;

interface HubProcess {
  readonly url: string;
  readonly pid: number;
  readonly home: string;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

function newHome(): string {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  return home;
}

/** A hub with a sandbox, as a process of its own. */
async function startHubProcess(home = newHome(), listen = '127.0.0.1:0'): Promise<HubProcess> {
  const args = ['hub', 'start', '--sandbox', '--listen', listen, '--port', '0', '--json'];
  const child = spawnSvcd(args, { home }, ['ignore', 'pipe', 'pipe']);
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  const kill = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill(signal);
    if (signal !== 'SIGSTOP' && signal !== 'SIGCONT') await once(child, 'close');
  };
  onTestFinished(() => kill('SIGKILL'));
  await expect.poll(stdout, { timeout: 60_000 }).toContain('\n');
  if (!stdout().startsWith('{')) throw new Error(stderr());
  const { url } = JSON.parse(stdout().split('\n', 1)[0] ?? '') as { url: string };
  return { url, pid: child.pid ?? 0, home, kill };
}

async function run(home: string, ...args: string[]) {
  const { code, stdout, stderr } = await runSvcd([...args, '--json'], { home });
  if (code !== 0) throw new Error(`svcd ${args.join(' ')} ended with ${code}: ${stderr}`);
  return JSON.parse(stdout) as Record<string, unknown>;
}

async function startMachine(hub: HubProcess, home = newHome()) {
  const { code } = await run(hub.home, 'hub', 'invite', '--project', 'promo');
  await run(home, 'join', String(code));
  const svcd = await startSvcd(['--no-background-sync', '--deadline-ms', String(DEADLINE_MS)], { home });
  onTestFinished(() => svcd.stop());
  const { url, token } = svcd.info;
  const get = async (path: string) => {
    const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${token}` } });
    await answer.clone().arrayBuffer();
    return answer;
  };
  return { ...svcd, get };
}

const sticker = (preset: string) => `/api/v1/stickers/${preset}`;
const told = ({ headers }: Response) => [headers.get('x-svcd-source'), headers.get('x-svcd-reason')];
const PRESETS = ['red-heart', 'heart-hands', 'brown-heart', 'birthday-cake', 'star', 'sun', 'rocket', 'dog-face'].map(
  (name) => `fluent-emoji-flat/${name}`,
);
const [FIRST = '', SECOND = '', THIRD = '', ...MORE] = PRESETS;

/** What the hub paid for each item. */
async function paidFor(hub: HubProcess): Promise<Map<string, number>> {
  const { purchases } = (await run(hub.home, 'hub', 'purchases')) as { purchases: { item: string; state: string }[] };
  const paid = new Map<string, number>();
  for (const { item, state } of purchases) if (state === 'paid') paid.set(item, (paid.get(item) ?? 0) + 1);
  return paid;
}

describe('a hub that is killed', () => {
  it('in the middle of purchases costs nobody a second credit, and is used again when it is back', async () => {
    const hub = await startHubProcess();
    const machines = [await startMachine(hub), await startMachine(hub)];
    expect(told((await machines[0]?.get(sticker(FIRST))) as Response)).toEqual(['remote', null]);
    const asked = machines.flatMap(({ get }) => MORE.map((preset) => get(sticker(preset))));
    await hub.kill('SIGKILL');
    for (const answer of await Promise.all(asked)) {
      expect(answer.status).toBe(200);
      expect(['remote', 'default', 'library']).toContain(told(answer)[0]);
    }
    const [one] = machines;
    if (one === undefined) throw new Error('no machine');
    expect(told(await one.get(sticker(FIRST)))).toEqual(['owned', null]);
    expect(told(await one.get(sticker(SECOND)))).toEqual(['default', 'offline']);

    const again = await startHubProcess(hub.home, new URL(hub.url).host);
    await expect.poll(async () => told(await one.get(sticker(SECOND)))[0]).toBe('remote');
    for (const { get } of machines) {
      for (const preset of MORE) {
        const settled = async () => {
          const [source, reason] = told(await get(sticker(preset)));
          // What the kill left in doubt at the hub waits for its balance, or for a person.
          return source === 'owned' || source === 'remote' || reason === 'unsettled';
        };
        await expect.poll(settled).toBe(true);
      }
    }
    expect([...(await paidFor(again)).values()].every((times) => times === 1)).toBe(true);
    expect(await run(again.home, 'hub', 'audit')).toMatchObject({ right: true });
  });
});

describe('a hub that stands still', () => {
  it('is away for the machine; nobody is kept waiting, and it goes on', async () => {
    const hub = await startHubProcess();
    const { get } = await startMachine(hub);
    await get(sticker(FIRST));
    await hub.kill('SIGSTOP');
    expect(told(await get(sticker(SECOND)))).toEqual(['default', 'offline']);
    // From now on it is known.
    expect(told(await get(sticker(THIRD)))).toEqual(['default', 'offline']);
    expect(told(await get(sticker(FIRST)))).toEqual(['owned', null]);
    await hub.kill('SIGCONT');
    await expect.poll(async () => told(await get(sticker(THIRD)))[0]).toBe('remote');
    await expect.poll(async () => told(await get(sticker(SECOND)))[0]).not.toBe('default');
    expect([...(await paidFor(hub)).values()].every((times) => times === 1)).toBe(true);
  });
});

describe('another hub at the address', () => {
  it('is told nothing, and the machine says why', async () => {
    const hub = await startHubProcess();
    const { get, home } = await startMachine(hub);
    await get(sticker(FIRST));
    await hub.kill('SIGTERM');
    rmSync(join(hub.home, 'hub'), { recursive: true });
    await startHubProcess(hub.home, new URL(hub.url).host);
    await expect
      .poll(async () => ((await run(home, 'status')) as { remote: { why: string | null } }).remote.why ?? '', {
        timeout: 20_000,
      })
      .toMatch(/another certificate/);
    expect(told(await get(sticker(SECOND)))).toEqual(['default', 'offline']);
    expect(told(await get(sticker(FIRST)))).toEqual(['owned', null]);
    const { stdout } = await runSvcd(['doctor'], { home });
    expect(stdout).toContain('svcd hub join');
  });
});
