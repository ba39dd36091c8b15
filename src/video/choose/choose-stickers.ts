// Which sticker each slot of a plan gets, from the library alone: all slots together, so that none takes what another has better
// use for. The rules:
//
// - The order of match decides; a slot that names a preset gets that very sticker.
// - A picture is used once: no sticker twice, and another style of a picture (the same concept, or the same title) only
//   where nothing else is left.
// - A sticker known to be longer than `max_duration_s` is left out. One whose shape is within a quarter of `aspect` comes
//   before one of another shape, but none that fits only loosely before one that fits.
// - Where a style is asked for, what fits in it comes before what fits better in another (one-style.ts).
// - Among several styles of the chosen picture one that is owned is taken.

import type { Have } from '../../api/plan.js';
import type { Slot } from '../../api/slot.js';
import type { Reason } from '../../contract/candidate.js';
import { roundFit, wordOfFit, type FitWord } from '../../contract/fit.js';
import { normalise } from '../../library/language/normalise.js';
import type { MatchQuestion } from '../../library/found-stickers.js';
import type { Library } from '../../library/library.js';
import type { StickerFilter } from '../../library/query/filter.js';
import type { Submission } from '../../library/query/keyword-extraction.js';
import { conceptKey } from '../../library/search-index/sticker-terms.js';
import { aspectOf, styleOf, type Sticker } from '../../model/sticker.js';
import type { Clock } from '../../platform/clock.js';
import { ownTurn, stepOf } from '../../platform/steps.js';
import { assign } from './assign.js';
import { ANY, AUTO, commonStyle } from './one-style.js';
import { isByWords } from './slot-basis.js';

export interface Candidate {
  readonly sticker: Sticker;
  readonly fit: FitWord;
  readonly fitScore: number;
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
  readonly library: Pick<Library, 'match' | 'findSticker' | 'synonymsOf' | 'revision' | 'requireStyle'>;
  readonly ownedPresets: () => ReadonlySet<string>;
  readonly haveOf: (preset: string) => Have;
  readonly clock: Pick<Clock, 'monotonic'>;
}

/** `shipped` is whether svcd's own art may be chosen by words; `style` a name, `auto` or `any`; nothing else than `filter` lets through. */
export type ChooseStickers = (
  slots: readonly Slot[],
  shipped: boolean,
  style: string,
  filter?: StickerFilter,
) => Promise<{ readonly choices: ReadonlyMap<Slot, Choice>; readonly style: string | undefined }>;

const OTHERS = 3;
/** As many matches as nearly every slot needs, and as many as are looked at for one whose pictures are used or too long. */
const LOOKED = 24;
const LOOKED_AT_MOST = 200;
const SHAPE_TOLERANCE = 1.25;

type OwnedStyles = ReadonlyMap<string, readonly Sticker[]>;

/** What a slot may get, best first. */
interface Looked {
  readonly slot: Slot;
  readonly ranked: readonly Rated[];
  readonly hasMore: boolean;
  readonly tooLong: boolean;
}

interface Rated extends Candidate {
  /** What taking it loses, in whole numbers. */
  readonly loss: number;
}

/** What named slots use, or what all do in the end. */
interface Used {
  readonly presets: Set<string>;
  readonly pictures: Set<string>;
}

/** Each outweighs fifty of the one before: score, shape, another style, a loose fit where a better one is to be had, a picture again, nothing. */
const LOSS = { score: 1000, shape: 1e5, style: 1e7, weak: 1e9, repeat: 1e11, nothing: 1e13 };

