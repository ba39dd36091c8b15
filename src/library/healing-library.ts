// A library that survives its file: what turns out damaged while it is used is set aside, a new one takes its place,
// and the question is asked again. What the new one begins with, and what fills it, is for others.

import type { Clock } from '../platform/clock.js';
import { isSvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import type { Library } from './library.js';
import { setFileAside } from './storage/sticker-store.js';

export interface HealingOptions {
  readonly file: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Opens the library with what is at hand at once; called again after each damage. */
  readonly open: () => Library;
  /** Told that a new library has taken the place of a damaged one. */
  readonly healed: () => void;
}

/** After that the disk is to blame, and what it does to the next file is no news. */
const MAX_HEALED = 5;
/** So that no answer remembered of one library is taken for one of the next. */
const REVISION_STEP = 1_000_000;

type Method = (...given: unknown[]) => unknown;

/** The library that `open` opens, again and again; throws `library_damaged` only when a new one breaks too. */
export function openHealingLibrary(options: HealingOptions): Library {
  let inner = options.open();
  let healed = 0;

  const heal = (cause: unknown): void => {
    healed += 1;
    options.log.error('the library is damaged and is made anew', { why: String(cause) });
    inner.close();
    const movedTo = setFileAside(options.file, options.clock);
    options.log.warn('library set aside', { file: options.file, movedTo });
    inner = options.open();
    options.healed();
  };
  const call = (name: string, given: unknown[]): unknown => {
    const ask = () => (Reflect.get(inner, name) as Method).apply(inner, given);
    try {
      return ask();
    } catch (error) {
      if (!isSvcdError(error, 'library_damaged') || name === 'close' || healed >= MAX_HEALED) throw error;
      heal(error);
      return ask();
    }
  };
  const methods = new Map<string, Method>();
  const methodOf = (name: string): Method => {
    const known = methods.get(name);
    if (known !== undefined) return known;
    const method: Method = (...given) => call(name, given);
    methods.set(name, method);
    return method;
  };
  return new Proxy(inner, {
    get: (_first, name: string) => {
      if (name === 'revision') return healed * REVISION_STEP + inner.revision;
      const value: unknown = Reflect.get(inner, name, inner);
      return typeof value === 'function' ? methodOf(name) : value;
    },
  });
}
