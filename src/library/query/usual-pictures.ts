// Which pictures people put beside words more than all others, by their titles. The table is data/usual-pictures; what
// that is worth is for match-scores.ts.

import { readLanguageText } from '../language/language-data.js';
import { WHOLE_MARK } from '../language/tokenise.js';
import type { CompiledIndex } from '../search-index/compiled-index.js';
import { forEachPosting } from '../search-index/postings.js';
import { IN_TITLE } from '../search-index/weigh-terms.js';

/** A byte for each document of the index: 1 for those with such a title, a number behind it or not. */
export function markUsual(index: CompiledIndex): Uint8Array {
  const names = countNames(index);
  const titles = new Set<number>();
  for (const title of readLanguageText('usual-pictures/usual-pictures.txt').trimEnd().split('\n')) {
    forEachPosting(index.find(WHOLE_MARK + title), index, (document, fields) => {
      if ((fields & IN_TITLE) !== 0 && names[document] === 1) titles.add(index.titleOf(document));
    });
  }
  return Uint8Array.from({ length: index.size }, (_, document) => (titles.has(index.titleOf(document)) ? 1 : 0));
}

// A title with a colon has its parts for names too: a variant of what is usual is not.
function countNames(index: CompiledIndex): Uint8Array {
  const counts = new Uint8Array(index.size);
  const [from, to] = index.terms.range(WHOLE_MARK);
  for (let term = from; term < to; term++) {
    forEachPosting(term, index, (document, fields) => {
      if ((fields & IN_TITLE) !== 0) counts[document]!++;
    });
  }
  return counts;
}
