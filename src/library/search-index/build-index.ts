// Makes the compiled index from the stickers in one go. Terms, lengths and weights are those of MiniSearch, to which a
// property test holds them; building MiniSearch's own tree first would take many times as long. Terms are numbers as soon
// as they are known: a library repeats its words, and each is cut once.

import { CompiledIndex, type IndexArrays } from './compiled-index.js';
import { packPosting } from './postings.js';
import type { Glossary } from '../language/glossary.js';
import {
  associatedTerms,
  conceptKey,
  KEYWORD_MEANING,
  nameOfTitle,
  termsOfText,
  type Indexable,
} from './sticker-terms.js';
import { packTerms, TermDictionary } from '../packed/term-dictionary.js';
import { measureWholes } from './vocabulary.js';
import { bm25, FIELD_BITS, FIELD_BOOSTS, fieldsOfMeaning, rarityOf, worthOfMeaning } from './weigh-terms.js';

/** Is told now and then how much is done, from 0 to 1. */
export type WatchBuild = (part: number) => void;

/** Reading and cutting the texts takes about so much of a build. */
const READING = 0.7;
const TOLD_EVERY = 256;

/** The index of stickers given in preset order; takes about a second for 12,000. */
export function buildIndex(stickers: readonly Indexable[], glossary: Glossary, watch?: WatchBuild): CompiledIndex {
  const texts = new Texts(glossary);
  const documents = stickers.map(({ title, keywords }, i) => {
    if (i % TOLD_EVERY === 0) watch?.((READING * i) / stickers.length);
    return { title: texts.get(title), keywords: keywords.map((keyword) => texts.get(keyword)) };
  });
  watch?.(READING);
  return new CompiledIndex({
    rowids: Uint32Array.from(stickers, (sticker) => sticker.rowid),
    concepts: numberAlike(stickers.map(conceptKey)),
    titles: numberAlike(documents.map(({ title }) => title.name)),
    ...compile(documents, texts.terms),
  });
}

