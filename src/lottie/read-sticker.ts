// What is known of the files that svcd delivers, by their digest: read once, small ones in passing, the others in a thread.

import { assetOf, LOTTIE_TYPE, type Asset } from '../model/asset.js';
import type { Verdict } from '../model/verdict.js';
import { createByteCache } from '../platform/byte-cache.js';
import { isRecord, parseJson } from '../platform/json.js';
import type { Log } from '../platform/log.js';
import { factsOfFile, factsOfHead, type Facts } from './facts.js';
import type { PlayerWarning } from './feature-table.js';
import { inspectLottie } from './inspect-lottie.js';
import { createLottieThread, type LottieThread } from './lottie-thread.js';
import { IN_PASSING, IN_PASSING_BYTES, playerWarnings, wordsOf } from './player-warnings.js';
import { safeFormOf } from './safe-form.js';

/** What can be told of a file at once. */
export interface Reading {
  readonly warnings: readonly PlayerWarning[];
  /** Undefined as long as it is not known. */
  readonly verdict: Verdict | undefined;
}

type File = Pick<Asset, 'bytes' | 'sha256'>;

/** Reads playable files; what was read is remembered by digest. */
export interface StickerReader {
  /** A small file is looked through the first time; a large one begins to be, and its verdict is known later. */
  inPassing(file: File): Reading;
  factsOf(file: File): Promise<Facts>;
  /** The asset itself where its safe form is the same. */
  safeFormOf(asset: Asset): Promise<Asset>;
  close(): void;
}

const REMEMBERED_BYTES = 8 * 1024 * 1024;
const SAFE_FORMS_BYTES = 16 * 1024 * 1024;
/** Of an entry without its lists, and of each thing in them. */
const [ENTRY_BYTES, LISTED_BYTES] = [1_024, 256];

interface Entry {
  readonly warnings: readonly PlayerWarning[];
  readonly verdict: Verdict | undefined;
  readonly facts: Facts | undefined;
}

export function createStickerReader(log: Log, thread: LottieThread = createLottieThread()): StickerReader {
  const known = createByteCache<Entry>(REMEMBERED_BYTES, REMEMBERED_BYTES / 16);
  const safeForms = createByteCache<Asset | 'same'>(SAFE_FORMS_BYTES, SAFE_FORMS_BYTES);
  const underWay = new Map<string, Promise<unknown>>();

  const keep = (sha256: string, warnings: Entry['warnings'], facts: Facts | undefined): Entry => {
    const entry = { warnings, verdict: facts?.verdict, facts };
    known.put(sha256, entry, sizeOf(facts));
    return entry;
  };
  const read = ({ bytes, sha256 }: File): Entry => {
    const file = bytes.byteLength <= IN_PASSING_BYTES ? parseJson(bytes, { depth: 128, tokens: Infinity }) : undefined;
    if (!isRecord(file)) return keep(sha256, playerWarnings(bytes), undefined);
    const inspection = inspectLottie(file, IN_PASSING);
    const facts = inspection.complete ? factsOfFile(file, bytes, inspection) : undefined;
    return keep(sha256, wordsOf(inspection), facts);
  };
  /** One at a time for each file, however many ask. */
  const once = <T>(name: string, work: () => Promise<T>): Promise<T> => {
    const before = underWay.get(name) as Promise<T> | undefined;
    if (before !== undefined) return before;
    const promise = work().finally(() => underWay.delete(name));
    underWay.set(name, promise);
    return promise;
  };
  const readLarge = ({ bytes, sha256 }: File, warnings: Entry['warnings']): Promise<Facts> =>
    once(`facts ${sha256}`, async () => {
      const facts = (await thread.run('facts', bytes)) ?? factsOfHead(bytes, 'too_costly');
      keep(sha256, warnings, facts);
      return facts;
    });
  return {
    inPassing: (file) => {
      const earlier = known.find(file.sha256);
      if (earlier !== undefined) return earlier;
      const entry = read(file);
      if (entry.facts === undefined) {
        readLarge(file, entry.warnings).catch((error: unknown) => {
          log.warn('a large sticker could not be looked through', { sha256: file.sha256, why: String(error) });
        });
      }
      return entry;
    },
    factsOf: async (file) => {
      const { facts, warnings } = known.find(file.sha256) ?? read(file);
      return facts ?? readLarge(file, warnings);
    },
    safeFormOf: async (asset) => {
      const { sha256, bytes } = asset;
      const earlier = safeForms.find(sha256);
      if (earlier !== undefined) return earlier === 'same' ? asset : earlier;
      return once(`safe ${sha256}`, async () => {
        const made = bytes.byteLength <= IN_PASSING_BYTES ? safeFormOf(bytes) : await thread.run('safe', bytes);
        if (made === undefined) throw new Error('the safe form took too much time or memory');
        const isSame = Buffer.compare(made, bytes) === 0;
        const safe = isSame ? asset : assetOf(made, LOTTIE_TYPE);
        safeForms.put(sha256, isSame ? 'same' : safe, isSame ? ENTRY_BYTES : made.byteLength);
        return safe;
      });
    },
    close: () => thread.close(),
  };
}

function sizeOf(facts: Facts | undefined): number {
  if (facts === undefined) return ENTRY_BYTES;
  const { markers, fonts, problems, uses } = facts;
  return ENTRY_BYTES + LISTED_BYTES * (markers.length + fonts.length + problems.length + uses.length);
}
