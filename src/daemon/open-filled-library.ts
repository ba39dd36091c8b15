// The library as the daemon opens it: with the synonyms of the user and svcd's own, and with the stickers that are
// there from the start.

import { join } from 'node:path';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { openLibrary, type Library } from '../library/library.js';
import { loadShippedSynonyms } from '../library/language/shipped-synonyms.js';
import type { DefaultPack } from '../defaults/default-pack.js';
import type { WatchStart } from './daemon-options.js';
import { fillFromSandbox, type SandboxStickers } from './fill-from-sandbox.js';
import { readUserSynonyms } from '../library/user-synonyms.js';
import { LIBRARY_MIGRATIONS } from '../library/storage/sticker-schema.js';
import { isOlderFile } from '../platform/open-database.js';
import { VERSION } from '../platform/installation.js';

export interface FillOptions {
  readonly log: Log;
  readonly clock?: Clock | undefined;
  readonly watch?: WatchStart | undefined;
  /** The synonym table, in place of the shipped ones. */
  readonly synonyms?: (() => string) | undefined;
}

/** The library of one remote, filled with what is at hand without asking anybody. */
export function openFilledLibrary(
  home: string,
  scope: string,
  sandbox: SandboxStickers | undefined,
  defaults: DefaultPack,
  { log, clock = systemClock, watch, synonyms }: FillOptions,
): Library {
  const file = join(home, 'library.db');
  if (isOlderFile(file, LIBRARY_MIGRATIONS)) watch?.('migrating');
  // The user's own come first, for of many synonyms only the first count.
  const fill = (library: Library): void => {
    if (sandbox !== undefined) {
      fillFromSandbox(library, sandbox, () => watch?.('filling'));
    } else if (library.size === 0 || scope === 'none') {
      const source = `defaults of ${VERSION}`;
      if (!library.hasImported(source)) {
        library.importStickers(
          defaults.stickers().filter(({ standIn }) => standIn !== true),
          source,
        );
      }
    }
  };
  return openLibrary({
    file,
    scope,
    synonyms: () => `${readUserSynonyms(home, log)}\n${synonyms?.() ?? ''}`,
    ...(synonyms === undefined && { shippedSynonyms: loadShippedSynonyms }),
    fill,
    log,
    clock,
  });
}
