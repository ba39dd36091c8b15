// The table of README.md: a row for every sentence, made from the list that the suite checks.

import { SENTENCES, type Sentence } from './sentences.js';

/** Cells of the rows: number, what, how it stands. */
export function standingRows(): string[][] {
  return SENTENCES.map((sentence) => [sentence.number, escape(sentence.text), escape(standingOf(sentence))]);
}

function standingOf({ standing, note }: Sentence): string {
  switch (standing) {
    case 'works':
      return 'works';
    case 'our choice':
      return `our choice: ${note ?? ''}`;
    case 'not shown':
      return `not shown: ${note ?? ''}`;
    case 'told':
      return `nothing to check: ${note ?? ''}`;
  }
}

/** A name in angle brackets would be a tag. */
function escape(text: string): string {
  return text.replaceAll(/<(\w+)>/g, '&lt;$1&gt;');
}
