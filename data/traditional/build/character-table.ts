// Which traditional character becomes which simplified one where no phrase says otherwise.

import { readDictionary } from './opencc.js';

/** Kept as they are: the first is simplified Chinese as it stands (什么), whatever it may be elsewhere. */
const KEPT = new Set('么');

/** Traditional characters, and the variants of Taiwan and Hong Kong, with the simplified form of each. */
export function characterTable(): Map<string, string> {
  const simplified = readDictionary('TSCharacters');
  const variants = new Map([...readDictionary('HKVariantsRev'), ...readDictionary('TWVariantsRev')]);
  const table = new Map<string, string>();
  for (const from of [...new Set([...simplified.keys(), ...variants.keys()])].toSorted()) {
    const standard = variants.get(from) ?? from;
    const to = simplified.get(from) ?? simplified.get(standard) ?? standard;
    // One code unit for one: what is found in the folded text is then at the same place in the original.
    if (to !== from && from.length === 1 && to.length === 1 && !KEPT.has(from)) table.set(from, to);
  }
  // A form that folds to a form that folds goes all the way at once.
  for (const [from, to] of table) if (table.has(to)) table.set(from, table.get(to)!);
  return table;
}
