// The engines that are timed: svcd's library, and the peers in the set-up that finds best.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_FOLDER } from '../../../src/config/config.js';
import { openLibrary } from '../../../src/library/library.js';
import { silentLog } from '../../../src/platform/log.js';
import { BEST_SET_UPS } from '../peers/every-set-up.js';
import type { Text } from '../peers/peer.js';

/** An engine with everything indexed. */
export interface TimedEngine {
  readonly name: string;
  readonly buildMs: number;
  /** Opening it again with everything indexed; undefined when it has to build again. */
  readonly loadMs: number | undefined;
  search(query: string): unknown;
  match(copy: string): unknown;
  close(): void;
}

const LISTED = 12;

/** Every engine by name. */
export const ENGINES: Readonly<Record<string, (texts: readonly Text[]) => TimedEngine>> = {
  svcd: openSvcd,
  ...Object.fromEntries(
    [...new Set(BEST_SET_UPS.queries.map(({ engine }) => engine))].map((name) => [
      name,
      (texts: readonly Text[]) => openPeer(name, texts),
    ]),
  ),
};

/** The tables svcd ships, one after the other. */
export function readSynonyms(): string {
  return ['synonyms', 'english', 'regional']
    .map((name) => readFileSync(join(DATA_FOLDER, 'synonyms', `${name}.txt`), 'utf8'))
    .join('\n');
}

function openSvcd(texts: readonly Text[]): TimedEngine {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-timing-'));
  const open = () =>
    openLibrary({ file: join(folder, 'library.db'), scope: 'bench', synonyms: readSynonyms, log: silentLog });
  const first = open();
  first.importStickers(texts, 'bench');
  const buildMs = timed(() => first.prepare());
  first.close();
  let library = first;
  const loadMs = timed(() => {
    library = open();
    library.prepare();
  });
  return {
    name: 'svcd',
    buildMs,
    loadMs,
    search: (query) => library.search(query, LISTED),
    match: (text) => library.match({ text, limit: LISTED }),
    close: () => {
      library.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openPeer(name: string, texts: readonly Text[]): TimedEngine {
  const setUp = BEST_SET_UPS.queries.find(({ engine }) => engine === name);
  if (setUp === undefined) throw new Error(`there is no engine ${name}`);
  let peer: ReturnType<typeof setUp.open> | undefined;
  const buildMs = timed(() => (peer = setUp.open(texts)));
  const rank = (text: string) => peer?.rank(text, LISTED);
  return { name, buildMs, loadMs: undefined, search: rank, match: rank, close: () => peer?.close() };
}

function timed(work: () => unknown): number {
  const startedAt = performance.now();
  work();
  return performance.now() - startedAt;
}
