// Which stickers are called the same but for the number of a variant, so that match does not list four airplanes for one
// airplane. Concepts are in the index itself.

import { WHOLE_MARK } from '../language/tokenise.js';

const NUMBERED = /[\u4E00-\u9FFF]{2}\d{1,2}$/;

/** What a title with these terms is called: its longest whole; of 图片2 that is 图片. */
export function nameOfTitle(terms: readonly string[]): string {
  let name = '';
  for (const term of terms) {
    if (term.startsWith(WHOLE_MARK) && term.length > name.length && !NUMBERED.test(term)) name = term;
  }
  return name;
}
