// One match over a loaded index: which stickers suit a copy and its keywords. Gives document numbers and the words
// that led there; reasons in words are explain.ts.

import type { CompiledIndex } from './compiled-index.js';
import { IN_TITLE } from './compiled-index.js';
import type { Lexicon } from './query-plan.js';
import { rank } from './rank.js';
import { sceneWords, type SceneWord, type Submission } from './scene-words.js';
import type { SuitTally } from './suit-tally.js';
import { titleGroupOf } from './title-groups.js';
import { topDocuments, type Scored } from './top-documents.js';
import { forEachOccurrence, type Occurrence } from './word-lookup.js';

/** What an occurrence is worth beside a title that is exactly the word. */
const STRENGTH = {
  exact: { title: 1, keywords: 0.85 },
  inside: { title: 0.4, keywords: 0.4 },
  piece: { title: 0.35, keywords: 0.35 },
  synonym: { title: 0.55, keywords: 0.42 },
  meaning: { title: 0.25, keywords: 0.22 },
} as const;
/** Among equals, the sticker that says less besides comes first. */
const FOCUS = 0.12;
const SAME_WORD_DECAY = 0.6;
/** As many as the largest page, so that a copy of one word can fill it. */
const LISTED_PER_WORD = 50;
const SAME_TITLE_DECAY = 0.3;
/** What the glossary joins helps a short text and blurs a long one: at this many words it counts half. */
const WORDS_HALVING_MEANINGS = 40;

export interface MatchRanking {
  readonly words: readonly SceneWord[];
  /** How many documents match. */
  readonly total: number;
  readonly best: readonly Scored[];
}

/** The documents that suit a submission, best first, at most `limit`; those an explicit keyword found come before all others. */
export function matchIndex(
  submission: Submission,
  limit: number,
  lexicon: Lexicon,
  tally: SuitTally,
): MatchRanking {
  const words = sceneWords(submission, lexicon);
  tally.clear();
  addUp(words, lexicon.index, tally);
  const { index } = lexicon;
  const score = (document: number) => tally.score(document);
  const explicit = tally.documents().filter((document) => tally.isExplicit(document));
  const fromCopy = tally.documents().filter((document) => !tally.isExplicit(document));
  const tier = (documents: Uint32Array) => ({
    documents: bestOfEachWord(documents, words.length, tally),
    score,
  });
  const ranked = rank(
    [tier(explicit), tier(fromCopy)],
    [
      { of: (document) => tally.chiefWordOf(document), decay: SAME_WORD_DECAY },
      { of: (document) => titleGroupOf(document, index), decay: SAME_TITLE_DECAY },
    ],
    words.length * LISTED_PER_WORD,
    Math.max(words.length, 3) * LISTED_PER_WORD,
    limit,
  );
  return { words, total: tally.size, best: ranked.slice(0, limit) };
}

// So that a word which fits hundreds of stickers does not push out what the other words are about.
function bestOfEachWord(documents: Uint32Array, words: number, tally: SuitTally): Uint32Array {
  const groups = Array.from({ length: words + 1 }, (): number[] => []);
  for (const document of documents) groups[tally.chiefWordOf(document)]!.push(document);
  const score = (document: number) => tally.score(document);
  return Uint32Array.from(
    groups.flatMap((group) =>
      topDocuments(Uint32Array.from(group), score, LISTED_PER_WORD).map(({ document }) => document),
    ),
  );
}

function addUp(words: readonly SceneWord[], index: CompiledIndex, tally: SuitTally): void {
  const blur = 1 / (1 + words.length / WORDS_HALVING_MEANINGS);
  for (const [i, { terms, explicit, negated, weight }] of words.entries()) {
    forEachOccurrence(terms, index, (document, how, fields, posting) => {
      if (negated && how === 'exact') tally.deny(document);
      const share = strengthOf(how, fields) * (1 + FOCUS * posting) * weight;
      if (explicit) tally.creditExplicit(document, i + 1, share);
      else if (how === 'meaning') tally.creditImplied(document, i + 1, share * blur);
      else if (how === 'synonym') tally.creditImplied(document, i + 1, share);
      else tally.creditSaid(document, i + 1, share);
    });
  }
}

function strengthOf(how: Occurrence['how'], fields: number): number {
  return STRENGTH[how][fields & IN_TITLE ? 'title' : 'keywords'];
}
