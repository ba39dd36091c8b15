// The terms of a title or keyword, with how surely it means them: the one place where the texts of a sticker become terms.

import { isOwnName, type Sticker } from '../../model/sticker.js';
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
  /** What a search finds besides, by the whole; neither title nor keyword, so that no reason and no copy is about them. */
  readonly names?: readonly string[];
}

/** What a preset's last part says in English, and its words: money bag, money and bag of fluent-emoji-flat/money-bag. */
export function namesInPreset(preset: string): readonly string[] {
  const words = isOwnName(preset) ? [] : preset.slice(preset.lastIndexOf('/') + 1).split(/[-_ ]+/);
  const named = words.map((word) => word.toLowerCase()).filter((word) => /^[a-z]{2,}$/.test(word));
  return [...new Set(named.length === 0 ? [] : [named.join(' '), ...named])];
}

const HAN = /^[\u3007\u3400-\u9FFF]+$/;

/**
 * What a search finds a sticker by beside its title and keywords: its preset, and its titles in other languages. A title in Han
 * characters alone is left out: who types 手纸 reads it as Chinese.
 */
export function namesOf({ preset, titles = {} }: Pick<Sticker, 'preset'> & { titles?: Sticker['titles'] | undefined }) {
  const others = Object.values(titles).map((title) => normalise(title));
  return [...new Set([...namesInPreset(preset), ...others.filter((name) => name !== '' && !HAN.test(name))])];
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
