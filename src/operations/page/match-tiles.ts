// What suits a copy, as tiles: the best of all of it, or of each of its sentences. In steps, so that nobody else waits; nothing of the copy is kept or logged. Which of them each sentence gets is found as for the slots of a plan (video/choose).

import type { TileMatch, TileMatchRequest } from '../../api/tile.js';
import { SLOTS_MAX, type Slot } from '../../api/slot.js';
import { relatedFrom } from '../../contract/fit.js';
import type { MatchHits } from '../../library/found-stickers.js';
import { findOffers } from '../../library/language/offers.js';
import { findWord, foldWithPlaces, type Place } from '../../library/language/places.js';
import type { ExplainSticker } from '../../library/query/explain-words.js';
import { filterOf } from '../search/find-stickers.js';
import type { MakeTiles, TileHit, TileSources } from './make-tiles.js';
import { inParts, ownTurn } from '../../platform/steps.js';
import { createChooseStickers } from '../../video/choose/choose-stickers.js';

export type MatchTiles = (request: TileMatchRequest, withCollections: boolean) => Promise<TileMatch>;

/** Words of all of it may have to be looked up in the glossary. */
const EXPLAINED_AT_ONCE = 12;
/** Of all sentences together: a text of a thousand lines has fewer of each. */
const TILES_MAX = 1200;

type Sentence = TileMatch['sentences'][number];

export function createMatchTiles(sources: TileSources, makeTiles: MakeTiles): MatchTiles {
  const { library, art, untilWarm, ownedPresets } = sources;
  // Asked once a request, and looked at for each of ten thousand candidates.
  let owned: ReadonlySet<string> = new Set();
  const haveOf = (preset: string) => (owned.has(preset) ? 'owned' : 'no');
  const chooseStickers = createChooseStickers({ ...sources, haveOf });
  return async ({ text, keywords, by, limit, style: asked, lines, filters }, withCollections) => {
    await art.untilReady();
    await untilWarm();
    owned = ownedPresets();
    const wanted = filterOf(filters, owned, library);
    const filter = Object.values(wanted).some((one) => one !== undefined) ? wanted : undefined;
    const tilesOf = makeTiles(withCollections);
    const rest = [...lines];
    const matchOne = async (at: Place): Promise<Sentence> => {
      const part = text.slice(...at);
      const line = rest.findIndex((one) => one.text === part);
      const [{ q } = {}] = line < 0 ? [] : rest.splice(line, 1);
      const found = library.match({ text: q ?? part, keywords, limit: each, filter });
      await ownTurn();
      const explain = library.explain(found.extractedKeywords);
      return {
        at,
        ...(q !== undefined && { q }),
        words: wordsOf(found, part, at[0]),
        total: found.total,
        related_from: relatedFrom(found.hits),
        tiles: await inParts(found.hits, EXPLAINED_AT_ONCE, (hits) =>
          tilesOf(hits.map((hit) => explained(explain, hit))),
        ),
        best: null,
      };
    };
    const whole: Place = [0, text.length];
    const split = by === 'copy' ? [whole] : splitSentences(text);
    // Keywords alone are asked for too.
    const places = split.length === 0 && keywords.length > 0 ? [whole] : split;
    const each = Math.max(1, Math.min(limit, Math.floor(TILES_MAX / places.length)));
    const sentences: Sentence[] = [];
    for (const at of places) {
      sentences.push(await matchOne(at));
      await ownTurn();
    }
    // As many as a plan has slots; the others have their first tile.
    const slots = places.slice(0, SLOTS_MAX).map((at, nth): Slot => {
      return { id: String(nth).padStart(2, '0'), text: sentences[nth]?.q ?? text.slice(...at), keywords };
    });
    const { choices, style } = await chooseStickers(slots, true, asked, filter);
    await ownTurn();
    const bests = sentences.map(({ tiles }, nth) => {
      const sticker = slots[nth] && choices.get(slots[nth])?.chosen?.sticker;
      const known = tiles.find(({ preset }) => preset === (sticker?.preset ?? tiles[0]?.preset));
      return known ?? (sticker && tilesOf([{ sticker, shipped: false }])[0]) ?? null;
    });
    return { style: style ?? null, sentences: sentences.map((one, nth) => ({ ...one, best: bests[nth] ?? null })) };
  };
}

