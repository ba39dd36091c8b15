// Which sticker each slot of a plan gets, from the library alone. The rules:
//
// - The order of match decides; a slot that names a preset gets that very sticker.
// - A picture is used once: no sticker twice, and another style of a picture (the same concept, or the same title) only
//   where nothing else is left.
// - A sticker known to be longer than `max_duration_s` is left out. One whose shape is within a quarter of `aspect` comes
//   before one of another shape, but none that only synonyms or meanings found before one that has a word of the copy.
// - Among several styles of the chosen picture one that is owned is taken.

import type { Fit, Have } from '../../api/plan.js';
import type { Slot } from '../../api/slot.js';
import type { Reason } from '../../contract/candidate.js';
import { normalise } from '../../library/language/normalise.js';
import type { Library } from '../../library/library.js';
import { conceptKey } from '../../library/search-index/sticker-terms.js';
import { aspectOf, type Sticker } from '../../model/sticker.js';
import type { Clock } from '../../platform/clock.js';

export interface Candidate {
  readonly sticker: Sticker;
  readonly fit: Fit;
  /** Only words that were found. */
  readonly why: readonly string[];
}

/** What a slot without a preset gets. */
export interface Choice {
  /** Undefined where nothing was found. */
  readonly chosen: Candidate | undefined;
  /** The next that would be taken, each another picture. */
  readonly others: readonly Candidate[];
  /** Whether stickers were found that are all longer than the slot allows. */
  readonly tooLong: boolean;
}

export interface ChooserParts {
  readonly library: Pick<Library, 'match' | 'findSticker' | 'synonymsOf' | 'revision'>;
  readonly ownedPresets: () => ReadonlySet<string>;
  readonly haveOf: (preset: string) => Have;
  readonly clock: Pick<Clock, 'monotonic'>;
}

export type ChooseStickers = (slots: readonly Slot[]) => Promise<ReadonlyMap<Slot, Choice>>;

const OTHERS = 3;
/** As many matches as nearly every slot needs, and as many as are looked at for one whose pictures are used or too long. */
const LOOKED = 24;
const LOOKED_AT_MOST = 200;
const SHAPE_TOLERANCE = 1.25;
/** After so long other requests have their turn. */
const TURN_MS = 8;

type Found = Omit<Choice, 'others'> & { readonly ranked: readonly Candidate[] };

/** What the slots before have used. */
interface Used {
  readonly presets: Set<string>;
  readonly pictures: Set<string>;
}

export function createChooseStickers(parts: ChooserParts): ChooseStickers {
  const { library, haveOf, clock } = parts;
  const ownedStyles = createOwnedStyles(parts);

  const findFor = (slot: Slot, used: Used): Found => {
    const narrow = lookAt(slot, LOOKED, used, library);
    const enough = narrow.ranked.filter(({ sticker }) => !isUsed(sticker, used.pictures)).length > OTHERS;
    const { ranked, tooLong } = enough || !narrow.hasMore ? narrow : lookAt(slot, LOOKED_AT_MOST, used, library);
    const [best] = ranked;
    return { chosen: best && ownedStyleOf(best, slot, ranked, used), ranked, tooLong: tooLong && best === undefined };
  };

  /** The chosen one, or the same picture in a style that is owned and suits the slot as well. */
  const ownedStyleOf = (best: Candidate, slot: Slot, ranked: readonly Candidate[], used: Used): Candidate => {
    const have = haveOf(best.sticker.preset);
    if (have === 'owned' || have === 'own') return best;
    const styles = picturesOf(best.sticker)
      .flatMap((picture) => ownedStyles().get(picture) ?? [])
      .filter((one) => !used.presets.has(one.preset) && !isTooLong(one, slot))
      .filter((one) => suits(one, slot) || !suits(best.sticker, slot));
    const matched = ranked.find(({ sticker }) => styles.some(({ preset }) => preset === sticker.preset));
    if (matched !== undefined) return matched.fit === 'weak' && best.fit !== 'weak' ? best : matched;
    // Beyond what was looked at; one that is called the same was found by the same words.
    const twin = styles.find(({ title }) => title === best.sticker.title);
    return twin === undefined ? best : { ...best, sticker: twin };
  };

  return async (slots) => {
    const used = namedIn(slots, library);
    const found = new Map<Slot, Found>();
    let since = clock.monotonic();
    for (const slot of slots) {
      if (slot.preset !== undefined) continue;
      const one = findFor(slot, used);
      found.set(slot, one);
      if (one.chosen !== undefined) note(one.chosen.sticker, used);
      if (clock.monotonic() - since < TURN_MS) continue;
      await new Promise((resolve) => void setImmediate(resolve));
      since = clock.monotonic();
    }
    return new Map(
      [...found].map(([slot, { ranked, ...rest }]) => [slot, { ...rest, others: othersOf(ranked, used) }] as const),
    );
  };
}

/** What the slots name themselves is theirs, also where it stands further down. */
function namedIn(slots: readonly Slot[], library: ChooserParts['library']): Used {
  const used: Used = { presets: new Set(), pictures: new Set() };
  for (const { preset } of slots) {
    if (preset === undefined) continue;
    used.presets.add(preset);
    const sticker = library.findSticker(preset);
    if (sticker !== undefined) note(sticker, used);
  }
  return used;
}

