// All terms of one sticker, with how often each field has them and how surely it means them. The one place where a
// sticker becomes terms, for the whole index and for a changed sticker alike.

import { associationsOf } from '../language/associations.js';
import type { Glossary } from '../language/glossary.js';
import { MEANING_MARK, meaningsIn } from '../language/concepts.js';
import { normalise } from '../language/normalise.js';
import { readingTerm } from './reading-term.js';
import { tokenise, WHOLE_MARK } from '../language/tokenise.js';

/** What the index needs to know of a sticker. */
export interface Indexable {
  readonly rowid: number;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly concept?: string | undefined;
}

export interface StickerTerms {
  /** How often each term occurs in the title. */
  readonly title: ReadonlyMap<string, number>;
  /** How often each term occurs in the keywords. */
  readonly keywords: ReadonlyMap<string, number>;
  /** Per meaning and reading, with its mark, how surely title and keywords have it. */
  readonly meanings: ReadonlyMap<string, { title: number; keywords: number }>;
}

/** What a title or keyword comes to. */
interface TextTerms {
  readonly terms: readonly string[];
  readonly meanings: readonly (readonly [term: string, sure: number])[];
}

const NUMBERED_TITLE = /[\u4E00-\u9FFF]{2}\d{1,2}$/;
/** A keyword shows less surely than a title what is drawn. */
export const KEYWORD_MEANING = 0.6;
/** A picture is sent for what it brings to mind as often as for what it shows. */
const ASSOCIATED = 1;

/** Stickers with the same key show the same thing; without a concept, the same words are taken for the same. */
export function conceptKey({ concept, title, keywords }: Omit<Indexable, 'rowid'>): string {
  return concept ?? `\n${title}\n${keywords.join('\n')}`;
}

/** The terms of a sticker. */
export function termsOf({ title, keywords }: Indexable, glossary: Glossary): StickerTerms {
  const titles = [termsOfText(title, glossary)];
  const words = keywords.map((keyword) => termsOfText(keyword, glossary));
  const meanings = new Map<string, { title: number; keywords: number }>();
  for (const [term, sure] of titles[0]!.meanings) meanings.set(term, { title: sure, keywords: 0 });
  for (const [term, sure] of associatedTerms(title)) meanings.set(term, { title: sure, keywords: 0 });
  for (const [term, sure] of words.flatMap((word) => word.meanings)) {
    const known = meanings.get(term) ?? { title: 0, keywords: 0 };
    meanings.set(term, { ...known, keywords: Math.max(known.keywords, sure * KEYWORD_MEANING) });
  }
  return { title: count(titles), keywords: count(words), meanings };
}

function count(texts: readonly TextTerms[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { terms } of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}

/** The terms of a title or keyword, as often as it has them, and what it means. */
export function termsOfText(raw: string, glossary: Glossary): TextTerms {
  const text = normalise(raw);
  const tokens = tokenise(text);
  const wholes = tokens.filter(({ kind }) => kind === 'whole');
  const readings = wholes.flatMap(({ term }) => readingTerm(term.slice(WHOLE_MARK.length)) ?? []);
  return {
    terms: tokens.map(({ term }) => term),
    meanings: [
      ...Array.from(meaningsIn(text, glossary), ([stem, sure]) => [MEANING_MARK + stem, sure] as const),
      ...readings.map((reading) => [reading, 1] as const),
    ],
  };
}

/** What a title brings to mind besides; takes the place of what it means. */
export function associatedTerms(title: string): readonly (readonly [term: string, sure: number])[] {
  return associationsOf(normalise(title)).map((stem) => [MEANING_MARK + stem, ASSOCIATED]);
}

/**
 * What a title with these terms is called: its longest whole; of 图片2 that is 图片, so that match does not list four
 * airplanes for one. Concepts are in the index itself.
 */
export function nameOfTitle(terms: Iterable<string>): string {
  let name = '';
  for (const term of terms) {
    if (term.startsWith(WHOLE_MARK) && term.length > name.length && !NUMBERED_TITLE.test(term)) name = term;
  }
  return name;
}
