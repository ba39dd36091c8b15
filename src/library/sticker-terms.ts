// All terms of one sticker, with how often each field has them and how surely it means them. The one place where a
// sticker becomes terms, for the whole index and for a changed sticker alike.

import type { Glossary } from './glossary.js';
import { MEANING_MARK, meaningsIn } from './meanings.js';
import { normalise } from './normalise.js';
import { readingTerm } from './pinyin-terms.js';
import { tokenise, WHOLE_MARK } from './tokenise.js';

/** What the index needs to know of a sticker. */
export interface Indexable {
  readonly rowid: number;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly concept?: string | undefined;
}

export interface FieldTerms {
  /** How often each term occurs. */
  readonly counts: ReadonlyMap<string, number>;
}

export interface StickerTerms {
  readonly title: FieldTerms;
  readonly keywords: FieldTerms;
  /** Per meaning and reading, with its mark, how surely title and keywords have it. */
  readonly meanings: ReadonlyMap<string, { title: number; keywords: number }>;
}

/** A keyword shows less surely than a title what is drawn. */
const KEYWORD_MEANING = 0.6;

/** The terms of a sticker. */
export function termsOf({ title, keywords }: Indexable, glossary: Glossary): StickerTerms {
  const titles = [normalise(title)];
  const words = keywords.map(normalise);
  const meanings = new Map<string, { title: number; keywords: number }>();
  const put = (term: string, field: 'title' | 'keywords', sure: number) => {
    const known = meanings.get(term) ?? { title: 0, keywords: 0 };
    known[field] = Math.max(known[field], field === 'title' ? sure : sure * KEYWORD_MEANING);
    meanings.set(term, known);
  };
  for (const [field, texts] of [
    ['title', titles],
    ['keywords', words],
  ] as const) {
    for (const text of texts) {
      for (const [stem, sure] of meaningsIn(text, glossary)) put(MEANING_MARK + stem, field, sure);
      for (const reading of readingsOf(text)) put(reading, field, 1);
    }
  }
  return { title: { counts: countTerms(titles) }, keywords: { counts: countTerms(words) }, meanings };
}

function readingsOf(text: string): string[] {
  const wholes = tokenise(text).filter(({ kind }) => kind === 'whole');
  return wholes.flatMap(({ term }) => readingTerm(term.slice(WHOLE_MARK.length)) ?? []);
}

function countTerms(texts: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const text of texts) {
    for (const { term } of tokenise(text)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}
