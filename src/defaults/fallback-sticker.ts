// The default that stands in for a sticker: registered by the user, else an owned one that is near, else one of the
// shipped pack; always in the wanted shape, and not the same for two presets of a run while another fits. No failure here
// stops a render as long as one of them can be read.

import type { Config } from '../config/config.js';
import { loadGlossary } from '../library/language/glossary.js';
import { normalise } from '../library/language/normalise.js';
import { wholes } from '../library/language/tokenise.js';
import { conceptKey } from '../library/search-index/sticker-terms.js';
import { fitLottie } from '../lottie/fit-lottie.js';
import { transparentLottie } from '../lottie/transparent-lottie.js';
import { asciiText, assetOf, LOTTIE_TYPE, type Asset, type Delivery, type FallbackReason } from '../model/asset.js';
import { creditOf, type Credit } from '../model/credit.js';
import { SvcdError } from '../model/errors.js';
import { aspectOf, type Sticker } from '../model/sticker.js';
import type { Clock } from '../platform/clock.js';
import { createByteCache } from '../platform/byte-cache.js';
import type { Log } from '../platform/log.js';
import { type DefaultPack, PLAIN_PRESET, type PackedSticker } from './default-pack.js';
import { readRelatedWords } from './related-words.js';
import { createNearestOwned, type KnownStickers, type OwnedList, distanceOf } from './nearest-owned.js';
import { createRateDefaults, type Language, type RateDefaults, type Rated } from './rate-defaults.js';
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
    if (wanted === undefined || near === undefined || isOutdone(preset, wanted, near.sticker, run)) return undefined;
    const which = near.sticker.preset;
    run.note(preset, which);
    const why = `owned, ${explainShared(near.shared)}`;
    return { which, why, mark: `owned ${which}`, credit: creditOf(near.sticker), read: () => owned.read(which) };
  }

  /** Whether one that ships is more of what is wanted: a bought cake does not stand for flowers that ship. */
  function isOutdone(preset: string, wanted: Sticker, near: Sticker, run: Run): boolean {
    const ofNear = kinshipOf(near, wanted);
    if (ofNear === 0) return false;
    choose ??= openChoice(defaults, synonymsOf);
    const { sticker, fits } = choose(preset, wanted, (one) => run.isTaken(preset, one));
    return fits && kinshipOf(sticker, wanted) < ofNear;
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

/** 0 for the same picture or title, 1 for a word of the title, 2 for less. */
function kinshipOf(one: Sticker, wanted: Sticker): number {
  const [title, other] = [normalise(wanted.title), normalise(one.title)];
  if (title === other || conceptKey(one) === conceptKey(wanted)) return 0;
  const words = new Set(wholes(title));
  return wholes(other).some((word) => words.has(word)) ? 1 : 2;
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

// Which sticker of the shipped pack stands in for one that cannot be had: the best rated that the run has not been given
// for another one; else one akin to it; else the best again; the plain one when nothing fits.

interface Choice {
  readonly sticker: PackedSticker;
  /** Why, in words a person can read, such as `shares 生日, 蛋糕`. */
  readonly why: string;
  /** Whether it has to do with what was wanted. */
  readonly fits: boolean;
}

/**
 * Chooses for a preset; `wanted` is what is known of it, if anything, and `isTaken` says of a sticker of the pack whether it
 * stands in for another preset of the same run. The same question always has the same answer.
 */
type ChooseDefault = (preset: string, wanted: Sticker | undefined, isTaken?: (preset: string) => boolean) => Choice;

/** One that is rated less than this share of the best does not take its place. */
const NEARLY_AS_GOOD = 0.4;
const REASONS_TOLD = 3;
/** Scores as near as this are alike: shape, length and color decide. */
const ALIKE_SCORE = 0.05;

/** A chooser over a pack, which must hold the plain one. */
export function createChooseDefault(pack: readonly PackedSticker[], rate: RateDefaults): ChooseDefault {
  const plain = pack.find(({ preset }) => preset === PLAIN_PRESET);
  if (plain === undefined) throw new Error(`the default pack holds no ${PLAIN_PRESET}`);
  return (preset, wanted, isTaken = () => false) => {
    const rated = rate(preset, wanted).filter(({ sticker }) => sticker !== plain);
    const best = wanted === undefined ? rated[0] : nearestInShape(rated, wanted);
    if (best === undefined) return { sticker: plain, why: whyPlain(wanted), fits: false };
    if (!isTaken(best.sticker.preset)) return choiceOf(best);
    const other = rated.find(({ sticker, score }) => score >= best.score * NEARLY_AS_GOOD && !isTaken(sticker.preset));
    if (other !== undefined) return choiceOf(other);
    // Akin to the best: what would stand in for it, if it could not be had.
    const akin = rate(best.sticker.preset, best.sticker, true).find(
      ({ sticker }) => sticker !== plain && sticker !== best.sticker && !isTaken(sticker.preset),
    );
    if (akin === undefined) return choiceOf(best);
    return { sticker: akin.sticker, why: `akin to ${best.sticker.title}, ${tell(best)}`, fits: true };
  };
}

/** Of those rated as high as the first, the nearest in shape, length and color. */
function nearestInShape(rated: readonly Rated[], wanted: Sticker): Rated | undefined {
  const [first] = rated;
  if (first === undefined) return undefined;
  const alike = rated.filter(({ score }) => score >= first.score * (1 - ALIKE_SCORE));
  if (alike.length === 1) return first;
  const ranked = alike.map((one) => ({ one, distance: distanceOf(one.sticker, wanted) }));
  return ranked.toSorted((a, b) => a.distance - b.distance)[0]?.one;
}

function choiceOf(rated: Rated): Choice {
  return { sticker: rated.sticker, why: tell(rated), fits: true };
}

/** The first few reasons; words it shares with the wanted one together. */
function tell({ reasons }: Rated): string {
  const shares = /^shares /;
  const [first = ''] = reasons;
  if (!shares.test(first)) return reasons.slice(0, REASONS_TOLD - 1).join(', ');
  const words = reasons.filter((reason) => shares.test(reason)).map((reason) => reason.replace(shares, ''));
  return explainShared(words);
}

/** The words two stickers share, as a reason; the first few of many. */
function explainShared(shared: readonly string[]): string {
  return `shares ${shared.slice(0, 5).join(', ')}`;
}

function whyPlain(wanted: Sticker | undefined): string {
  return wanted === undefined ? 'nothing is known of this preset' : 'nothing in the pack is like it';
}
