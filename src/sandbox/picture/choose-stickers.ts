// Which stickers of the catalogue a prompt speaks of: by the words its titles and keywords are found by, and, since
// those are Chinese, by the English names of the art too.

import type { Database } from '../../platform/open-database.js';
import type { CatalogueEntry } from '../../catalogue/catalogue.js';
import type { Shelf } from '../shelf.js';
import type { StickerFinder } from '../sticker-finder.js';

/** Coloured art first: an outline is lost on a picture. */
const SETS = ['fluent-emoji-flat', 'twemoji', 'iconpark-multi-color', 'iconpark-filled'];
/** So many of them are painted rather than drawn in lines. */
const PAINTED = 2;
const LOOKED_AT = 50;
const WORDS_MAX = 12;
/** One character after a measure word, as in 一只猫: a thing, where a character inside a run is mostly half of another. */
const COUNTED = /[只个条朵匹头棵颗辆座](\p{Script=Han})(?=[和与跟在的坐]|\P{Script=Han}|$)/gu;
/** Words of a prompt that are no things; those of colors are read elsewhere. */
const DULL = new Set(
  'the and with for two three from over under background picture image photo color color style red orange yellow green blue purple pink brown black white gray grey gold light dark'.split(
    ' ',
  ),
);

export type ChooseStickers = (prompt: string, count: number) => CatalogueEntry[];

/** Chooses at most `count` stickers of different things, what is named first before the rest. */
export function chooseStickersFrom(db: Database, finder: StickerFinder, shelf: Shelf): ChooseStickers {
  const named = db.prepare<[string, string], { entry: string }>(
    // The bounds let the index of presets be searched, a tenth of it, instead of every sticker.
    `SELECT entry FROM sticker WHERE preset >= 'fluent-emoji-flat/' AND preset < 'fluent-emoji-flat0'
     AND preset LIKE ? ESCAPE '\\'
     ORDER BY length(preset), id LIMIT CAST(? AS INTEGER)`,
  );
  const byName = (word: string): CatalogueEntry[] =>
    named
      .all(`%${word.replaceAll(/[\\%_]/g, '\\$&')}%`, String(LOOKED_AT))
      .map(({ entry }) => JSON.parse(entry) as CatalogueEntry)
      .filter(({ art }) => art.split('-').some((part) => part === word || part === `${word}s`))
      .slice(0, 1);
  const found = (asked: { text: string } | { keywords: string[] }): CatalogueEntry[] =>
    finder
      .match({ ...asked, limit: LOOKED_AT })
      .hits.flatMap(({ sticker }) => shelf.findEntry(sticker.preset) ?? []);
  return (prompt, count) => {
    const counted = [...prompt.matchAll(COUNTED)].map(([, thing = '']) => thing).slice(0, WORDS_MAX);
    const chinese = found({ text: prompt.replaceAll(/[a-z]+/gi, ' ') });
    const words = prompt.toLowerCase().match(/[a-z]{3,}/g) ?? [];
    const english = [...new Set(words.map(singular))].filter((word) => !DULL.has(word)).slice(0, WORDS_MAX);
    const first = counted.flatMap((thing) => bestOfEach(found({ keywords: [thing] })).slice(0, 1));
    return distinct([...first, ...bestOfEach(chinese), ...english.flatMap(byName)]).slice(0, count);
  };
}

function bestOfEach(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const rank = ({ set }: CatalogueEntry) => (SETS.includes(set) ? SETS.indexOf(set) : SETS.length);
  const titles = [...new Set(entries.map(({ title }) => title))];
  const best = titles.flatMap((title) => {
    const same = entries.filter((entry) => entry.title === title);
    return same.toSorted((a, b) => rank(a) - rank(b)).slice(0, 1);
  });
  const painted = best.filter((entry) => rank(entry) < PAINTED);
  return painted.length > 0 ? painted : best;
}

function distinct(entries: readonly CatalogueEntry[]): CatalogueEntry[] {
  const seen = new Set<string>();
  return entries.filter(({ concept }) => !seen.has(concept) && seen.add(concept));
}

function singular(word: string): string {
  return word.length > 3 && word.endsWith('s') && !word.endsWith('ss') ? word.slice(0, -1) : word;
}
