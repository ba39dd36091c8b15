// Clients that others made, before a daemon with a sandbox: the Inspector (`--cli --strict`), and the protocol's conformance suite
// of both revisions. They want Node.js 22.19: of `SVCD_TEST_NODE`, else this one.

import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { ROOT } from '../../support/doc-table.js';
import { describeIf, type Need } from '../../support/requires.js';
import { collect, environmentOf, runSvcd } from '../../support/run-svcd.js';
import { startPair } from '../../support/start-pair.js';
import { startSvcd, type StartedSvcd } from '../../support/start-svcd.js';

const BIN = join(import.meta.dirname, 'node_modules', '.bin');
const NODE = process.env['SVCD_TEST_NODE'] ?? process.execPath;
const CLIENTS: Need = {
  isMet: () => existsSync(BIN) && isNewEnough(),
  advice:
    '"npm install --ignore-scripts --no-package-lock" in test/mcp/clients; Node.js 22.19, or SVCD_TEST_NODE naming one',
  instead: "the SDK's own client, in both eras",
};

function isNewEnough(): boolean {
  const [major = 0, minor = 0] = spawnSync(NODE, ['-p', 'process.versions.node'])
    .stdout.toString()
    .split('.')
    .map(Number);
  return major > 22 || (major === 22 && minor >= 19);
}

const ERAS = ['legacy', 'modern'] as const;

/** What svcd itself is asked for, which needs no tool, prompt or resource of the suite's own. */
const SCENARIOS = {
  '2025-11-25': [
    'server-initialize',
    'ping',
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
  ],
  '2026-07-28': [
    'tools-list',
    'resources-list',
    'prompts-list',
    'dns-rebinding-protection',
    'caching',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'http-header-validation',
  ],
};
const REVISIONS = Object.keys(SCENARIOS);

describeIf(CLIENTS, 'clients of others', () => {
  let svcd: StartedSvcd;
  let out: string;
  beforeAll(async () => {
    out = mkdtempSync(join(tmpdir(), 'svcd-clients-'));
    svcd = await startSvcd(['--sandbox']);
  });
  afterAll(async () => {
    await runSvcd(['stop'], { home: svcd.home });
    await svcd.stop();
    rmSync(out, { recursive: true, force: true });
  });

  /** One of them, in a home of its own: the Inspector keeps what it was told. */
  async function run(program: string, args: readonly string[]) {
    const env = { ...environmentOf(svcd.home), HOME: out };
    const child = spawn(NODE, [join(BIN, program), ...args], { env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    await expect.poll(() => child.exitCode, { timeout: 120_000 }).not.toBeNull();
    return { code: child.exitCode, stdout: stdout(), said: stdout() + stderr() };
  }

  const ways = ERAS.flatMap((era) => (['stdio', 'http'] as const).map((way) => [way, era] as const));
  it.each(ways)('the Inspector takes every schema, and calls each free tool (%s, %s)', async (way, era) => {
    const server =
      way === 'http'
        ? [`${svcd.info.url}/mcp`]
        : ['-e', `SVCD_HOME=${svcd.home}`, '--', process.execPath, join(ROOT, 'bin', 'svcd.js'), 'mcp'];
    const inspect = (...args: string[]) =>
      run('mcp-inspector', ['--cli', '--format', 'json', '--protocol-era', era, ...args, ...server]);
    const listed = await inspect('--method', 'tools/list', '--strict');
    expect(listed, listed.said).toMatchObject({ code: 0, stdout: expect.stringContaining('search_stickers') });
    const calls = {
      search_stickers: { q: '生日', limit: 2 },
      match_stickers: { text: '小明生日快乐', limit: 2 },
      look_at_stickers: { presets: ['twemoji/balloon'] },
      plan_stickers: { slots: [{ id: 'a', text: '小明生日快乐' }] },
    };
    for (const [tool, given] of Object.entries(calls)) {
      const about = ['--method', 'tools/call', '--tool-name', tool, '--tool-args-json', JSON.stringify(given)];
      const called = await inspect(...about);
      expect(called, called.said).toMatchObject({ code: 0, stdout: expect.stringContaining('foreign') });
    }
  });

  const scenarios = Object.entries(SCENARIOS).flatMap(([revision, names]) =>
    names.map((name) => [name, revision] as const),
  );
  it.each(scenarios)('svcd conforms: %s of %s', async (name, revision) => {
    const about = ['--scenario', name, '--spec-version', revision, '--force'];
    const { code, said } = await run('conformance', ['server', '--url', `${svcd.info.url}/mcp`, ...about]);
    expect(said).toContain('SUCCESS');
    expect(code, said).toBe(0);
  });

  it.each(REVISIONS)("all that %s requires holds of the suite's own tools behind our gate", async (revision) => {
    // In place of svcd's, with all that is before it.
    const suite = async () => ({ serveMcp: (await import('./suite-server.js')).serveSuite });
    vi.doMock('../../../src/mcp/serve-http.js', suite);
    onTestFinished(() => {
      vi.doUnmock('../../../src/mcp/serve-http.js');
    });
    const { svcd: gated } = await startPair();
    const about = [
      '--requirements',
      revision,
      '--expected-failures',
      join(import.meta.dirname, 'expected-failures.yml'),
    ];
    const { code, said } = await run('conformance', ['server', '--url', `${gated.url}/mcp`, ...about]);
    expect(said).toMatch(/✓ tools-call-image/);
    expect(said).toMatch(/✓ dns-rebinding-protection/);
    expect(code, said).toBe(0);
  });
});
