// svcd itself, through the library that the daemon uses: what the benchmark holds is imported as if the service
// had told of it, then searched and matched.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DATA_FOLDER } from '../../../src/config/config.js';
import { openLibrary } from '../../../src/library/library.js';
import { silentLog } from '../../../src/platform/log.js';
import type { Sticker } from '../../../src/model/sticker.js';
import type { Entry } from './benchmark-files.js';
import type { Rank } from './metrics.js';

/** svcd with the entries in its library. */
export interface Svcd {
  readonly search: Rank;
  readonly match: Rank;
  /** Search, with the fit of each result where the library tells it. */
  searchWithFit(this: void, text: string): { readonly presets: readonly string[]; readonly fit?: readonly number[] };
  close(): void;
}

/** More than it ever puts in order: nothing is lost when results of other sources are dropped. */
const ALL = 100_000;
const FIRST_PAGE = 12;

/** Opens a library in a folder of its own, removed by `close`. */
export function openSvcd(entries: readonly Entry[]): Svcd {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-relevance-'));
  const synonyms = () =>
    ['synonyms', 'english', 'regional']
      .map((name) => readFileSync(join(DATA_FOLDER, 'synonyms', `${name}.txt`), 'utf8'))
      .join('\n');
  const library = openLibrary({
    file: join(folder, 'library.db'),
    scope: 'benchmark',
    synonyms,
    log: silentLog,
  });
  library.importStickers(entries.map(stickerOf), 'benchmark');
  library.prepare();
  const presets = ({ hits }: { hits: readonly { sticker: Sticker }[] }) => hits.map(({ sticker }) => sticker.preset);
  return {
    search: (text) => presets(library.search(text, ALL)),
    searchWithFit: (text) => {
      const found = library.search(text, FIRST_PAGE);
      const fit = found.hits.map((hit) => (hit as { readonly fit?: number }).fit);
      return { presets: presets(found), ...(isTold(fit) ? { fit } : {}) };
    },
    match: (text) => presets(library.match({ text, limit: ALL })),
    close: () => {
      library.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

// The service tells a title and keywords; categories of the benchmark are left out, for svcd as for its peers.
function stickerOf({ preset, title, keywords }: Entry): Sticker {
  return { preset, title, keywords };
}

/** Whether the library tells how well results fit; of no results it does, by telling nothing. */
function isTold(fit: readonly (number | undefined)[]): fit is readonly number[] {
  return fit.length > 0 && fit.every((one) => one !== undefined);
}
