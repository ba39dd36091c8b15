// The keywords of a submission: those it gives, and the words of its copy that something in the library may show, weighed
// by how telling they are. Where they occur is word-lookup.ts.

import { findNegated, type Span } from '../language/negation.js';
import { normalise } from '../language/normalise.js';
import { spellOut } from '../language/offers.js';
import { findQuantities } from '../language/quantities.js';
import type { QueryContext } from './query-context.js';
import { isFiller, isStopWord } from '../language/stop-words.js';
import { unusual } from '../language/word-frequency.js';
import { lookUpWord, withCooccurring, type WordTerms } from './word-lookup.js';

export interface ExtractedKeyword {
  /** As it was given, for an explicit keyword; else normalised. */
  readonly word: string;
  readonly explicit: boolean;
  /** Whether the copy says of it that it is not so, wherever it names it. */
  readonly negated: boolean;
  readonly weight: number;
  readonly terms: WordTerms;
}

export interface Submission {
  readonly text?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
}

/** More words than this make a long copy no clearer. */
const MAX_COPY_WORDS = 40;
/** A short copy gains by the words that stand beside its own in the library; a longer one names them itself. */
const MAX_WORDS_WITH_COOCCURRING = 6;
/** Of a long copy the synonyms of so many words are listed. */
const MAX_ASKABLE = 12;
const INSIDE_WEIGHT = 0.5;
const SINGLE_WEIGHT = 0.4;
/** Only the glossary knows it: nothing in the library is called so. */
const UNLISTED_WEIGHT = 0.15;
const NEGATED_WEIGHT = 0.15;
const FILLER_WEIGHT = 0.15;
/** The first line of a copy that has more says what the rest is about. */
const HEADLINE_WEIGHT = 3;
const MAX_HEADLINE = 60;
const PARTICLE_AT_EDGE = /^[的了在下上和与是有]|[的了在下上和与是]$/;
/** 正确的 is an adjective of anything, though dictionaries have it; 目的 is a word. */
const ADJECTIVE = /(?<![目标])的$/;
const PARTICLE_WEIGHT = 0.3;
const LATIN = /^[a-z]/;
const LATIN_WEIGHT = 0.35;
const LETTER = /\p{L}/u;
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u;

/** The words of a submission: explicit keywords in their order, then words of the copy by weight; each once. */
export function extractKeywords({ text = '', keywords = [] }: Submission, context: QueryContext): ExtractedKeyword[] {
  const explicit = new Map<string, ExtractedKeyword>();
  for (const keyword of keywords) {
    const word = spellOut(keyword);
    if (word === '' || explicit.has(word)) continue;
    const terms = lookUpWord(word, context);
    explicit.set(word, { word: keyword.trim(), explicit: true, negated: false, weight: 1, terms });
  }
  const found = copyWords(text, context).filter(({ word }) => !explicit.has(word));
  return [...explicit.values(), ...withCooccurringOfFew(found, context)];
}

function withCooccurringOfFew(words: readonly ExtractedKeyword[], context: QueryContext): readonly ExtractedKeyword[] {
  if (words.length > MAX_WORDS_WITH_COOCCURRING) return words;
  return words.map((word) => ({ ...word, terms: withCooccurring(word.terms, context) }));
}

/** What else to ask a remote whose stickers are not known yet: the words of a submission, and their synonyms. */
export interface AskableWords {
  /** Keywords, then words of the copy that have synonyms, the most telling first. */
  readonly said: readonly string[];
  /** Of the most telling words first one synonym each, then a second. */
  readonly others: readonly string[];
}

/** The words by which a remote may find what suits a submission, whether or not the library has a sticker for them. */
export function listAskableWords({ text = '', keywords = [] }: Submission, context: QueryContext): AskableWords {
  const { synonyms } = context;
  const copied = weighWords(text, context).filter(({ word, negated }) => !negated && synonyms.has(word));
  const said = [...new Set([...keywords.map(normalise), ...copied.map(({ word }) => word)])].slice(0, MAX_ASKABLE);
  const lists = said.map((word) => synonyms.of(word));
  const others = new Set<string>();
  const most = Math.max(0, ...lists.map((words) => words.length));
  for (let i = 0; i < most; i++) for (const words of lists) if (words[i] !== undefined) others.add(words[i]!);
  for (const word of said) others.delete(word);
  return { said, others: [...others] };
}

/** The words of a copy, the most telling first. */
function weighWords(copy: string, context: QueryContext) {
  const words = Array.from(countWords(copy, context), ([word, { factor, times, affirmed }]) => ({
    word,
    negated: !affirmed,
    weight: factor * telling(word, times, context),
  }));
  return words.toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1));
}

function copyWords(copy: string, context: QueryContext): ExtractedKeyword[] {
  const chosen: ExtractedKeyword[] = [];
  for (const { word, negated, weight } of weighWords(copy, context)) {
    if (chosen.length >= MAX_COPY_WORDS) break;
    const terms = lookUpWord(word, context);
    if (finds(terms)) chosen.push({ word, explicit: false, negated, weight, terms });
  }
  return chosen;
}

function finds({ exact, parts, pieces, synonyms, meanings }: WordTerms): boolean {
  return exact >= 0 || parts.length > 0 || pieces.length > 0 || synonyms.length > 0 || meanings.length > 0;
}