function note(sticker: Sticker, { presets, pictures }: Used): void {
  presets.add(sticker.preset);
  for (const picture of picturesOf(sticker)) pictures.add(picture);
}

/** What tells that two stickers are styles of one picture: what is drawn, as far as the service says so, or the title. */
function picturesOf(sticker: Sticker): readonly string[] {
  return [conceptKey(sticker), `title ${sticker.title}`];
}

function isUsed(sticker: Sticker, pictures: ReadonlySet<string>): boolean {
  return picturesOf(sticker).some((picture) => pictures.has(picture));
}

/** The candidates of a slot among its first `limit` matches, best first. */
function lookAt(slot: Slot, limit: number, used: Used, library: ChooserParts['library']) {
  const { text, keywords } = slot;
  const { hits, negated } = library.match({ text, keywords, limit });
  const free = hits.filter(({ sticker }) => !used.presets.has(sticker.preset));
  const short = free.filter(({ sticker }) => !isTooLong(sticker, slot));
  const candidates = short.map(({ sticker, reasons }): Candidate => {
    const said = reasons.filter(({ keyword }) => !negated.includes(keyword));
    return { sticker, fit: fitOf(said), why: tellReasons(said, sticker, keywords, library) };
  });
  const mindsWords = candidates[0] !== undefined && candidates[0].fit !== 'weak';
  const rankOf = ({ sticker, fit }: Candidate) =>
    (isUsed(sticker, used.pictures) ? 4 : 0) + (mindsWords && fit === 'weak' ? 2 : 0) + (suits(sticker, slot) ? 0 : 1);
  return {
    ranked: candidates.toSorted((a, b) => rankOf(a) - rankOf(b)),
    hasMore: hits.length >= limit,
    tooLong: free.length > short.length,
  };
}

function othersOf(ranked: readonly Candidate[], { presets, pictures }: Used): Candidate[] {
  const seen = new Set(pictures);
  const others: Candidate[] = [];
  for (const one of ranked) {
    if (others.length === OTHERS) break;
    if (presets.has(one.sticker.preset) || isUsed(one.sticker, seen)) continue;
    for (const picture of picturesOf(one.sticker)) seen.add(picture);
    others.push(one);
  }
  return others;
}

function isTooLong({ duration }: Sticker, { max_duration_s: max }: Slot): boolean {
  return max !== undefined && duration !== undefined && duration > max;
}

function suits(sticker: Sticker, { aspect }: Slot): boolean {
  if (aspect === undefined) return true;
  const own = aspectOf(sticker);
  return own !== undefined && Math.max(own / aspect, aspect / own) <= SHAPE_TOLERANCE;
}

/** Words that the copy says are not so speak for nothing. */
function fitOf(reasons: readonly Reason[]): Fit {
  const direct = reasons.filter(({ source }) => source === 'direct');
  if (direct.some(({ field }) => field === 'title')) return 'strong';
  return direct.length > 0 ? 'fair' : 'weak';
}

/** A line for each word: what the sticker itself has, else by what it was found. */
function tellReasons(
  reasons: readonly Reason[],
  sticker: Sticker,
  keywords: readonly string[] = [],
  library: Pick<Library, 'synonymsOf'>,
): string[] {
  const lines = new Map<string, string>();
  for (const source of ['direct', 'synonym'] as const) {
    for (const field of ['title', 'keywords'] as const) {
      for (const { keyword, ...reason } of reasons) {
        if (reason.source !== source || reason.field !== field || lines.has(keyword)) continue;
        const word = nameOf(keyword, sticker, keywords, library);
        lines.set(keyword, `${source === 'direct' ? '' : 'a synonym of '}${word} in the ${field}`);
      }
    }
  }
  return [...lines.values()];
}

/**
 * A word as a plan may tell it. Words of a copy are cut by the tables, which hold words alone; an explicit keyword may hold a
 * sentence of which only a part was found: then it is called by its number.
 */
function nameOf(
  word: string,
  { title, keywords }: Sticker,
  explicit: readonly string[],
  library: Pick<Library, 'synonymsOf'>,
): string {
  const number = explicit.findIndex((one) => one.trim() === word) + 1;
  if (number === 0) return word;
  const normal = normalise(word);
  const isFound = [title, ...keywords].some((text) => normalise(text).includes(normal));
  return isFound || library.synonymsOf(normal).length > 0 ? word : `keyword ${number}`;
}

/** The owned stickers by what they show, kept until something is bought or learned. */
function createOwnedStyles({ library, ownedPresets }: ChooserParts): () => ReadonlyMap<string, readonly Sticker[]> {
  let known: { presets: ReadonlySet<string>; revision: number; styles: Map<string, Sticker[]> } | undefined;
  return () => {
    const presets = ownedPresets();
    const { revision } = library;
    if (known?.presets === presets && known.revision === revision) return known.styles;
    const styles = new Map<string, Sticker[]>();
    for (const preset of [...presets].toSorted()) {
      const sticker = library.findSticker(preset);
      if (sticker === undefined) continue;
      for (const picture of picturesOf(sticker)) styles.set(picture, [...(styles.get(picture) ?? []), sticker]);
    }
    known = { presets, revision, styles };
    return styles;
  };
}
