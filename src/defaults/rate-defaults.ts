// How well each sticker of the pack stands in for a wanted one: by the words of its title and keywords, their synonyms and
// meanings, and the words of the preset itself, which is all that is known of a sticker the library has never seen.

import type { Glossary } from '../library/language/glossary.js';
import { isWhole, stemOf } from '../library/language/glossary.js';
import { glossedPieces } from '../library/language/concepts.js';
import { normalise } from '../library/language/normalise.js';
import { wholes } from '../library/language/tokenise.js';
import type { Sticker } from '../model/sticker.js';
import type { PackedSticker } from './default-pack.js';
import { saidWords, type RelatedWords, type SaidWord, type Shown } from './related-words.js';

/** What of the library's language the choice uses. */
export interface Language {
  /** Read when it is first needed. */
  readonly glossary: () => Glossary;
  /** Other words for a normalised word. */
  readonly synonymsOf: (word: string) => readonly string[];
}

export interface Rated {
  readonly sticker: PackedSticker;
  readonly score: number;
  /** Why, the best reason first. */
  readonly reasons: readonly string[];
}

/**
 * Rates the pack for a preset; `wanted` is what is known of it, if anything. Those that fit, or at least are akin to it, the
 * best first.
 */
export type RateDefaults = (preset: string, wanted: Sticker | undefined, isAkinEnough?: boolean) => Rated[];

/** Below it a default has too little to do with what is wanted; keywords alone must say more. */
const LEAST_SCORE = 0.35;
const LEAST_BY_KEYWORDS = 0.9;
const LEAST_AKIN = 0.4;

/** What each kind of evidence is worth at most. */
const WORTH = {
  title: 2.4,
  insideTitle: 2,
  endOfTitle: 1.2,
  synonymOfTitle: 1.4,
  meaningOfTitle: 1.5,
  keyword: 0.7,
  synonymOfKeyword: 0.3,
  meaningOfKeyword: 0.25,
  name: 1.9,
  pinyin: 1.6,
} as const;

/** A stem that is one word of a longer gloss, a word that says how rather than what, and a folder of the preset. */
const PART_OF_GLOSS = 0.6;
const HINT = 0.35;
const FOLDER = 0.55;
/** Later meanings of the dictionary are rarer ones. */
const MEANINGS_READ = 4;
const LATER_MEANING = 0.8;
/** Bounds what a stranger's metadata can cost. */
const KEYWORDS_READ = 40;
const TITLE_READ = 120;

const HAN_RUN = /[\u3400-\u9FFF]+/g;
/** People of other skins show the same thing, as do the numbered variants of icon sets. */
const VARIANT = /-(?:(?:medium|light|dark)-)*skin-tone$/;
const NUMBER = /^(?:one|two|three|four|five|six|seven|eight|nine|ten)$/;

/** A rating by these related. */
export function createRateDefaults(related: RelatedWords, language: Language): RateDefaults {
  return (preset, wanted, isAkinEnough = false) => {
    const ballot = new Ballot(related, language);
    if (wanted !== undefined) {
      ballot.readTitle(normalise(wanted.title.slice(0, TITLE_READ)));
      ballot.readKeywords(wanted.keywords.slice(0, KEYWORDS_READ).flatMap((one) => wholes(normalise(one))));
    }
    ballot.readPreset(preset);
    if (ballot.isEmpty) ballot.readPinyin(wanted?.title ?? '', preset);
    return ballot.count(isAkinEnough);
  };
}

/** The votes for one wanted sticker; of votes with one reason for one sticker the highest counts. */
class Ballot {
  private readonly votes = new Map<PackedSticker, Map<string, number>>();
  /** Reasons as a person reads them, with words as they stand; forms of one word are one reason. */
  private readonly told = new Map<string, string>();
  private readonly byKeywords = new Map<PackedSticker, number>();
  private readonly related: RelatedWords;
  private readonly language: Language;
  private isKeyword = false;

  constructor(related: RelatedWords, language: Language) {
    this.related = related;
    this.language = language;
  }

  get isEmpty(): boolean {
    return this.votes.size === 0;
  }

  readTitle(title: string): void {
    const { related } = this;
    for (const word of wholes(title)) this.add(related.of(word), WORTH.title, `shares ${word}`);
    for (const { word, share, isEnd } of this.piecesOf(title)) {
      const worth = word.length > 1 ? WORTH.insideTitle : isEnd ? WORTH.endOfTitle : 0;
      const tells = (isEnd ? 1 : 0.9) * (related.isHint(word) && share < 1 ? HINT : 1);
      this.add(related.of(word), worth * Math.sqrt(share) * tells, `shares ${word}`);
      if (word.length > 1 || share === 1) this.addSynonyms(word, WORTH.synonymOfTitle * share * tells);
    }
    this.addSynonyms(title, WORTH.synonymOfTitle);
    this.addMeanings(title, WORTH.meaningOfTitle);
    this.addEnglish(saidWords(title), WORTH.name, (said) => `the title says ${said}`);
  }

  readKeywords(keywords: readonly string[]): void {
    this.isKeyword = true;
    for (const word of new Set(keywords)) {
      this.add(this.related.of(word), WORTH.keyword, `shares ${word}`);
      this.addSynonyms(word, WORTH.synonymOfKeyword);
      this.addMeanings(word, WORTH.meaningOfKeyword);
    }
    this.isKeyword = false;
  }