/** A number for each key, the same for the same. */
function numberAlike(keys: readonly string[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(keys, (key) => {
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

/** What a text means, by number, and how surely. */
interface Meanings {
  readonly terms: Uint32Array;
  readonly sure: Float64Array;
}

/** A title or keyword. */
interface TextNumbers {
  /** Its terms by number, as often as it has them. */
  readonly terms: Uint32Array;
  readonly meanings: Meanings;
  /** The same when it is a title. */
  readonly meaningsAsTitle: Meanings;
  /** What a sticker with this title is called. */
  readonly name: string;
}

interface DocumentTexts {
  readonly title: TextNumbers;
  readonly keywords: readonly TextNumbers[];
}

/** Texts as numbers, each worked out once. */
class Texts {
  /** Every term met, by number. */
  readonly terms: string[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly seen = new Map<string, TextNumbers>();
  private readonly glossary: Glossary;

  constructor(glossary: Glossary) {
    this.glossary = glossary;
  }

  get(text: string): TextNumbers {
    let found = this.seen.get(text);
    if (found === undefined) this.seen.set(text, (found = this.read(text)));
    return found;
  }

  private read(text: string): TextNumbers {
    const { terms, meanings } = termsOfText(text, this.glossary);
    const associated = associatedTerms(text);
    const own = this.readMeanings(new Map(meanings));
    return {
      terms: Uint32Array.from(terms, (term) => this.numberOf(term)),
      meanings: own,
      meaningsAsTitle: associated.length === 0 ? own : this.readMeanings(new Map([...meanings, ...associated])),
      name: nameOfTitle(terms),
    };
  }

  private readMeanings(meanings: ReadonlyMap<string, number>): Meanings {
    return {
      terms: Uint32Array.from(meanings.keys(), (term) => this.numberOf(term)),
      sure: Float64Array.from(meanings.values()),
    };
  }

  private numberOf(term: string): number {
    const known = this.numbers.get(term);
    if (known !== undefined) return known;
    this.numbers.set(term, this.terms.length);
    return this.terms.push(term) - 1;
  }
}

/** The distinct terms of one field of one document, and how often it has each. */
class TermBag {
  size = 0;
  readonly terms: Uint32Array;
  readonly times: Uint32Array;

  constructor(terms: number) {
    this.terms = new Uint32Array(terms);
    this.times = new Uint32Array(terms);
  }

  take(texts: readonly TextNumbers[]): void {
    for (let i = 0; i < this.size; i++) this.times[this.terms[i]!] = 0;
    this.size = 0;
    for (const text of texts) {
      for (const term of text.terms) if (this.times[term]!++ === 0) this.terms[this.size++] = term;
    }
  }
}

/** What one document means, and how surely by its title and by its keywords. */
class MeaningBag {
  size = 0;
  readonly terms: Uint32Array;
  readonly title: Float64Array;
  readonly keywords: Float64Array;

  constructor(terms: number) {
    this.terms = new Uint32Array(terms);
    this.title = new Float64Array(terms);
    this.keywords = new Float64Array(terms);
  }

  take({ title, keywords }: DocumentTexts): void {
    for (let i = 0; i < this.size; i++) {
      this.title[this.terms[i]!] = 0;
      this.keywords[this.terms[i]!] = 0;
    }
    this.size = 0;
    this.add(title.meaningsAsTitle, this.title, 1);
    for (const { meanings } of keywords) this.add(meanings, this.keywords, KEYWORD_MEANING);
  }

  private add({ terms, sure }: Meanings, field: Float64Array, worth: number): void {
    for (let i = 0; i < terms.length; i++) {
      const term = terms[i]!;
      if (this.title[term] === 0 && this.keywords[term] === 0) this.terms[this.size++] = term;
      field[term] = Math.max(field[term]!, sure[i]! * worth);
    }
  }
}

type CompiledTerms = Omit<IndexArrays, 'rowids' | 'concepts' | 'titles'>;

// Two walks over the documents: weights need to know how many have a term.
function compile(documents: readonly DocumentTexts[], terms: readonly string[]): CompiledTerms {
  const bags = {
    title: new TermBag(terms.length),
    keywords: new TermBag(terms.length),
    meanings: new MeaningBag(terms.length),
  };
  const fill = (document: DocumentTexts) => {
    bags.title.take([document.title]);
    bags.keywords.take(document.keywords);
    bags.meanings.take(document);
  };
  const figures = countAll(documents, fill, bags, terms.length);
  const order = Uint32Array.from(terms.keys()).toSorted((a, b) => (terms[a]! < terms[b]! ? -1 : 1));
  const { starts, places } = layOut(order, figures.postings);
  const postings = new Uint32Array(starts.at(-1)!);
  const weights = new Float32Array(postings.length);
  for (const [number, document] of documents.entries()) {
    fill(document);
    weighDocument(bags, figures, (term, fields, weight) => {
      const place = places[term]!++;
      postings[place] = packPosting(number, fields);
      weights[place] = weight;
    });
  }
  const packed = packTerms(Array.from(order, (term) => terms[term]!));
  const lengths = measureWholes(new TermDictionary(packed));
  return { averages: Float32Array.from(figures.averages), ...packed, starts, postings, weights, lengths };
}

interface Bags {
  readonly title: TermBag;
  readonly keywords: TermBag;
  readonly meanings: MeaningBag;
}

interface Figures {
  /** Of each term, how rare it is in titles and in keywords, and what it is worth as a meaning. */
  readonly titleRarity: Float64Array;
  readonly keywordRarity: Float64Array;
  readonly meaningWorth: Float64Array;
  /** Length of titles and of keywords, in terms. */
  readonly averages: readonly [title: number, keywords: number];
  /** Of each term, how many documents have it. */
  readonly postings: Uint32Array;
}

function countAll(
  documents: readonly DocumentTexts[],
  fill: (document: DocumentTexts) => void,
  { title, keywords, meanings }: Bags,
  terms: number,
): Figures {
  const inTitles = new Uint32Array(terms);
  const inKeywords = new Uint32Array(terms);
  const meant = new Uint32Array(terms);
  const postings = new Uint32Array(terms);
  let [titleLength, keywordLength] = [0, 0];
  for (const document of documents) {
    fill(document);
    titleLength += title.size;
    keywordLength += keywords.size;
    for (let i = 0; i < title.size; i++) {
      inTitles[title.terms[i]!]!++;
      postings[title.terms[i]!]!++;
    }
    for (let i = 0; i < keywords.size; i++) {
      const term = keywords.terms[i]!;
      inKeywords[term]!++;
      if (title.times[term] === 0) postings[term]!++;
    }
    for (let i = 0; i < meanings.size; i++) {
      meant[meanings.terms[i]!]!++;
      postings[meanings.terms[i]!]!++;
    }
  }
  const total = documents.length;
  return {
    titleRarity: Float64Array.from(inTitles, (matching) => rarityOf(matching, total)),
    keywordRarity: Float64Array.from(inKeywords, (matching) => rarityOf(matching, total)),
    meaningWorth: Float64Array.from(meant, (matching) => worthOfMeaning(matching, total)),
    averages: [titleLength / total || 1, keywordLength / total || 1],
    postings,
  };
}

/** Where each term's postings begin, by its place in the order and with the end of the last, and by its number. */
function layOut(order: Uint32Array, postings: Uint32Array): { starts: Uint32Array; places: Uint32Array } {
  const starts = new Uint32Array(order.length + 1);
  const places = new Uint32Array(order.length);
  for (const [place, term] of order.entries()) {
    places[term] = starts[place]!;
    starts[place + 1] = starts[place]! + postings[term]!;
  }
  return { starts, places };
}

function weighDocument(
  { title, keywords, meanings }: Bags,
  { titleRarity, keywordRarity, meaningWorth, averages }: Figures,
  visit: (term: number, fields: number, weight: number) => void,
): void {
  const titleWeight = (term: number) =>
    FIELD_BOOSTS.title * bm25(titleRarity[term]!, title.times[term]!, title.size / averages[0]);
  const keywordWeight = (term: number) =>
    FIELD_BOOSTS.keywords * bm25(keywordRarity[term]!, keywords.times[term]!, keywords.size / averages[1]);
  for (let i = 0; i < title.size; i++) {
    const term = title.terms[i]!;
    if (keywords.times[term] === 0) visit(term, FIELD_BITS.title, titleWeight(term));
    else visit(term, FIELD_BITS.title | FIELD_BITS.keywords, titleWeight(term) + keywordWeight(term));
  }
  for (let i = 0; i < keywords.size; i++) {
    const term = keywords.terms[i]!;
    if (title.times[term] === 0) visit(term, FIELD_BITS.keywords, keywordWeight(term));
  }
  for (let i = 0; i < meanings.size; i++) {
    const term = meanings.terms[i]!;
    const [inTitle, inKeywords] = [meanings.title[term]!, meanings.keywords[term]!];
    const sure = Math.max(inTitle, inKeywords);
    visit(term, fieldsOfMeaning(inTitle, inKeywords), meaningWorth[term]! * sure);
  }
}
