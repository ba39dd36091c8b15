// Turns a query into weighted terms of the index: its own terms, the vocabulary words inside, words that begin as it
// ends, synonyms. How the weights add up is tally.ts, what comes first is rank.ts.

import type { CompiledIndex } from './compiled-index.js';
import type { Synonyms } from './synonyms.js';
import { tokenise, WHOLE_MARK, type Token, type TokenKind } from './tokenise.js';
import type { Vocabulary } from './vocabulary.js';

/** What a query is understood with. */
export interface Lexicon {
  readonly index: CompiledIndex;
  readonly synonyms: Synonyms;
  readonly vocabulary: Vocabulary;
}

export interface TermUse {
  readonly term: number;
  readonly boost: number;
  /** Terms of one source count as one hit. */
  readonly source: number;
}

export interface QueryPlan {
  /** What makes a sticker a result. */
  readonly direct: readonly TermUse[];
  /** Single characters: they order results, and make some only when there are few. */
  readonly single: readonly TermUse[];
}

const BOOSTS: Record<TokenKind | 'synonym' | 'prefix', number> = {
  whole: 1,
  word: 1,
  pair: 1,
  single: 0.5,
  synonym: 0.3,
  // MiniSearch's own weight of a prefix match, before the length counts.
  prefix: 0.375,
};
const MAX_PREFIX_TERMS = 40;
const MIN_PREFIX_LENGTH = 2;
const MAX_SYNONYMS = 12;

/** The terms of a normalised query that the index knows, with their weights. */
export function planQuery(query: string, lexicon: Lexicon): QueryPlan {
  const tokens = distinct([...tokenise(query), ...wordsInside(query, lexicon.vocabulary)]);
  // A query of single characters says with them all it has to say.
  const isShort = !tokens.some(({ kind }) => kind === 'pair' || kind === 'word');
  const plan = { direct: [] as TermUse[], single: [] as TermUse[] };
  for (const [i, token] of tokens.entries()) {
    const uses = token.kind === 'single' && !isShort ? plan.single : plan.direct;
    for (const use of expand(token, lexicon)) uses.push({ ...use, source: i + 1 });
  }
  return plan;
}

function distinct(tokens: readonly Token[]): Token[] {
  return [...new Map(tokens.map((token) => [token.term, token])).values()];
}

function wordsInside(query: string, vocabulary: Vocabulary): Token[] {
  return vocabulary
    .segment(query)
    .filter((piece) => piece.known && piece.text.length > 1)
    .map((piece) => ({ term: WHOLE_MARK + piece.text, kind: 'whole' }));
}

function expand({ term, kind }: Token, lexicon: Lexicon): Omit<TermUse, 'source'>[] {
  const id = lexicon.index.terms.find(term);
  const own = id < 0 ? [] : [{ term: id, boost: BOOSTS[kind] }];
  if (kind === 'word') return [...own, ...beginningWith(term, lexicon.index)];
  if (kind === 'whole') return [...own, ...synonymsOf(term.slice(WHOLE_MARK.length), lexicon)];
  return own;
}

function synonymsOf(word: string, { synonyms, vocabulary }: Lexicon): Omit<TermUse, 'source'>[] {
  return synonyms
    .of(word)
    .slice(0, MAX_SYNONYMS)
    .map((synonym) => ({ term: vocabulary.find(synonym), boost: BOOSTS.whole * BOOSTS.synonym }))
    .filter((use) => use.term >= 0);
}

// Weighed as MiniSearch weighs a prefix match: less the more is missing.
function beginningWith(word: string, { terms }: CompiledIndex): Omit<TermUse, 'source'>[] {
  if (word.length < MIN_PREFIX_LENGTH) return [];
  const uses: Omit<TermUse, 'source'>[] = [];
  const [from, to] = terms.range(word);
  for (let term = from; term < Math.min(to, from + MAX_PREFIX_TERMS); term++) {
    const length = terms.get(term).length;
    if (length === word.length) continue;
    const boost = (BOOSTS.prefix * length) / (length + 0.3 * (length - word.length));
    uses.push({ term, boost });
  }
  return uses;
}
