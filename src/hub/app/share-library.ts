// The library as the machines of a hub copy it: packed once for all of them, so that hundreds that ask cost what one costs,
// and packed anew only when that is worth a copy to each.

import { arrayBuffer } from 'node:stream/consumers';
import type { Library } from '../../library/library.js';
import type { Clock } from '../../platform/clock.js';
import type { TransferLibrary } from '../../operations/library/transfer-library.js';

/** A whole library at one moment. */
export interface SharedCopy {
  /** Another one for another content, also after a restart; as it stands in an `ETag`. */
  readonly tag: string;
  /** Its lines, by gzip. */
  readonly packed: Uint8Array<ArrayBuffer>;
}

/** What machines are to have now; undefined where who asks has it already. */
export type ShareLibrary = (known: string | undefined) => Promise<SharedCopy | undefined>;

export type SharedLibrary = Pick<Library, 'isComplete' | 'sizeWithoutShipped' | 'store'>;

/** A copy that lacks so much of the library is replaced at once, */
const GROWN_BY = 0.05;
/** and one that differs at all when it is so old. */
const OLD_MS = 15 * 60_000;

export function createShareLibrary(
  library: SharedLibrary,
  transfer: Pick<TransferLibrary, 'exportLines'>,
  clock: Pick<Clock, 'now'>,
): ShareLibrary {
  const stateNow = () => {
    const [stickers, complete] = [library.sizeWithoutShipped, library.isComplete()];
    return { stickers, complete, tag: `W/"${library.store.revision}-${stickers}${complete ? '-all' : ''}"` };
  };
  type State = ReturnType<typeof stateNow>;
  let last: { state: State; at: number; copy: Promise<SharedCopy> } | undefined;

  const isGoodEnough = (now: State): boolean => {
    if (last === undefined || last.state.complete !== now.complete) return false;
    const { state, at } = last;
    if (state.tag === now.tag) return true;
    return Math.abs(now.stickers - state.stickers) < GROWN_BY * state.stickers && clock.now() - at < OLD_MS;
  };
  const pack = async ({ tag }: State): Promise<SharedCopy> => {
    const packed = transfer.exportLines().pipeThrough(new CompressionStream('gzip'));
    return { tag, packed: new Uint8Array(await arrayBuffer(packed)) };
  };

  return async (known) => {
    const now = stateNow();
    if (known === now.tag || (known === last?.state.tag && isGoodEnough(now))) return undefined;
    if (last === undefined || !isGoodEnough(now)) {
      const made = { state: now, at: clock.now(), copy: pack(now) };
      last = made;
      made.copy.catch(() => {
        if (last === made) last = undefined;
      });
    }
    return last.copy;
  };
}
