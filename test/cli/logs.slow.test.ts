// svcd logs, with real daemons in the background and in the foreground, that stop, crash and are killed.

import { once } from 'node:events';
import { existsSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { eachHome, startInTest } from '../support/in-test.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

let home: string;
eachHome(
  (fresh) => (home = fresh),
  () => svcd(['stop']),
);

const svcd = (args: readonly string[], env: Record<string, string> = {}) => runSvcd(args, { home, env });

interface Line {
  readonly at: string;
  readonly level: string;
  readonly event: string;
  readonly [field: string]: unknown;
}

async function linesOf(...args: string[]): Promise<Line[]> {
  const { code, stdout } = await svcd(['logs', '--json', ...args]);
  expect(code).toBe(0);
  return stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as Line);
}

const eventsOf = (lines: readonly Line[]) => lines.map(({ event }) => event);

const detached = (flags: readonly string[] = ['--sandbox'], env: Record<string, string> = {}) =>
  svcd(['start', '--detach', '--json', '--port', '0', ...flags], env);

/** Code that makes a daemon throw at SIGUSR2 where nobody catches it. */
function crashingAt(text: string): Record<string, string> {
  const file = join(home, '..', `svcd-crash-${process.pid}.mjs`);
  writeFileSync(file, `process.on('SIGUSR2', () => { throw new TypeError(${JSON.stringify(text)}); });`);
  return { NODE_OPTIONS: `--import=${file}` };
}

describe('svcd logs', () => {
  it('shows what a daemon did, in the background and in the foreground, while it runs and after', async () => {
    await detached();
    const search = await svcd(['search', '生日', '--limit', '2', '--json']);
    const { results } = JSON.parse(search.stdout) as { results: { preset: string }[] };
    const [preset = '', other = ''] = results.map((one) => one.preset);
    for (let i = 0; i < 2; i++) await svcd(['get', preset, '-o', join(home, `${i}.json`)]);
    await svcd(['budget', 'set', '--day', '7']);
    await svcd(['offline']);
    await svcd(['get', other, '-o', join(home, 'default.json')]);
    const whileRunning = eventsOf(await linesOf());
    await svcd(['stop']);
    const { end } = await startSvcd(['--sandbox'], { home });
    await end();
    const lines = await linesOf();
    const events = eventsOf(lines);
    expect(events.slice(0, whileRunning.length)).toEqual(whileRunning);
    for (const event of ['svcd started', 'stopping', 'svcd stopped']) {
      expect(
        events.filter((one) => one === event),
        event,
      ).toHaveLength(2);
    }
    expect(lines.filter(({ event }) => event === 'bought')).toMatchObject([{ purchase: 1, item: `sticker:${preset}` }]);
    expect(events).toEqual(expect.arrayContaining(['a budget was changed', 'svcd is offline now', 'served a default']));
    // Nothing for searches and for what is owned.
    expect(JSON.stringify(lines)).not.toContain('生日');
    expect(lines.filter((line) => JSON.stringify(line).includes(preset))).toHaveLength(1);
  });

  it('shows what a command bought that found no daemon', async () => {
    await svcd(['get', 'fluent-emoji-flat/birthday-cake', '-o', join(home, 'a.json')], { SVCD_SANDBOX: 'true' });
    expect(await linesOf()).toMatchObject([{ event: 'bought', purchase: 1, credits: 1 }]);
  });

  it('finds the log of a foreground daemon that also speaks on stderr', async () => {
    const { stderr, end } = await startSvcd(['--sandbox'], { home });
    await vi.waitFor(() => expect(stderr()).toContain('svcd started'), { timeout: 60_000 });
    expect(eventsOf(await linesOf('-n', '1'))).toEqual(['svcd started']);
    await end();
    expect(stderr()).toContain('svcd stopped');
  });

  it('prints the address first where a person starts it', async () => {
    const child = spawnSvcd(['start', '--sandbox', '--port', '0'], { home }, ['ignore', 'pipe', 'pipe']);
    const said: string[] = [];
    const hear = (part: Buffer) => void said.push(part.toString());
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    await vi.waitFor(() => expect(said.join('')).toContain('svcd started'), { timeout: 60_000 });
    child.kill();
    await once(child, 'close');
    expect(said.join('')).toMatch(/^svcd runs at http:/);
  });

  it('tells that nothing is there yet, and refuses what it cannot read', async () => {
    const none = await svcd(['logs']);
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringContaining('no log') });
    for (const [args, named] of [
      [['--since', 'yesterday'], '"yesterday"'],
      [['--since', '10x'], '"10x"'],
      [['--since', '2026-99-99'], '"2026-99-99"'],
      [['--level', 'loud'], '"loud"'],
      [['--lines', '-3'], '-3'],
      [['--lines', 'many'], 'many'],
    ] as const) {
      const refused = await svcd(['logs', ...args]);
      expect(refused, args.join(' ')).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining(named) });
    }
  });

  it('follows over a restart, until Ctrl+C', async () => {
    await detached();
    const child = spawnSvcd(['logs', '-f', '--json', '-n', '1'], { home }, ['ignore', 'pipe', 'pipe']);
    const said = collect(child.stdout);
    await vi.waitFor(() => expect(said()).toContain('svcd started'), { timeout: 60_000 });
    await svcd(['restart']);
    await vi.waitFor(() => expect(said().match(/svcd started/g)).toHaveLength(2), { timeout: 60_000 });
    expect(said()).toContain('svcd stopped');
    child.kill('SIGINT');
    const [code] = (await once(child, 'close')) as [number];
    expect(code).toBe(130);
  });

  it('ends when the reader of its pipe has enough', async () => {
    await detached();
    const log = join(home, 'svcd.log');
    const line = `${JSON.stringify({ at: new Date().toISOString(), level: 'info', event: 'x'.repeat(200) })}\n`;
    writeFileSync(log, readFileSync(log, 'utf8') + line.repeat(10_000));
    const { code, stdout } = await runSvcd(['logs', '-n', '9999', '--json'], {
      home,
      through: ['bash', '-c', 'set -o pipefail; "$@" | head -2', 'bash'],
    });
    expect(stdout.trimEnd().split('\n')).toHaveLength(2);
    expect(code).toBe(0);
  });
});

