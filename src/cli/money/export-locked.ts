// What `svcd owned export --lock` writes: of what is owned only the files that a lock names. A default, or a safe form, is
// nobody's purchase: it comes from beside the lock, under a name of its own, so that it can be had by its digest elsewhere.

import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { LockedAsset } from '../../api/lock.js';
import { LOTTIE_TYPE } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { isRecord } from '../../platform/json.js';
import { readLines } from '../../platform/read-lines.js';
import { readLock } from '../../video/lock/read-lock.js';
import { findProblem } from '../../video/lock/verify-files.js';
import { type Client, withClient } from '../connection/client.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { gather } from '../connection/http-exchange.js';
import type { Input } from '../terminal/input.js';
import { printAnswer } from '../terminal/output.js';
import { expectOk } from '../connection/running-daemon.js';
import { writeExport } from '../library/transfer.js';
import { ownedWords } from './owned-words.js';

const FILE = 'bundle.ndjson.gz';
/** No remote is called so. */
const SCOPE = 'locked';
/** As many as one request may name. */
const AT_ONCE = 100;
const LINE_MAX_BYTES = 128 * 1024 * 1024;
/** The same choice gives the same bundle: what was kept when is of no matter. */
const KEPT_AT = new Date(0).toISOString();

/** Writes the FILE that was typed. Throws `lock_unmet` for what is neither owned nor beside the lock. */
export async function exportLocked(lockFile: string, input: Input): Promise<void> {
  const { lock } = readLock(lockFile);
  const file = input.findWord('file') ?? FILE;
  const slots = Object.entries(lock.assets);
  const digests = [...new Set(slots.map(([, { sha256 }]) => sha256))];
  const lines = new Map<string, string[]>();
  await withClient(input, async (client) => {
    for (let from = 0; from < digests.length; from += AT_ONCE) {
      await readOwned(client, digests.slice(from, from + AT_ONCE), lines);
    }
  });
  const unmet: string[] = [];
  for (const [id, asset] of slots) {
    if (lines.has(asset.sha256)) continue;
    if (findProblem(dirname(lockFile), asset) === undefined) lines.set(asset.sha256, [lineOf(lockFile, asset)]);
    else unmet.push(id);
  }
  if (unmet.length > 0) {
    throw new SvcdError('lock_unmet', ownedWords().neitherOwned(lockFile, unmet), {
      hint: ownedWords().neitherOwnedHint,
    });
  }
  const items = digests.flatMap((sha256) => lines.get(sha256) ?? []);
  await writeExport(file, bundleOf(items), () => undefined);
  if (file === '-') return;
  return printAnswer(input, { file, lock: lockFile, files: digests.length, items: items.length }, () =>
    sanitize(ownedWords().exported(file, formatCount(digests.length, 'file'), lockFile)),
  );
}

/** Adds the lines of owned files by their digests. */
async function readOwned(client: Client, digests: readonly string[], lines: Map<string, string[]>): Promise<void> {
  const query = new URLSearchParams(digests.map((sha256): [string, string] => ['sha256', sha256]));
  const answer = await client.stream('GET', `/svcd/owned/export?${query.toString()}`);
  if (answer.status !== 200) expectOk(await gather(answer));
  try {
    for await (const batch of readLines(answer.body, { maxBytes: LINE_MAX_BYTES, batch: 1 })) {
      for (const { text = '' } of batch) {
        const value = JSON.parse(text) as unknown;
        const sha256 = isRecord(value) ? value['sha256'] : undefined;
        if (typeof sha256 === 'string') lines.set(sha256, [...(lines.get(sha256) ?? []), text]);
      }
    }
  } finally {
    answer.body.destroy();
  }
}

/** A file beside the lock, as a file that some remote named. */
function lineOf(lockFile: string, { file, sha256, kind }: LockedAsset): string {
  const bytes = readFileSync(join(dirname(lockFile), file));
  const content_type = kind === 'sticker' ? LOTTIE_TYPE : `image/${TYPES[file.split('.').at(-1) ?? ''] ?? 'png'}`;
  const told = { scope: SCOPE, item: `file:/locked/${sha256}`, content_type, sha256, kept_at: KEPT_AT };
  return JSON.stringify({ ...told, gzip: gzipSync(bytes).toString('base64') });
}

const TYPES: Readonly<Record<string, string>> = { jpg: 'jpeg', webp: 'webp', gif: 'gif', avif: 'avif' };

async function* bundleOf(items: readonly string[]): AsyncGenerator<Uint8Array> {
  const ends = [
    { format: 'svcd-owned', version: 1, exported_at: KEPT_AT },
    { end: true, items: items.length },
  ];
  const [header = '', end = ''] = ends.map((one) => JSON.stringify(one));
  for (const line of [header, ...items, end]) yield Buffer.from(`${line}\n`);
}
