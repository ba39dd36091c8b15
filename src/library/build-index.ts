// Makes the compiled index from the stickers in one go. Terms, lengths and weights are those of MiniSearch, to which a
// property test holds them; building MiniSearch's own tree first would take six times as long.

import { CompiledIndex, packPosting, type IndexArrays } from './compiled-index.js';
import type { Glossary } from './glossary.js';
import { conceptKey, termsOf, type Indexable, type SeenTexts, type StickerTerms } from './sticker-terms.js';
import { packTerms } from './term-dictionary.js';
import { numberTitles } from './title-groups.js';
import { weighTerms, type LibraryFigures } from './weigh-terms.js';

/** The arrays of the index of stickers given in preset order; takes about a second for 12,000. */
function compileArrays(stickers: readonly Indexable[], glossary: Glossary): IndexArrays {
  const seen: SeenTexts = new Map();
  const documents = stickers.map((sticker) => termsOf(sticker, glossary, seen));
  const counted = countAll(documents);
  // Weights need frequencies of all, so that this is a second walk.
  const found = new Map<string, { postings: number[]; weights: number[] }>();
  for (const [document, terms] of documents.entries()) {
    weighTerms(terms, counted, (term, fields, weight) => {
      let entry = found.get(term);
      if (entry === undefined) found.set(term, (entry = { postings: [], weights: [] }));
      entry.postings.push(packPosting(document, fields));
      entry.weights.push(weight);
    });
  }
  return {
    rowids: Uint32Array.from(stickers, (sticker) => sticker.rowid),
    concepts: numberConcepts(stickers),
    titles: numberTitles(documents),
    averages: Float32Array.of(counted.averageLength.title, counted.averageLength.keywords),
    ...pack(found),
  };
}

/** The same as an index. */
export function buildIndex(stickers: readonly Indexable[], glossary: Glossary): CompiledIndex {
  return new CompiledIndex(compileArrays(stickers, glossary));
}

function countAll(documents: readonly StickerTerms[]): LibraryFigures {
  const counts = {
    title: new Map<string, number>(),
    keywords: new Map<string, number>(),
    any: new Map<string, number>(),
  };
  const lengths = { title: 0, keywords: 0 };
  const count = (field: keyof typeof counts, term: string) => {
    counts[field].set(term, (counts[field].get(term) ?? 0) + 1);
  };
  for (const { title, keywords, meanings } of documents) {
    for (const term of title.keys()) count('title', term);
    for (const term of keywords.keys()) count('keywords', term);
    for (const term of meanings.keys()) count('any', term);
    lengths.title += title.size;
    lengths.keywords += keywords.size;
  }
  const total = documents.length;
  return {
    documents: total,
    averageLength: { title: lengths.title / total || 1, keywords: lengths.keywords / total || 1 },
    frequency: (term, field) => counts[field].get(term) ?? 0,
  };
}

function numberConcepts(stickers: readonly Indexable[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(stickers, (sticker) => {
    const key = conceptKey(sticker);
    const number = numbers.get(key) ?? numbers.size;
    numbers.set(key, number);
    return number;
  });
}

function pack(found: ReadonlyMap<string, { postings: number[]; weights: number[] }>) {
  const terms = [...found.keys()].toSorted();
  const starts = new Uint32Array(terms.length + 1);
  for (const [id, term] of terms.entries()) starts[id + 1] = starts[id]! + found.get(term)!.postings.length;
  const postings = new Uint32Array(starts[terms.length]!);
  const weights = new Float32Array(starts[terms.length]!);
  for (const [id, term] of terms.entries()) {
    const entry = found.get(term)!;
    postings.set(entry.postings, starts[id]);
    weights.set(entry.weights, starts[id]);
  }
  return { ...packTerms(terms), starts, postings, weights };
}
