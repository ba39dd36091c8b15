// A daemon that is killed without warning while it fills its library, again and again, on one home before one remote.
// SVCD_FAULT_ROUNDS says how often (npm run test:long).

import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { startSandbox } from '../sandbox/start-sandbox.js';
import { writePartCatalogue } from '../support/part-catalogue.js';
import { temporaryHome } from '../support/start-daemon.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { createRandom } from './random.js';
import { Sqlite } from '../support/sqlite.js';

// A hundred are as many as a patient person waits for.
const ROUNDS = Math.min(100, Number(process.env['SVCD_FAULT_ROUNDS'] ?? 4));
const SEED = Number(process.env['SVCD_FAULT_SEED'] ?? Math.floor(Math.random() * 1e9));
const LATEST_KILL_MS = 1200;
const PATIENCE_MS = 20_000;
/** More than a hundred rounds can ask for: a library that is full asks nothing. */
const STICKERS = 6000;

interface Told {
  readonly event: string;
  readonly words: string[];
  readonly known: number;
  readonly requests: { readonly answered: number };
}

interface Row {
  readonly answered_at: number | null;
  readonly fresh: number | null;
  readonly words: string | null;
}

it(
  'loses nothing it told of, keeps nothing half, and knows how often it asked, whenever it is killed',
  { timeout: 120_000 + ROUNDS * 8000 },
  async () => {
    const random = createRandom(SEED);
    const home = temporaryHome();
    let arrived = 0;
    const remote = await startSandbox({
      catalogueFolder: writePartCatalogue(home, STICKERS),
      faults: ({ path }) => {
        if (!path.startsWith('/api/v1/stickers/')) return undefined;
        arrived += 1;
        return { latencyMs: random.whole(0, 60) };
      },
    });
    const told: Told[] = [];
    for (let round = 1; round <= ROUNDS; round++) {
      const svcd = await start(home, remote);
      const following = follow(svcd, told);
      // Most kills fall while something is asked or learned, however slow this machine is.
      if (round % 4 > 0) await anotherThan(arrived, () => arrived);
      // Once an answer has been told of, so that there is something to lose.
      if (round === 2) await anotherThan(0, () => told.filter(({ event }) => event === 'asked').length);
      await sleep(random.whole(0, LATEST_KILL_MS));
      await svcd.end('SIGKILL');
      await following;
    }
    const { rows, seen, integrity } = readLibrary(home);
    const answered = rows.filter(({ answered_at: at }) => at !== null);
    report({ seed: SEED, rounds: ROUNDS, arrived, sent: rows.length, answered: answered.length, seen });
    expect(integrity).toBe('ok');
    // What left stands in the file before it leaves; what has no answer is what a kill cut off.
    expect(arrived).toBeLessThanOrEqual(rows.length);
    expect(arrived).toBeGreaterThanOrEqual(answered.length);
    expect(rows.length - answered.length).toBeLessThanOrEqual(ROUNDS);
    // An answer and its stickers are there together or not at all.
    expect(answered.reduce((sum, { fresh }) => sum + (fresh ?? 0), 0)).toBe(seen);
    const last = told.findLast(({ event }) => event === 'asked');
    expect(answered.length).toBeGreaterThanOrEqual(last?.requests.answered ?? 1);
    expect(seen).toBeGreaterThanOrEqual(Math.max(1, last?.known ?? 1));
    const kept = new Set(answered.map(({ words }) => wordsIn(words)));
    for (const { event, words } of told) if (event === 'asked') expect(kept).toContain(words.join(' '));
    // What was answered is not asked again.
    expect(kept.size).toBe(answered.length);
  },
);

function start(home: string, remote: { url: string; sandbox: { key: string } }): Promise<StartedSvcd> {
  const env = { SERVICE_API_KEY: remote.sandbox.key, SVCD_SYNC_SHARE: '100' };
  return startSvcd(['--remote', remote.url], { home, env });
}

/** Syncs and notes what is told until the line breaks. */
async function follow({ info }: StartedSvcd, told: Told[]): Promise<void> {
  const headers = { Authorization: `Bearer ${info.token}` };
  try {
    const answer = await fetch(`${info.url}/svcd/library/sync`, { method: 'POST', headers });
    let rest = '';
    for await (const text of answer.body!.pipeThrough(new TextDecoderStream())) {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) told.push(JSON.parse(line) as Told);
    }
  } catch (error) {
    // The kill.
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Read straight from the file, past all of svcd's own reading. */
function readLibrary(home: string): { rows: Row[]; seen: number; integrity: unknown } {
  const db = new Sqlite(join(home, 'library.db'), { readonly: true });
  try {
    const rows = db.prepare<[], Row>('SELECT answered_at, fresh, words FROM harvest_request ORDER BY id').all();
    const counted = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM sticker WHERE seen_at > 0').get();
    return { rows, seen: counted?.n ?? 0, integrity: db.pragma('integrity_check', { simple: true }) };
  } finally {
    db.close();
  }
}

function wordsIn(words: string | null): string {
  return (JSON.parse(words ?? '[]') as { word: string }[]).map(({ word }) => word).join(' ');
}

/** Resolves when a count has moved on, or after long. */
async function anotherThan(before: number, count: () => number): Promise<void> {
  for (let waitedMs = 0; count() === before && waitedMs < PATIENCE_MS; waitedMs += 5) await sleep(5);
}

function report(figures: object): void {
  process.stdout.write(`sync-kill: ${JSON.stringify(figures)}\n`);
}
