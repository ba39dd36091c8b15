// The dictionaries of OpenCC as its npm package carries them: one string, pairs between bars.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { resolve } = createRequire(import.meta.url);

/** The entries of a dictionary, each with its first translation. Throws when the package has no such dictionary. */
export function readDictionary(name: string): Map<string, string> {
  const source = readFileSync(resolve(`opencc-js/dict/${name}`), 'utf8');
  const text = source.slice(source.indexOf('"') + 1, source.lastIndexOf('"'));
  return new Map(
    text.split('|').map((pair) => {
      const [from = '', to = ''] = pair.split(' ');
      return [from, to];
    }),
  );
}
