// What is known of the files that svcd delivers, by their digest: read once, small ones in passing, the others in a thread.

import { assetOf, LOTTIE_TYPE, type Asset, type Verdict } from '../model/asset.js';
import { SvcdError } from '../model/errors.js';
import { createByteCache } from '../platform/byte-cache.js';
import { isRecord, parseJson, type JsonBounds } from '../platform/json.js';
import type { Log } from '../platform/log.js';
import { factsOfFile, factsOfHead, type Facts } from './facts.js';
import { type PlayerWarning, PLAYER_WARNINGS, rowOf } from './feature-table.js';
import { inspectLottie, type Inspection } from './inspect-lottie.js';
import { createLottieThread, type LottieThread } from './lottie-thread.js';
import { recolorBytes, type Coloring } from './recolor.js';
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
  /** The file in other colors. Throws what `recolorBytes` throws. */
  coloredOf(asset: Pick<Asset, 'bytes'>, coloring: Coloring): Promise<Asset>;
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
    return keep(sha256, warningWords(inspection), facts);
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
    coloredOf: async ({ bytes }, coloring) => {
      const isSmall = bytes.byteLength <= IN_PASSING_BYTES;
      const made = isSmall ? recolorBytes(bytes, coloring) : await thread.run('colored', bytes, coloring);
      if (made !== undefined) return assetOf(made, LOTTIE_TYPE);
      throw new SvcdError('invalid_request', `color: ${JSON.stringify(coloring.preset)} is too large to be colored`);
    },
    close: () => thread.close(),
  };
}

function sizeOf(facts: Facts | undefined): number {
  if (facts === undefined) return ENTRY_BYTES;
  const { markers, fonts, problems, uses } = facts;
  return ENTRY_BYTES + LISTED_BYTES * (markers.length + fonts.length + problems.length + uses.length);
}

/** So much is parsed and looked through in a few milliseconds; what is embedded in a file does not count. */
const IN_PASSING_BYTES = 384 * 1024;
const IN_PASSING = { values: 20_000, parts: 20_000 };
const EMBEDDED_MAX = 1_000;

/** The size that is read bounds what it may hold; how deep it is nested is one of the questions. */
const UNBOUNDED: JsonBounds = { depth: Infinity, tokens: Infinity };

/**
 * What common players trip over in these bytes, in the words of `X-Svcd-Warning`; `not_checked` of a file that is too large to be
 * checked in passing. Each word was seen: of the file that its test makes, one of lottie-web (SVG, canvas), dotlottie-web and
 * skottie fails, draws nothing, or draws another picture.
 */
export function playerWarnings(bytes: Uint8Array): PlayerWarning[] {
  const text = withoutEmbedded(bytes);
  const file = text === undefined ? undefined : parseJson(text, UNBOUNDED);
  return isRecord(file) ? warningWords(inspectLottie(file, IN_PASSING)) : ['not_checked'];
}

function warningWords({ found, complete }: Inspection): PlayerWarning[] {
  const words = new Set([...found.keys()].map((code) => rowOf(code).word));
  if (!complete) words.add('not_checked');
  return PLAYER_WARNINGS.filter((word) => words.has(word));
}

/** The file, what is embedded in it left out if it is large; undefined if it still is too large. */
function withoutEmbedded(bytes: Uint8Array): Uint8Array | undefined {
  if (bytes.byteLength <= IN_PASSING_BYTES) return bytes;
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const kept: Buffer[] = [];
  let [from, size] = [0, 0];
  while (kept.length < EMBEDDED_MAX && size <= IN_PASSING_BYTES) {
    const start = file.indexOf('"data:', from);
    const part = file.subarray(from, start < 0 ? undefined : start + '"data:'.length);
    kept.push(part);
    size += part.length;
    if (start < 0) return size <= IN_PASSING_BYTES ? Buffer.concat(kept) : undefined;
    from = file.indexOf('"', start + 1);
    if (from < 0) return undefined;
  }
  return undefined;
}