export function createChooseStickers(parts: ChooserParts): ChooseStickers {
  const { library, haveOf } = parts;
  const ownedStyles = createOwnedStyles(parts);

  /** The chosen one, or the same picture in a style that is owned and suits the slot as well. */
  const ownedStyleOf = (
    best: Candidate,
    { slot, ranked }: Looked,
    presets: ReadonlySet<string>,
    owned: OwnedStyles,
  ): Candidate => {
    const have = haveOf(best.sticker.preset);
    if (have === 'owned' || have === 'own') return best;
    const styles = picturesOf(best.sticker)
      .flatMap((picture) => owned.get(picture) ?? [])
      .filter((one) => !presets.has(one.preset) && !isTooLong(one, slot))
      .filter((one) => suits(one, slot) || !suits(best.sticker, slot));
    const matched = ranked.find(({ sticker }) => styles.some(({ preset }) => preset === sticker.preset));
    if (matched !== undefined) return matched.fit === 'weak' && best.fit !== 'weak' ? best : matched;
    // Beyond what was looked at; one that is called the same was found by the same words.
    const twin = styles.find(({ title }) => title === best.sticker.title);
    return twin === undefined ? best : { ...best, sticker: twin };
  };

  return async (slots, shipped, asked, filter) => {
    if (asked !== ANY && asked !== AUTO) library.requireStyle(asked);
    const named = namedIn(slots, library);
    const styles = await ownedStyles();
    const look = async (slot: Slot, limit: number): Promise<Looked> => {
      await ownTurn();
      return lookAt(slot, { limit, filter, ...(!shipped && { shipped: 'left-out' }) }, named, library);
    };
    let rows: Looked[] = [];
    // Whatever their order in the copy, they get the same.
    const wordy = slots.filter(isByWords).toSorted((a, b) => (a.id < b.id ? -1 : 1));
    // Other styles of a picture stand further behind.
    for (const slot of wordy) rows.push(await look(slot, asked === ANY ? LOOKED : LOOKED_AT_MOST));
    const isOwned = (preset: string) => ['owned', 'own'].includes(haveOf(preset));
    const lists = rows.map(({ ranked }) => ranked);
    const style = asked === AUTO ? commonStyle(lists, [...named.presets], isOwned) : asked === ANY ? undefined : asked;
    if (style !== undefined) rows = rows.map((row) => inStyle(row, style));
    let picks = await pickForAll(rows, named);
    const all = usedBy(named, picks);
    const isShort = (row: Looked, i: number) =>
      asked === ANY && row.hasMore && (isRepeat(i, picks, named) || othersOf(row.ranked, all).length < OTHERS);
    const short = rows.flatMap((row, i) => (isShort(row, i) ? [i] : []));
    if (short.length > 0) {
      for (const i of short) rows[i] = await look(rows[i]!.slot, LOOKED_AT_MOST);
      picks = await pickForAll(rows, named);
    }
    const presets = new Set([...named.presets, ...picks.flatMap((pick) => pick?.sticker.preset ?? [])]);
    const chosen = rows.map((row, i) => {
      const pick = picks[i];
      const one =
        pick === undefined || asked !== ANY || filter !== undefined ? pick : ownedStyleOf(pick, row, presets, styles);
      if (one !== undefined) presets.add(one.sticker.preset);
      return one;
    });
    const used = usedBy(named, chosen);
    await ownTurn();
    const choices = rows.map(({ slot, ranked, tooLong }, i) => {
      const others = othersOf(ranked, used);
      return [slot, { chosen: chosen[i], others, tooLong: tooLong && ranked.length === 0 }] as const;
    });
    return { choices: new Map(choices), style };
  };
}

/** What each row gets, at the least loss of all together; in steps. */
async function pickForAll(rows: readonly Looked[], named: Used): Promise<(Candidate | undefined)[]> {
  await ownTurn();
  const pictureOf = joinPictures(rows.flatMap(({ ranked }) => ranked.map(({ sticker }) => sticker)));
  const taken = new Set([...named.pictures].map(pictureOf));
  const bestOf = rows.map(({ ranked }) => {
    const best = new Map<string, Rated>();
    for (const one of ranked) {
      const picture = pictureOf(picturesOf(one.sticker)[0]!);
      if (!taken.has(picture) && one.loss < (best.get(picture)?.loss ?? Infinity)) best.set(picture, one);
    }
    // The others can take all but one of so many: no row needs one that is dearer.
    const cheapest = new Set([...best.values()].toSorted((a, b) => a.loss - b.loss).slice(0, rows.length));
    return new Map([...best].filter(([, one]) => cheapest.has(one)));
  });
  // Where two are alike, the one that match lists earlier is met first.
  const places = new Map<string, number>();
  for (const best of bestOf) {
    [...best.keys()].forEach((picture, at) => places.set(picture, Math.min(at, places.get(picture) ?? at)));
  }
  const pictures = [...places.keys()].toSorted((a, b) => places.get(a)! - places.get(b)! || (a < b ? -1 : 1));
  const columns = new Map(pictures.map((picture, i) => [picture, i]));
  const repeats = pictures.length;
  await ownTurn();
  const chosen = assign(
    rows.map(({ ranked }, row) => {
      const costs = new Float64Array(repeats + 2 * rows.length).fill(Infinity);
      for (const [picture, { loss }] of bestOf[row]!) costs[columns.get(picture)!] = loss;
      if (ranked.length > 0) costs[repeats + row] = LOSS.repeat + Math.min(...ranked.map(({ loss }) => loss));
      costs[repeats + rows.length + row] = LOSS.nothing;
      return costs;
    }),
  );
  await ownTurn();
  const picks = rows.map((_, row) => bestOf[row]!.get(pictures[chosen[row]!] ?? ''));
  const presets = new Set([...named.presets, ...picks.flatMap((pick) => pick?.sticker.preset ?? [])]);
  return rows.map(({ ranked }, row) => {
    if (picks[row] !== undefined || chosen[row]! >= repeats + rows.length) return picks[row];
    const again = ranked.find(({ sticker }) => !presets.has(sticker.preset));
    if (again !== undefined) presets.add(again.sticker.preset);
    return again;
  });
}

