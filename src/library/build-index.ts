// Makes the compiled index from the stickers. MiniSearch defines terms, field lengths and frequencies; its postings
// are read out once and turned into typed arrays. The only importer of minisearch, and only when there is something to build.

import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type MiniSearch from 'minisearch';
import type { AsPlainObject } from 'minisearch';
import { CompiledIndex, IN_KEYWORDS, IN_TITLE, packPosting } from './compiled-index.js';
import { normalise } from './normalise.js';
import { decode, recode } from './recode.js';
import { packTerms } from './term-dictionary.js';
import { tokenise } from './tokenise.js';

/** What the index needs to know of a sticker. */
export interface Indexable {
  readonly rowid: number;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly concept?: string | undefined;
}

/** Weight of each field; MiniSearch's `boost`. */
const FIELD_BOOSTS = { title: 3, keywords: 2 } as const;
/** MiniSearch's own defaults. */
const BM25 = { k: 1.2, b: 0.7, d: 0.5 } as const;

/** A few milliseconds of work each. */
const STICKERS_A_SLICE = 20;
const TERMS_A_SLICE = 500;

const FIELDS = [
  { name: 'title', bit: IN_TITLE },
  { name: 'keywords', bit: IN_KEYWORDS },
] as const;

interface Document {
  id: number;
  title: string;
  keywords: string;
}

/** The compiled index of stickers given in preset order; takes about a second for 12,000. */
export function buildIndex(stickers: readonly Indexable[]): CompiledIndex {
  return atOnce(makeIndex(stickers));
}

/** The same, with a turn of the event loop every few milliseconds. */
export async function buildIndexInSlices(stickers: readonly Indexable[]): Promise<CompiledIndex> {
  const making = makeIndex(stickers);
  for (let step = making.next(); ; step = making.next()) {
    if (step.done === true) return step.value;
    await nextTurn();
  }
}

/** Yields now and then, so that others get a turn. */
function* makeIndex(stickers: readonly Indexable[]): Generator<void, CompiledIndex> {
  const rowids = Uint32Array.from(stickers, (sticker) => sticker.rowid);
  const engine = openMiniSearch();
  for (const [id, sticker] of stickers.entries()) {
    engine.add(documentOf(sticker, id));
    if (id % STICKERS_A_SLICE === 0) yield;
  }
  const postings = yield* compile(engine.toJSON());
  return new CompiledIndex({ rowids, concepts: numberConcepts(stickers), ...postings });
}

function atOnce<T>(making: Generator<void, T>): T {
  for (let step = making.next(); ; step = making.next()) if (step.done === true) return step.value;
}

/** The same stickers in MiniSearch itself, ids being document numbers and terms recoded: what the compiled form is checked against. */
export function buildMiniSearch(stickers: readonly Indexable[]): MiniSearch<Document> {
  const engine = openMiniSearch();
  engine.addAll(stickers.map(documentOf));
  return engine;
}

function documentOf({ title, keywords }: Indexable, id: number): Document {
  return { id, title: recodedTerms([title]), keywords: recodedTerms(keywords) };
}

function openMiniSearch(): MiniSearch<Document> {
  const load = createRequire(import.meta.url);
  const Engine = load('minisearch') as typeof MiniSearch;
  return new Engine<Document>({
    fields: FIELDS.map((field) => field.name),
    // A term may hold spaces, so that a field is its terms with line feeds between, which no term can hold.
    tokenize: (text) => (text === '' ? [] : text.split('\n')),
    processTerm: (term) => term,
    searchOptions: { boost: { ...FIELD_BOOSTS }, bm25: { ...BM25 } },
  });
}

function recodedTerms(texts: readonly string[]): string {
  return texts
    .flatMap((text) => tokenise(normalise(text)))
    .map((token) => recode(token.term))
    .join('\n');
}

function numberConcepts(stickers: readonly Indexable[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(stickers, ({ concept, title, keywords }) => {
    // Without a concept, the same words are taken for the same thing.
    const key = concept ?? `\n${title}\n${keywords.join('\n')}`;
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

function* compile(plain: AsPlainObject) {
  const entries = plain.index
    .map(([term, fields]) => ({ term: decode(term), fields }))
    .toSorted((a, b) => (a.term < b.term ? -1 : 1));
  const starts = new Uint32Array(entries.length + 1);
  const postings: number[] = [];
  const weights: number[] = [];
  for (const [id, { fields }] of entries.entries()) {
    for (const [document, posting] of weigh(fields, plain)) {
      postings.push(packPosting(document, posting.fields));
      weights.push(posting.weight);
    }
    starts[id + 1] = postings.length;
    if (id % TERMS_A_SLICE === 0) yield;
  }
  return {
    ...packTerms(entries.map((entry) => entry.term)),
    starts,
    postings: Uint32Array.from(postings),
    weights: Float32Array.from(weights),
  };
}

type FieldFrequencies = Record<number, Record<number, number>>;

/** The postings of one term, in document order. */
function weigh(frequencies: FieldFrequencies, plain: AsPlainObject) {
  const found = new Map<number, { fields: number; weight: number }>();
  for (const { name, bit } of FIELDS) {
    const field = plain.fieldIds[name]!;
    const entries = Object.entries(frequencies[field] ?? {});
    for (const [id, frequency] of entries) {
      const document = Number(id);
      const length = plain.fieldLength[id]![field]! / plain.averageFieldLength[field]!;
      const weight = FIELD_BOOSTS[name] * bm25(frequency, entries.length, plain.documentCount, length);
      const posting = found.get(document);
      if (posting === undefined) found.set(document, { fields: bit, weight });
      else found.set(document, { fields: posting.fields | bit, weight: posting.weight + weight });
    }
  }
  return [...found].toSorted(([a], [b]) => a - b);
}

function bm25(frequency: number, matching: number, total: number, relativeLength: number): number {
  const { k, b, d } = BM25;
  const rarity = Math.log(1 + (total - matching + 0.5) / (matching + 0.5));
  return rarity * (d + (frequency * (k + 1)) / (frequency + k * (1 - b + b * relativeLength)));
}
