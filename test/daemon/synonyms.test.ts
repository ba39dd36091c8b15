// The user's own synonyms in a running daemon: read at the start, followed while it runs, never in its way.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { silentLog, type LogFields } from '../../src/platform/log.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';

async function titlesOf({ call }: StartedDaemon, query: string): Promise<string[]> {
  const answer = await call(`/api/v1/stickers/search?q=${encodeURIComponent(query)}&limit=12`);
  const { results } = (await answer.json()) as { results: { title: string }[] };
  return results.map(({ title }) => title);
}

function homeWith(table: string): string {
  const home = mkdtempSync(join(tmpdir(), 'svcd-home-'));
  onTestFinished(() => rmSync(home, { recursive: true, force: true }));
  writeFileSync(join(home, 'synonyms.txt'), table);
  return home;
}

it('finds by the synonyms in the home, and by those written there later', async () => {
  const home = homeWith('库洛米大人 > 生日蛋糕\n');
  const svcd = await startTestDaemon({ home, flags: { sandbox: true } });
  expect(await titlesOf(svcd, '库洛米大人')).toContain('生日蛋糕');
  writeFileSync(join(home, 'synonyms.txt'), '库洛米大人 > 火箭 # no cake any more\n库洛米大人 丷\n');
  await vi.waitFor(async () => expect(await titlesOf(svcd, '库洛米大人')).toContain('火箭'), 60_000);
  expect(await titlesOf(svcd, '库洛米大人')).not.toContain('生日蛋糕');
  rmSync(join(home, 'synonyms.txt'));
  await vi.waitFor(async () => expect(await titlesOf(svcd, '库洛米大人')).not.toContain('火箭'), 60_000);
});

it('passes over a bad line, says which, and reads the rest', async () => {
  const warnings: LogFields[] = [];
  const log = { ...silentLog, warn: (_event: string, fields: LogFields = {}) => void warnings.push(fields) };
  const home = homeWith('独行\n库洛米大人 > 生日蛋糕\na > b > c\n');
  const svcd = await startTestDaemon({ home, flags: { sandbox: true }, log });
  expect(await titlesOf(svcd, '库洛米大人')).toContain('生日蛋糕');
  expect(warnings.map(({ line }) => line)).toEqual([1, 3]);
});