/** The words that were looked for, but those that the copy says are not so, with their first place in the copy. */
function wordsOf({ extractedKeywords, negated }: MatchHits, part: string, start: number): Sentence['words'] {
  const placed = foldWithPlaces(part);
  const offers = findOffers(placed.folded);
  const denied = new Set(negated);
  return extractedKeywords
    .filter((word) => !denied.has(word))
    .map((word) => {
      const { folded } = foldWithPlaces(word);
      const from = findWord(placed.folded, folded);
      const offer = from < 0 ? offers.find((one) => one.word === folded) : undefined;
      const said = offer ?? { start: from, end: from + folded.length };
      if (said.start < 0 || folded === '') return { word };
      const [first, end] = placed.placeOf(said.start, said.end);
      return { word, at: [start + first, start + end] as const };
    });
}

function explained(explain: ExplainSticker, hit: MatchHits['hits'][number]): TileHit {
  const { sticker, reasons } = hit;
  const because = explain(sticker, new Set(reasons.map(({ keyword }) => keyword)));
  const inTitle = reasons.find(({ field }) => field === 'title');
  if (because.length > 0 || inTitle === undefined) return { ...hit, because };
  // What only stands beside a word elsewhere in the library has no word of its own to show.
  const { title } = sticker;
  const { keyword: asked, source } = inTitle;
  return { ...hit, because: [{ word: title, asked, field: 'title', source, at: [0, title.length] }] };
}

/** What ends a sentence wherever it stands. */
const ENDS = /[。！？!?；;…⋯｡]/;
const BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/;
/** What still belongs to a sentence that has ended. */
const CLOSES = /[。！？!?；;…⋯｡.．"'”’」』》】）)\]]/;
const FULL_STOP = /[.．]/;
const SPACE_OR_END = /^["'”’」』》】）)\]]*(?:\s|$)/;
/** After these a full stop ends no sentence; nor after one letter, or the number of an item at its beginning. */
const SHORTENED = /(?:^|[^\p{L}\p{N}])(?:mr|mrs|ms|dr|vs|jr|sr|prof|e\.g|i\.e|\p{Script=Latin})$|^\s*\p{N}{1,3}$/iu;
/** What can be about something. */
const TELLING = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u;

/**
 * Where the sentences of a text stand, in UTF-16 units, without the space around them; empty ones are left out. They end at the
 * marks of Chinese and English, and at line breaks.
 */
export function splitSentences(text: string): Place[] {
  const sentences: Place[] = [];
  let start = 0;
  const put = (end: number) => {
    const sentence = text.slice(start, end);
    const from = start + (sentence.length - sentence.trimStart().length);
    const to = start + sentence.trimEnd().length;
    if (TELLING.test(sentence)) sentences.push([from, to]);
    start = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at]!;
    if (BREAKS.test(unit)) {
      put(at);
      continue;
    }
    const isEnd = ENDS.test(unit) || (FULL_STOP.test(unit) && isFullStop(text, start, at));
    if (!isEnd) continue;
    while (at + 1 < text.length && CLOSES.test(text[at + 1]!)) at += 1;
    put(at + 1);
  }
  put(text.length);
  return sentences;
}

/** A point in 3.5, in svcd.js or behind "Mr" is none. */
function isFullStop(text: string, start: number, at: number): boolean {
  if (!SPACE_OR_END.test(text.slice(at + 1)) && !FULL_STOP.test(text[at + 1] ?? '')) return false;
  const before = text.slice(start, at);
  // At the end of a line a number or a letter ends what it stands in.
  const isLast = /^["'”’」』》】）)\]]*\s*(?:[\n\r]|$)/.test(text.slice(at + 1));
  return isLast || !SHORTENED.test(before);
}