describe('what a crash leaves', () => {
  it('is found in the log and in svcd.err after the next start, without what a request held', async () => {
    const { stdout } = await detached(['--sandbox'], crashingAt('canaryprompt 金丝雀'));
    const { pid } = JSON.parse(stdout) as { pid: number };
    process.kill(pid, 'SIGUSR2');
    await vi.waitFor(async () => expect(eventsOf(await linesOf())).toContain('svcd crashed'), { timeout: 60_000 });
    expect(readFileSync(join(home, 'svcd.err'), 'utf8')).toContain('svcd crashed: TypeError');
    await detached();
    expect(readFileSync(join(home, 'svcd.err.1'), 'utf8')).toContain('svcd crashed: TypeError');
    expect(statSync(join(home, 'svcd.err')).size).toBe(0);
    expect(statSync(join(home, 'svcd.err')).mode & 0o777).toBe(0o600);
    const lines = await linesOf('--level', 'warn');
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'svcd crashed', level: 'error', why: 'TypeError' }),
        expect.objectContaining({ event: 'the svcd before this one ended without a stop', output: 'svcd.err.1' }),
        expect.objectContaining({ from: 'svcd.err', event: expect.stringContaining('at ') as string }),
      ]),
    );
    const { stdout: words } = await svcd(['logs']);
    for (const name of readdirSync(home).filter((one) => one.startsWith('svcd.'))) {
      expect(readFileSync(join(home, name), 'utf8'), name).not.toContain('canary');
    }
    expect(words).not.toContain('canary');
  });

  it('of a kill is told at the next start; the half-written line harms no other', async () => {
    const first = await startSvcd(['--sandbox'], { home });
    await first.end('SIGKILL');
    const log = join(home, 'svcd.log');
    writeFileSync(log, `${readFileSync(log, 'utf8')}{"at":"2026-`);
    await startInTest(['--sandbox'], { home });
    const lines = await linesOf();
    expect(lines).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ event: 'the svcd before this one ended without a stop', pid: first.info.pid }),
      ]),
    );
    expect(eventsOf(lines).filter((event) => event === 'svcd started')).toHaveLength(2);
  });

  it('of a start that fails is told, kept, and does not disturb a daemon that runs', async () => {
    const failed = await detached(['--with', 'nonsense', '--sandbox']);
    expect(failed.code).not.toBe(0);
    expect(readFileSync(join(home, 'svcd.err'), 'utf8')).toContain('nonsense');
    expect(eventsOf(await linesOf()).join('\n')).toContain('nonsense');
    await detached();
    const before = readFileSync(join(home, 'svcd.log'), 'utf8');
    expect((await detached()).code).toBe(5);
    expect((await svcd(['start', '--json'])).code).toBe(5);
    expect(readFileSync(join(home, 'svcd.log'), 'utf8')).toBe(before);
    expect(readdirSync(home).filter((name) => name.startsWith('svcd.err.new'))).toEqual([]);
    expect(existsSync(join(home, 'svcd.err'))).toBe(true);
  });
});