interface Count {
  times: number;
  /** 1 for a word the copy really has; less for one inside a longer word, and for a single character. */
  factor: number;
  /** Whether it is said at least once without a negation. */
  affirmed: boolean;
  /** Less than 1 for what any copy says. */
  readonly ordinary: number;
}

function countWords(text: string, context: QueryContext): Map<string, Count> {
  const counts = new Map<string, Count>();
  const read = readOnce(context);
  const [headline = '', ...body] = normaliseLines(text);
  const isHeadline = body.length > 0 && headline.length <= MAX_HEADLINE;
  for (const [i, line] of [headline, ...body].entries()) {
    countLine(line, i === 0 && isHeadline ? HEADLINE_WEIGHT : 1, { context, counts, read });
  }
  return counts;
}

/** What is known of a word of a copy. */
interface ReadWord {
  /** 1 for a word that the library knows. */
  readonly factor: number;
  readonly inside: readonly string[];
}

type ReadWords = (word: string) => ReadWord | undefined;

// A copy repeats its words: each is read once. Undefined for a piece that is no telling word.
function readOnce(context: QueryContext): ReadWords {
  const seen = new Map<string, ReadWord | undefined>();
  return (word) => {
    let known = seen.get(word);
    if (known === undefined && !seen.has(word)) seen.set(word, (known = readWord(word, context)));
    return known;
  };
}

function readWord(word: string, context: QueryContext): ReadWord | undefined {
  const { vocabulary } = context;
  if (!isWord(word, context) || isStopWord(word)) return undefined;
  if (word.length === 1) return { factor: SINGLE_WEIGHT, inside: [] };
  const inside = vocabulary.inside(word).filter((part) => !isStopWord(part));
  return { factor: vocabulary.has(word) ? 1 : UNLISTED_WEIGHT, inside };
}

function normaliseLines(text: string): string[] {
  return text
    .split('\n')
    .map(spellOut)
    .filter((line) => line !== '');
}

interface Counting {
  readonly context: QueryContext;
  readonly counts: Map<string, Count>;
  readonly read: ReadWords;
}

function countLine(line: string, worth: number, { context, counts, read }: Counting): void {
  const negated = marked(line.length, findNegated(line));
  const counted = marked(line.length, findQuantities(line));
  const count = (word: string, factor: number, at: number) => {
    const said = negated[at] === 1 ? NEGATED_WEIGHT : 1;
    let known = counts.get(word);
    if (known === undefined)
      counts.set(word, (known = { times: 0, factor: 0, affirmed: false, ordinary: ordinary(word, context) }));
    known.times += 1;
    known.factor = Math.max(known.factor, factor * said * worth * known.ordinary);
    known.affirmed ||= said === 1;
  };
  const lengths = context.vocabulary.cut(line, context.glossary);
  let isAfterWord = true;
  for (let at = 0, length = 0; at < line.length; at += Math.max(1, length)) {
    length = lengths[at]!;
    const end = at + length;
    const wasAfterWord = isAfterWord;
    isAfterWord = length > 0;
    if (length === 0) continue;
    // 五折 is a quantity and a sale.
    if (counted[at] === 1 && counted[end - 1] === 1 && !context.synonyms.has(line.slice(at, end))) continue;
    const isAlone =
      length > 1 ||
      ((wasAfterWord || isApart(line, at - 1)) && (end === line.length || lengths[end]! > 0 || isApart(line, end)));
    if (!isAlone) continue;
    const word = line.slice(at, end);
    const found = read(word);
    if (found === undefined) continue;
    count(word, found.factor, at);
    for (const part of found.inside) count(part, INSIDE_WEIGHT, at);
  }
}

// Words of everything, words with a particle at their edge, and Latin words in Han copy tell less.
function ordinary(word: string, { glossary }: QueryContext): number {
  if (isFiller(word)) return FILLER_WEIGHT;
  if (ADJECTIVE.test(word) || (PARTICLE_AT_EDGE.test(word) && !glossary.has(word))) return PARTICLE_WEIGHT;
  return LATIN.test(word) ? LATIN_WEIGHT : 1;
}

function marked(length: number, spans: readonly Span[]): Uint8Array {
  const marks = new Uint8Array(length);
  for (const { start, end } of spans) marks.fill(1, start, end);
  return marks;
}

// A number is a word where the synonyms say of what: 618 is a sale, and 2. an item of a list.
function isWord(word: string, { synonyms }: QueryContext): boolean {
  return isHan(word.charCodeAt(0)) || LETTER.test(word) || synonyms.has(word);
}

// Nearly all of a copy, and quicker to tell than what else is a letter.
function isHan(unit: number): boolean {
  return unit >= 0x4e00 && unit <= 0x9fff;
}

// Whether what stands here and belongs to no word leaves what stands beside it alone: a single character beside letters
// that belong to no word is most likely a piece of a word that no table lists.
function isApart(line: string, at: number): boolean {
  const unit = line[at]!;
  return (!isHan(unit.charCodeAt(0)) && !LETTER_OR_DIGIT.test(unit)) || isStopWord(unit);
}

// Words rare in ordinary Chinese and long words tell more; repeating one adds a little.
function telling(word: string, times: number, { index, vocabulary }: QueryContext): number {
  const own = index.rarity(Math.max(1, index.frequency(vocabulary.find(word))));
  const length = Math.sqrt(Math.min(word.length, 4) / 2);
  return unusual(word) * own * 0.15 * length * (1 + 0.3 * Math.log(times));
}
