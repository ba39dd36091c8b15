// The default that stands in for a sticker: registered by the user, else an owned one that is near, else one of the
// shipped pack; always in the wanted shape, and not the same for two presets of a run while another fits. No failure here
// stops a render as long as one of them can be read.

import type { Config } from '../config/config.js';
import { loadGlossary } from '../library/language/glossary.js';
import { fitLottie } from '../lottie/fit-lottie.js';
import { transparentLottie } from '../lottie/transparent-lottie.js';
import { asciiText, assetOf, LOTTIE_TYPE, type Asset, type Delivery, type FallbackReason } from '../model/asset.js';
import { creditOf, type Credit } from '../model/credit.js';
import { SvcdError } from '../model/errors.js';
import { aspectOf, type Sticker } from '../model/sticker.js';
import type { Clock } from '../platform/clock.js';
import { createByteCache } from '../platform/byte-cache.js';
import type { Log } from '../platform/log.js';
import { createChooseDefault, explainShared, type ChooseDefault } from './choose-default.js';
import type { DefaultPack } from './default-pack.js';
import { readRelatedWords } from './related-words.js';
import { createNearestOwned, type KnownStickers, type OwnedList } from './nearest-owned.js';
import { createRateDefaults, type Language } from './rate-defaults.js';
import { EVERY_PRESET, type RegisteredDefaults } from './registered-defaults.js';

/**
 * Delivers the default for a preset under a reason, within the run of a caller. Undefined when nothing fits and the user
 * wants the error then; throws `internal` when not even the shipped one can be read.
 */
export type FallbackSticker = (
  preset: string,
  reason: FallbackReason,
  caller?: string,
) => Promise<Delivery | undefined>;

/** Owned stickers and their files. */
export interface OwnedFiles extends OwnedList {
  /** The file of an owned sticker; undefined when there is none or it is damaged. */
  read(preset: string): Promise<Uint8Array | undefined>;
}

export interface FallbackStickerParts {
  readonly library: KnownStickers & { synonymsOf(word: string): readonly string[] };
  readonly registered: Pick<RegisteredDefaults, 'find' | 'read'>;
  readonly owned: OwnedFiles;
  readonly defaults: DefaultPack;
  /** What is served when nothing fits. */
  readonly whenNothingFits: Config['whenNothingFits'];
  readonly clock: Pick<Clock, 'now'>;
  readonly log: Log;
}

/** A file that could stand in, with the text of `X-Svcd-Default`. */
interface Candidate {
  readonly which: string;
  readonly why: string;
  /** Tells this file from every other. */
  readonly mark: string;
  readonly credit: Credit;
  /** Undefined when it turns out to be damaged. */
  readonly read: () => Promise<Uint8Array | undefined>;
}

const FITTED_BYTES = 8 * 1024 * 1024;
const FITTED_FILE_BYTES = 1024 * 1024;

