// What a term in a sticker is worth: MiniSearch's BM25+ for title and keywords, rarity times sureness for meanings.

import type { StickerTerms } from './sticker-terms.js';

export const IN_TITLE = 1;
export const IN_KEYWORDS = 2;

/** Weight of each field; MiniSearch's `boost`. */
export const FIELD_BOOSTS = { title: 2, keywords: 1 } as const;
/** Stems that many stickers share tell still less than words that many share. */
const MEANING_RARITY_POWER = 1.15;
/** MiniSearch's own defaults. */
export const BM25 = { k: 1.2, b: 0.7, d: 0.5 } as const;

export const FIELD_BITS = { title: IN_TITLE, keywords: IN_KEYWORDS } as const;

/** What has to be known of the whole library to weigh one sticker. */
export interface LibraryFigures {
  readonly documents: number;
  readonly averageLength: Readonly<Record<'title' | 'keywords', number>>;
  /** How many stickers have the term in the field; meanings are counted in any. */
  frequency(term: string, field: 'title' | 'keywords' | 'any'): number;
}

/** Calls back for every term of a sticker with its field bits and its weight. */
export function weighTerms(
  terms: StickerTerms,
  figures: LibraryFigures,
  visit: (term: string, fields: number, weight: number) => void,
): void {
  const found = new Map<string, { fields: number; weight: number }>();
  for (const name of ['title', 'keywords'] as const) {
    const counts = terms[name];
    const length = counts.size / figures.averageLength[name];
    for (const [term, count] of counts) {
      const weight =
        FIELD_BOOSTS[name] * bm25(count, figures.frequency(term, name), figures.documents, length);
      const before = found.get(term) ?? { fields: 0, weight: 0 };
      found.set(term, { fields: before.fields | FIELD_BITS[name], weight: before.weight + weight });
    }
  }
  for (const [term, { fields, weight }] of found) visit(term, fields, weight);
  weighMeanings(terms.meanings, figures.documents, (term) => figures.frequency(term, 'any'), visit);
}

/** The same for what a sticker means: rarity times sureness. */
export function weighMeanings(
  meanings: StickerTerms['meanings'],
  documents: number,
  frequency: (term: string) => number,
  visit: (term: string, fields: number, weight: number) => void,
): void {
  for (const [term, sure] of meanings) {
    const fields = (sure.title > 0 ? IN_TITLE : 0) | (sure.keywords > 0 ? IN_KEYWORDS : 0);
    const rarity = rarityOf(frequency(term), documents) ** MEANING_RARITY_POWER;
    visit(term, fields, rarity * Math.max(sure.title, sure.keywords));
  }
}

/** MiniSearch's inverse document frequency. */
export function rarityOf(matching: number, total: number): number {
  return Math.log(1 + Math.max(0, total - matching + 0.5) / (matching + 0.5));
}

function bm25(frequency: number, matching: number, total: number, relativeLength: number): number {
  const { k, b, d } = BM25;
  return (
    rarityOf(matching, total) * (d + (frequency * (k + 1)) / (frequency + k * (1 - b + b * relativeLength)))
  );
}
