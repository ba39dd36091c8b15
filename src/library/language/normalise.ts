// One spelling for texts that mean the same: width, case, traditional characters, invisible characters, white space.
// Knows nothing of words; cutting a text into terms is tokenise.ts.

import { foldTraditional } from './fold-traditional.js';

// Soft hyphen, zero-width space, non-joiner, directional marks, word joiner, byte order mark, variation selectors.
const INVISIBLE = /\u00AD|\u200B|\u200C|\u200E|\u200F|\u2060|\uFEFF|\uFE0E|\uFE0F/g;

/** Han, small letters and digits with single spaces between: only traditional characters are left to fold. */
const PLAIN = /^[a-z0-9\u4E00-\u9FFF]+(?: [a-z0-9\u4E00-\u9FFF]+)*$/;

/** The folded text with white space collapsed to single spaces; stable under itself. */
export function normalise(text: string): string {
  if (PLAIN.test(text)) return foldTraditional(text);
  return fold(text).replace(/\s+/g, ' ').trim();
}

/** The text in NFKC, lower case and simplified characters, without invisible ones; white space stays. */
export function fold(text: string): string {
  // Lower-casing can leave a form that NFKC would change once more.
  return foldTraditional(text.replace(INVISIBLE, '').normalize('NFKC').toLowerCase().normalize('NFKC'));
}
