// What stickers are called in other languages: as their source says, else in English by what their preset is called or by the
// dictionary, which is no more than a help to whoever does not read the title.

import { isOwnName, type Sticker, type Titles } from '../../model/sticker.js';
import { namesInPreset } from './sticker-terms.js';
import { glossedPieces } from '../language/concepts.js';
import { usualWord } from '../language/english.js';
import { isWhole, loadGlossary, stemOf } from '../language/glossary.js';
import { normalise } from '../language/normalise.js';

/** `translated` where svcd made the English one. */
export interface OtherTitles {
  readonly titles?: Titles;
  readonly translated?: true;
}

/** A word that can be spoken: stk_0123 names nothing. */
const SPOKEN = /^(?=.*[aeiouy])[a-z]+$/;
const HAN = /\p{Script=Han}/u;
/** So much of a title is known to the dictionary. */
const ENOUGH = 0.6;

export function otherTitlesOf({ preset, title, titles }: Pick<Sticker, 'preset' | 'title' | 'titles'>): OtherTitles {
  if (titles !== undefined) return { titles };
  if (isOwnName(preset) || !HAN.test(title)) return {};
  const [name, ...words] = namesInPreset(preset);
  const en = name !== undefined && words.every((word) => SPOKEN.test(word)) ? name : glossOf(title);
  return en === undefined ? {} : { titles: { en }, translated: true };
}

/** Word by word: what the dictionary says a word is, else the first two words of what it says of it. */
function glossOf(title: string): string | undefined {
  const glossary = loadGlossary();
  const pieces = glossedPieces(normalise(title), glossary);
  if (pieces.reduce((sum, { share }) => sum + share, 0) < ENOUGH) return undefined;
  return pieces
    .flatMap(({ meanings }) => {
      const whole = meanings.find(isWhole);
      const said = whole === undefined ? meanings.slice(0, 2) : [whole];
      return Array.from(said, (meaning) => usualWord(glossary.stem(stemOf(meaning))));
    })
    .join(' ');
}
