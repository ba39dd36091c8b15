// Which stickers are called the same but for the number of a variant, so that match does not list four airplanes for one
// airplane. What stickers of one concept are is told by the index itself.

import type { StickerTerms } from './sticker-terms.js';
import { WHOLE_MARK } from './tokenise.js';

const NUMBERED = /[\u4E00-\u9FFF]{2}\d{1,2}$/;

/** By sticker, a number shared by those that are called the same. */
export function numberTitles(stickers: readonly Pick<StickerTerms, 'title'>[]): Uint32Array {
  const numbers = new Map<string, number>();
  return Uint32Array.from(stickers, ({ title }) => {
    const name = nameIn(title.keys());
    const number = numbers.get(name) ?? numbers.size;
    numbers.set(name, number);
    return number;
  });
}

// The longest whole of a title is the title; of 图片2 that is 图片.
function nameIn(terms: Iterable<string>): string {
  let name = '';
  for (const term of terms) {
    if (term.startsWith(WHOLE_MARK) && term.length > name.length && !NUMBERED.test(term)) name = term;
  }
  return name;
}
