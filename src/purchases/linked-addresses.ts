// Which files outside the remote's API may be asked for: those that an answer of the remote named. A bounded number is
// remembered; what owned images name is read again after a start.

import type { NoteFile } from '../upstream/relay-address.js';
import { filesNamedBy } from './image-item.js';
import type { OwnedStore } from './owned-store.js';

export interface NamedFiles {
  readonly note: NoteFile;
  /** Whether an answer named this path (with its query). */
  has(path: string): Promise<boolean>;
}

const MAX_FILES = 4096;
const MAX_LENGTH = 2048;
const MAX_IMAGES = 500;
/** Answers that hold the picture itself name no file. */
const MAX_ANSWER_BYTES = 64 * 1024;

/** Remembers named files; what owned images name counts too. */
export function createNamedFiles(owned: Pick<OwnedStore, 'find' | 'listImages'>): NamedFiles {
  const named = new Set<string>();
  let loaded: Promise<void> | undefined;
  const note = (path: string) => {
    const spelled = spellingOf(path);
    if (spelled === undefined) return;
    // The ones named last stay.
    named.delete(spelled);
    named.add(spelled);
    const [oldest] = named;
    if (named.size > MAX_FILES && oldest !== undefined) named.delete(oldest);
  };
  const load = async () => {
    for (const item of owned.listImages(MAX_IMAGES, MAX_ANSWER_BYTES).toReversed()) {
      const asset = await owned.find(item);
      if (asset !== undefined) filesNamedBy(asset).forEach(note);
    }
  };
  const has = (path: string) => named.has(spellingOf(path) ?? '');
  return {
    note,
    has: async (path) => {
      if (has(path)) return true;
      await (loaded ??= load());
      return has(path);
    },
  };
}

/** As a browser asks for it; undefined for what is no path. */
function spellingOf(path: string): string | undefined {
  if (!path.startsWith('/') || path.length > MAX_LENGTH || !URL.canParse(`http://remote${path}`)) return undefined;
  const { pathname, search } = new URL(`http://remote${path}`);
  return pathname + search;
}
