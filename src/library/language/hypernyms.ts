// What things are kinds of, as English stems: a corgi is a dog. The table is data/hypernyms; it is read as it lies in the file.

import { readLanguageText } from './language-data.js';

let table: string | undefined;

/** The kinds of a stem one step above it, and two; none for a stem that is not listed. */
export function kindsAbove(stem: string): readonly (readonly string[])[] {
  table ??= `\n${readLanguageText('hypernyms/hypernyms.txt')}`;
  const key = `${stem} `;
  let [low, high] = [0, table.length - 1];
  while (low < high) {
    const start = table.lastIndexOf('\n', (low + high) >> 1);
    const end = table.indexOf('\n', start + 1);
    if (table.startsWith(key, start + 1)) {
      const steps = table.slice(start + 1 + key.length, end).split(',');
      return steps.map((kinds) => kinds.split(' ').filter((kind) => kind !== ''));
    }
    if (table.slice(start + 1, table.indexOf(' ', start + 1)) < stem) low = end;
    else high = start;
  }
  return [];
}
