// Whether somebody who is offline would notice: the first ten of svcd after a sync beside the first ten of svcd with
// all there is, and beside the sandbox's own, which finds words and nothing else.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { loadConfig } from '../../../src/config/config.js';
import { startDaemon } from '../../../src/daemon/daemon.js';
import { silentLog } from '../../../src/platform/log.js';
import type { Stage } from './stage.js';

export interface Agreement {
  readonly queries: number;
  /** Overlap of the first ten with svcd that holds everything, over queries that find something there. */
  readonly with_everything: number;
  /** The same with the sandbox's own answers. */
  readonly with_sandbox: number;
}

const FIRST = 10;

/** The queries of a folder with `queries-dev.jsonl`, or a few thousand words of the catalogue. */
export function readQueries(folder: string | undefined, { sandbox }: Stage): string[] {
  if (folder !== undefined) {
    const lines = readFileSync(join(folder, 'queries-dev.jsonl'), 'utf8').trim().split('\n');
    return [...new Set(lines.map((line) => (JSON.parse(line) as { q: string }).q))];
  }
  const stickers = [...sandbox.stickers()];
  return [...new Set(stickers.flatMap(({ title, keywords }) => [title, ...keywords]))].filter((_, i) => i % 10 === 0);
}

/** Compares; the daemon of the stage answers offline. */
export async function measureAgreement(stage: Stage, queries: readonly string[]): Promise<Agreement> {
  const { url, token } = stage.daemon.info;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
  await fetch(`${url}/svcd/offline`, { method: 'POST', headers, body: '{"offline":true}' });
  const whole = await startWhole();
  const key = { Authorization: `Bearer ${stage.sandbox.key}` };
  const sums = { everything: [] as number[], sandbox: [] as number[] };
  try {
    for (const query of queries) {
      const ours = await firstOf(url, query, {});
      sums.everything.push(...overlap(ours, await firstOf(whole.url, query, {})));
      sums.sandbox.push(...overlap(ours, await firstOf(stage.sandboxUrl, query, key)));
    }
  } finally {
    await whole.close();
  }
  return { queries: queries.length, with_everything: mean(sums.everything), with_sandbox: mean(sums.sandbox) };
}

async function startWhole() {
  const home = mkdtempSync(join(tmpdir(), 'svcd-whole-'));
  const config = await loadConfig({ home, port: 0, sandbox: true, offline: true }, {});
  const daemon = await startDaemon(config, { log: silentLog, listens: true });
  const close = async () => {
    await daemon.close();
    rmSync(home, { recursive: true, force: true });
  };
  return { url: daemon.info.url, close };
}

async function firstOf(url: string, q: string, headers: Record<string, string>): Promise<string[]> {
  const query = new URLSearchParams({ q, limit: String(FIRST) });
  const answer = await patiently(() => fetch(`${url}/api/v1/stickers/search?${query.toString()}`, { headers }));
  const { results = [] } = (await answer.json()) as { results?: { preset: string }[] };
  return results.map(({ preset }) => preset);
}

/** A connection that was kept may be closed by now. */
async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  return ask().catch(() => ask().catch(ask));
}

/** Part of theirs that is among ours; nothing where they found nothing. */
function overlap(ours: readonly string[], theirs: readonly string[]): number[] {
  if (theirs.length === 0) return [];
  return [theirs.filter((preset) => ours.includes(preset)).length / theirs.length];
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