/** Names a picture by any of its keys, the same for all that are joined by concept or title. */
function joinPictures(stickers: readonly Sticker[]): (key: string) => string {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined; up = parents.get(root)) root = up;
    return root;
  };
  for (const sticker of stickers) {
    const [one, other] = picturesOf(sticker).map(rootOf).toSorted() as [string, string];
    if (one !== other) parents.set(other, one);
  }
  return rootOf;
}

function usedBy(named: Used, chosen: readonly (Candidate | undefined)[]): Used {
  const used: Used = { presets: new Set(named.presets), pictures: new Set(named.pictures) };
  for (const one of chosen) if (one !== undefined) note(one.sticker, used);
  return used;
}

/** Whether a row got nothing, or a picture that is somewhere else too. */
function isRepeat(row: number, picks: readonly (Candidate | undefined)[], named: Used): boolean {
  const pick = picks[row];
  const rest = usedBy(
    named,
    picks.filter((_, i) => i !== row),
  );
  return pick === undefined || isUsed(pick.sticker, rest.pictures);
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

/** The candidates of a slot among its first matches, best first. */
function lookAt(
  slot: Slot,
  asked: Omit<MatchQuestion, keyof Submission>,
  named: Used,
  library: ChooserParts['library'],
): Looked {
  const { text, keywords } = slot;
  const { hits, negated } = library.match({ text, keywords, ...asked });
  const free = hits.filter(({ sticker }) => !named.presets.has(sticker.preset));
  const short = free.filter(({ sticker }) => !isTooLong(sticker, slot));
  const best = Math.max(...short.map(({ score }) => score));
  let lost = 0;
  const found = short.map(({ sticker, reasons, score, fit }) => {
    const said = reasons.filter(({ keyword }) => !negated.includes(keyword));
    const why = tellReasons(said, sticker, keywords, library);
    // What the service no longer has is listed last, whatever its score.
    lost = best > 0 ? Math.max(lost, Math.round(LOSS.score * (1 - Math.max(0, score) / best))) : 0;
    const fitScore = roundFit(fit);
    return { sticker, fit: wordOfFit(fit), fitScore, why, loss: lost + (suits(sticker, slot) ? 0 : LOSS.shape) };
  });
  const mindsFit = found.some(({ fit }) => fit !== 'weak');
  const rated = found.map((one) => (mindsFit && one.fit === 'weak' ? { ...one, loss: one.loss + LOSS.weak } : one));
  return {
    slot,
    ranked: byRank(rated),
    hasMore: hits.length >= asked.limit,
    tooLong: free.length > short.length,
  };
}

/** Among those alike the order of match, which may know more than the score. */
function byRank(rated: readonly Rated[]): readonly Rated[] {
  const rankOf = ({ loss }: Rated) => Math.floor(loss / LOSS.shape);
  return rated.toSorted((a, b) => rankOf(a) - rankOf(b));
}

/** What fits in the style of all comes first. */
function inStyle(row: Looked, style: string): Looked {
  const isIn = ({ fit, sticker }: Rated) => fit !== 'weak' && styleOf(sticker.preset) === style;
  return {
    ...row,
    ranked: byRank(row.ranked.map((one) => (isIn(one) ? one : { ...one, loss: one.loss + LOSS.style }))),
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
        const named = source === 'direct' ? word : `a synonym of ${word}`;
        lines.set(keyword, field === 'title' ? `${named} in the title` : `${named} in the keywords`);
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

/** The owned stickers by what they show, kept until something is bought or learned; made in steps. */
function createOwnedStyles({ library, ownedPresets, clock }: ChooserParts): () => Promise<OwnedStyles> {
  let known: { presets: ReadonlySet<string>; revision: number; styles: OwnedStyles } | undefined;
  return async () => {
    const presets = ownedPresets();
    const { revision } = library;
    if (known?.presets === presets && known.revision === revision) return known.styles;
    const styles = new Map<string, Sticker[]>();
    let isOver = stepOf(clock);
    for (const preset of [...presets].toSorted()) {
      if (isOver()) {
        await ownTurn();
        isOver = stepOf(clock);
      }
      const sticker = library.findSticker(preset);
      if (sticker === undefined) continue;
      for (const picture of picturesOf(sticker)) styles.set(picture, [...(styles.get(picture) ?? []), sticker]);
    }
    known = { presets, revision, styles };
    return styles;
  };
}
