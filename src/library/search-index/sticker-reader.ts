// Reads a sticker as the numbers of its terms. A library repeats its titles and keywords: each is cut once.

import { createHash } from 'node:crypto';
import type { Glossary } from '../language/glossary.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import type { TermDictionary } from '../packed/term-dictionary.js';
import {
  associatedTerms,
  conceptKey,
  KEYWORD_MEANING,
  nameOfTitle,
  termsOfText,
  type Indexable,
} from './sticker-terms.js';
import { IN_KEYWORDS, IN_TITLE } from './weigh-terms.js';

export interface ReadSticker {
  /** How often title and keywords have each term. */
  readonly title: ReadonlyMap<number, number>;
  readonly keywords: ReadonlyMap<number, number>;
  /** What it is called in neither. */
  readonly others: readonly number[];
  readonly meanings: ReadonlyMap<number, { readonly fields: number; readonly sure: number }>;
  /** Its titles and keywords, each once, and how many of them are the title's. */
  readonly wholes: readonly number[];
  readonly names: number;
  /** Terms that stand for its concept and for what it is called. */
  readonly concept: number;
  readonly name: number;
}

interface ReadText {
  readonly terms: readonly number[];
  readonly wholes: readonly number[];
  readonly meanings: readonly (readonly [term: number, sure: number])[];
  readonly asTitle: readonly (readonly [term: number, sure: number])[];
  readonly name: string;
}

/** Stands before what stands for a concept; such a term has no documents. */
const CONCEPT_MARK = '\n';
/** More texts are not remembered at a time. */
const REMEMBERED = 20_000;

export class StickerReader {
  private readonly terms: TermDictionary;
  private readonly glossary: Glossary;
  private readonly texts = new Map<string, ReadText>();

  constructor(terms: TermDictionary, glossary: Glossary) {
    this.terms = terms;
    this.glossary = glossary;
  }

  read(sticker: Indexable): ReadSticker {
    const title = this.readText(sticker.title);
    const keywords = sticker.keywords.map((keyword) => this.readText(keyword));
    const meanings = new Map<number, { fields: number; sure: number }>();
    const mean = (term: number, field: number, sure: number) => {
      const known = meanings.get(term) ?? { fields: 0, sure: 0 };
      meanings.set(term, { fields: known.fields | field, sure: Math.max(known.sure, sure) });
    };
    for (const [term, sure] of title.asTitle) mean(term, IN_TITLE, sure);
    for (const keyword of keywords)
      for (const [term, sure] of keyword.meanings) mean(term, IN_KEYWORDS, sure * KEYWORD_MEANING);
    return {
      title: count([title]),
      keywords: count(keywords),
      others: (sticker.names ?? []).map((name) => this.terms.add(WHOLE_MARK + name)),
      meanings,
      wholes: [...new Set([title, ...keywords].flatMap(({ wholes }) => wholes))],
      names: new Set(title.wholes).size,
      concept: this.terms.add(CONCEPT_MARK + shortOf(conceptKey(sticker))),
      name: this.terms.add(title.name),
    };
  }

  private readText(text: string): ReadText {
    const known = this.texts.get(text);
    if (known !== undefined) return known;
    if (this.texts.size >= REMEMBERED) this.texts.clear();
    const { terms, meanings } = termsOfText(text, this.glossary);
    const associated = associatedTerms(text);
    const numbered = (sure: Iterable<readonly [string, number]>) =>
      Array.from(sure, ([term, value]) => [this.terms.add(term), value] as const);
    const own = numbered(new Map(meanings));
    const read = {
      terms: terms.map((term) => this.terms.add(term)),
      wholes: terms.filter((term) => term.startsWith(WHOLE_MARK)).map((term) => this.terms.add(term)),
      meanings: own,
      asTitle: associated.length === 0 ? own : numbered(new Map([...meanings, ...associated])),
      name: nameOfTitle(terms),
    };
    this.texts.set(text, read);
    return read;
  }
}

/** Titles and keywords together are too long to be kept for each sticker. */
function shortOf(key: string): string {
  return createHash('sha1').update(key).digest('base64').slice(0, 12);
}

function count(texts: readonly ReadText[]): Map<number, number> {
  const counts = new Map<number, number>();
  for (const { terms } of texts) for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1);
  return counts;
}