  readPreset(preset: string): void {
    const ofPreset = (said: string) => `the preset says ${said}`;
    const [name = '', ...folders] = preset.replace(VARIANT, '').split('/').toReversed();
    this.addEnglish(wordsOfName(name), WORTH.name, ofPreset);
    // The outermost folder of several, or one of several words, is a set's: it says how things are drawn.
    const telling = folders.length > 1 ? folders.slice(0, -1) : folders.filter((one) => /^[a-z]+$/i.test(one));
    for (const folder of telling) this.addEnglish(wordsOfName(folder), WORTH.name * FOLDER, ofPreset);
  }

  readPinyin(title: string, preset: string): void {
    for (const text of [title, preset.slice(preset.lastIndexOf('/') + 1)]) {
      const word = this.related.spoken(text.toLowerCase().replace(/[^a-z]/g, ''));
      if (word !== undefined) this.add(this.related.of(word), WORTH.pinyin, `${text} reads ${word}`);
    }
  }

  /** Those that fit, the best first; of two as good the one that was voted for first. */
  count(isAkinEnough: boolean): Rated[] {
    const rated: Rated[] = [];
    for (const [sticker, votes] of this.votes) {
      const reasons = [...votes].toSorted((a, b) => b[1] - a[1]);
      const score = reasons.reduce((sum, [, vote]) => sum + vote, 0);
      const byKeywords = this.byKeywords.get(sticker) ?? 0;
      const isByKeywords = score - byKeywords < LEAST_SCORE;
      if (score < (isAkinEnough ? LEAST_AKIN : isByKeywords ? LEAST_BY_KEYWORDS : LEAST_SCORE)) continue;
      rated.push({ sticker, score, reasons: reasons.map(([why]) => this.told.get(why) ?? why) });
    }
    return rated.toSorted((a, b) => b.score - a.score);
  }

  private add(shown: readonly Shown[], worth: number, reason: string): void {
    if (worth <= 0) return;
    // A word that many stickers have says little about each.
    const each = worth / Math.cbrt(Math.max(1, shown.length - 2));
    for (const { sticker, weight } of shown) {
      let votes = this.votes.get(sticker);
      if (votes === undefined) this.votes.set(sticker, (votes = new Map()));
      const before = votes.get(reason) ?? 0;
      const vote = Math.max(before, each * weight);
      votes.set(reason, vote);
      if (this.isKeyword) this.byKeywords.set(sticker, (this.byKeywords.get(sticker) ?? 0) + vote - before);
    }
  }

  private addSynonyms(word: string, worth: number): void {
    for (const other of this.language.synonymsOf(word)) {
      this.add(this.related.of(normalise(other)), worth, `${word} is ${other}`);
    }
  }

  private addMeanings(text: string, worth: number): void {
    const glossary = this.language.glossary();
    for (const { word, meanings: packed, share } of glossedPieces(text, glossary)) {
      // One character means too many things.
      if (word.length < 2 && text !== word) continue;
      const tells = this.related.isHint(word) && share < 1 ? HINT : 1;
      for (const [place, meaning] of Array.from(packed.subarray(0, MEANINGS_READ)).entries()) {
        const stem = glossary.stem(stemOf(meaning));
        if (this.related.isHint(stem)) continue;
        const sure = share * tells * (isWhole(meaning) ? 1 : PART_OF_GLOSS) * LATER_MEANING ** place;
        this.add(this.related.inEnglish(stem), worth * sure, `${word} means ${stem}`);
      }
    }
  }

  /** The longest entries from left to right. */
  private addEnglish(words: readonly SaidWord[], worth: number, says: (said: string) => string): void {
    const { related } = this;
    for (let at = 0; at < words.length;) {
      let length = Math.min(related.longest.stems, words.length - at);
      const joined = (form: keyof SaidWord) =>
        words
          .slice(at, at + length)
          .map((word) => word[form])
          .join(' ');
      while (length > 1 && related.inEnglish(joined('stem')).length === 0) length -= 1;
      const shown = related.inEnglish(joined('stem'));
      const tells = length === 1 && words.length > 1 && related.isHint(joined('stem')) ? HINT : 1;
      const reason = says(joined('stem'));
      this.told.set(reason, says(joined('said')));
      this.add(shown, worth * Math.sqrt(length / words.length) * tells, reason);
      at += length;
    }
  }

  /** The longest known words of a title from left to right, with their share of it; what is between stands alone. */
  private piecesOf(title: string): { word: string; share: number; isEnd: boolean }[] {
    const { related } = this;
    const runs = title.match(HAN_RUN) ?? [];
    const total = runs.reduce((sum, run) => sum + run.length, 0);
    return runs.flatMap((run) => {
      const pieces: { word: string; share: number; isEnd: boolean }[] = [];
      for (let at = 0; at < run.length;) {
        let length = Math.min(related.longest.characters, run.length - at);
        while (length > 1 && related.of(run.slice(at, at + length)).length === 0) length -= 1;
        pieces.push({ word: run.slice(at, at + length), share: length / total, isEnd: at + length === run.length });
        at += length;
      }
      return pieces;
    });
  }
}

/** The words of a name without what only numbers a variant. */
function wordsOfName(name: string): SaidWord[] {
  const words = saidWords(name).filter(({ stem }) => stem.length > 1);
  while (words.length > 1 && NUMBER.test(words.at(-1)!.stem)) words.pop();
  return words;
}