/** Chooses among these parts and remembers the files it fitted last. */
export function createFallbackSticker(parts: FallbackStickerParts): FallbackSticker {
  const { library, registered, owned, defaults, whenNothingFits, log } = parts;
  const runOf = createRunMemory(parts.clock);
  const findNearestOwned = createNearestOwned(owned, library);
  const fitted = createByteCache<Asset>(FITTED_BYTES, FITTED_FILE_BYTES);
  let choose: ChooseDefault | undefined;

  function findRegistered(preset: string): Candidate | undefined {
    const found = registered.find(preset);
    if (found === undefined) return undefined;
    const which = found.preset;
    const why = which === EVERY_PRESET ? 'registered for every preset' : 'registered for this preset';
    return { which, why, mark: found.sha256, credit: {}, read: () => registered.read(found) };
  }

  function findOwned(preset: string, wanted: Sticker | undefined, run: Run): Candidate | undefined {
    const near = wanted && findNearestOwned(wanted, (one) => run.isTaken(preset, one));
    if (near === undefined) return undefined;
    const which = near.sticker.preset;
    run.note(preset, which);
    const why = `owned, ${explainShared(near.shared)}`;
    return { which, why, mark: `owned ${which}`, credit: creditOf(near.sticker), read: () => owned.read(which) };
  }

  function findShipped(preset: string, wanted: Sticker | undefined, run: Run): Candidate | 'error' {
    choose ??= openChoice(defaults, synonymsOf);
    const { sticker, why, fits } = choose(preset, wanted, (one) => run.isTaken(preset, one));
    if (fits) run.note(preset, sticker.preset);
    else if (whenNothingFits === 'error') return 'error';
    else if (whenNothingFits === 'transparent') return transparent(why, wanted);
    const which = sticker.preset;
    const read = () => defaults.readSticker(sticker);
    return { which, why: `shipped, ${why}`, mark: `shipped ${which}`, credit: creditOf(sticker), read };
  }

  /** A library that cannot be read costs the synonyms, not the default. */
  function synonymsOf(word: string): readonly string[] {
    try {
      return library.synonymsOf(word);
    } catch {
      return [];
    }
  }

  /** The file of a candidate in the wanted shape; undefined when it is damaged. */
  async function fit({ mark, read }: Candidate, aspect: number | undefined): Promise<Asset | undefined> {
    const name = `${aspect ?? ''} ${mark}`;
    const known = fitted.find(name);
    if (known !== undefined) return known;
    const bytes = await read();
    if (bytes === undefined) return undefined;
    const asset = assetOf(fitLottie(bytes, aspect), LOTTIE_TYPE);
    fitted.put(name, asset, asset.bytes.byteLength);
    return asset;
  }

  /** The result, or undefined with a line in the log when it cannot be had. */
  async function attempt<T>(find: () => T | Promise<T>): Promise<T | undefined> {
    try {
      return await find();
    } catch (error) {
      log.error('a default could not be used', { why: error instanceof Error ? error.message : 'unknown' });
      return undefined;
    }
  }

  return async (preset, reason, caller = '') => {
    const wanted = await attempt(() => library.findSticker(preset));
    const aspect = wanted && aspectOf(wanted);
    const run = runOf(caller);
    for (const find of [findRegistered, findOwned, findShipped]) {
      const delivery = await attempt(async (): Promise<Delivery | 'error' | undefined> => {
        const candidate = find(preset, wanted, run);
        if (candidate === undefined || candidate === 'error') return candidate;
        const asset = await fit(candidate, aspect);
        if (asset === undefined) return undefined;
        const chosen = `${asciiText(candidate.which)}; ${asciiText(candidate.why)}`;
        return { ...asset, source: 'default', cost: 0, reason, chosen, ...candidate.credit };
      });
      if (delivery === 'error') return undefined;
      if (delivery !== undefined) return delivery;
    }
    throw new SvcdError('internal', 'no default can be read');
  };
}

/** The choice in the pack, which is read when a default is first needed, not at the start. */
function openChoice(defaults: DefaultPack, synonymsOf: Language['synonymsOf']): ChooseDefault {
  const pack = defaults.stickers();
  const rate = createRateDefaults(readRelatedWords(pack, defaults.readMeanings()), {
    glossary: loadGlossary,
    synonymsOf,
  });
  return createChooseDefault(pack, rate);
}

function transparent(why: string, wanted: Sticker | undefined): Candidate {
  const bytes = transparentLottie(wanted);
  const mark = `transparent ${wanted?.preset ?? ''}`;
  return { which: 'default/transparent', why, mark, credit: {}, read: async () => bytes };
}

/** What one run was given, so that it does not show one default for two things while another fits, and the same one for one thing. */
interface Run {
  /** The default that stood in for this preset. */
  given(preset: string): string | undefined;
  /** Whether a default stands in for another preset. */
  isTaken(preset: string, byDefault: string): boolean;
  note(preset: string, byDefault: string): void;
}

const QUIET_MS = 15 * 60_000;
const MOST_RUNS = 64;
/** More different defaults than a video has; the oldest are forgotten. */
const MOST_GIVEN = 512;

/** The run of a caller, begun anew after a quarter of an hour without a default; of the last runs. */
function createRunMemory(clock: Pick<Clock, 'now'>): (caller: string) => Run {
  const runs = new Map<string, { readonly run: Run; asked: number }>();
  return (caller) => {
    const now = clock.now();
    const known = runs.get(caller);
    runs.delete(caller);
    const isOver = known === undefined || now - known.asked > QUIET_MS;
    const entry = { run: isOver ? createRun() : known.run, asked: now };
    runs.set(caller, entry);
    const oldest = runs.keys().next().value;
    if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest);
    return entry.run;
  };
}

function createRun(): Run {
  const given = new Map<string, string>();
  const takenBy = new Map<string, string>();
  return {
    given: (preset) => given.get(preset),
    isTaken: (preset, byDefault) => (takenBy.get(byDefault) ?? preset) !== preset,
    note: (preset, byDefault) => {
      given.delete(preset);
      given.set(preset, byDefault);
      takenBy.set(byDefault, preset);
      const [oldest] = given;
      if (given.size <= MOST_GIVEN || oldest === undefined) return;
      given.delete(oldest[0]);
      if (takenBy.get(oldest[1]) === oldest[0]) takenBy.delete(oldest[1]);
    },
  };
}
