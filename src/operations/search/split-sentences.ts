// A copy in sentences: at the marks that end one in Chinese and English, and at line breaks.

import type { Place } from '../../library/language/places.js';

/** What ends a sentence wherever it stands. */
const ENDS = /[。！？!?；;…⋯｡]/;
const BREAKS = /[\n\r\v\f\u0085\u2028\u2029]/;
/** What still belongs to a sentence that has ended. */
const CLOSES = /[。！？!?；;…⋯｡.．"'”’」』》】）)\]]/;
const FULL_STOP = /[.．]/;
const SPACE_OR_END = /^["'”’」』》】）)\]]*(?:\s|$)/;
/** After these a full stop ends no sentence; nor after one letter, or the number of an item at its beginning. */
const SHORTENED = /(?:^|[^\p{L}\p{N}])(?:mr|mrs|ms|dr|vs|jr|sr|prof|e\.g|i\.e|\p{Script=Latin})$|^\s*\p{N}{1,3}$/iu;
/** What can be about something. */
const TELLING = /[\p{L}\p{N}\p{Extended_Pictographic}\p{RI}]/u;

/** Where the sentences of a text stand, in UTF-16 units, without the space around them; empty ones are left out. */
export function splitSentences(text: string): Place[] {
  const sentences: Place[] = [];
  let start = 0;
  const put = (end: number) => {
    const sentence = text.slice(start, end);
    const from = start + (sentence.length - sentence.trimStart().length);
    const to = start + sentence.trimEnd().length;
    if (TELLING.test(sentence)) sentences.push([from, to]);
    start = end;
  };
  for (let at = 0; at < text.length; at += 1) {
    const unit = text[at]!;
    if (BREAKS.test(unit)) {
      put(at);
      continue;
    }
    const isEnd = ENDS.test(unit) || (FULL_STOP.test(unit) && isFullStop(text, start, at));
    if (!isEnd) continue;
    while (at + 1 < text.length && CLOSES.test(text[at + 1]!)) at += 1;
    put(at + 1);
  }
  put(text.length);
  return sentences;
}

/** A point in 3.5, in svcd.js or behind "Mr" is none. */
function isFullStop(text: string, start: number, at: number): boolean {
  if (!SPACE_OR_END.test(text.slice(at + 1)) && !FULL_STOP.test(text[at + 1] ?? '')) return false;
  const before = text.slice(start, at);
  // At the end of a line a number or a letter ends what it stands in.
  const isLast = /^["'”’」』》】）)\]]*\s*(?:[\n\r]|$)/.test(text.slice(at + 1));
  return isLast || !SHORTENED.test(before);
}
