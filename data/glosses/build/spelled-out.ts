// Whether Latin letters are pinyin written out; its syllables are those of data/pinyin.

import { readLanguageText } from '../../../src/library/language/language-data.js';

const [groups = ''] = readLanguageText('pinyin/pinyin.txt').split('\n\n');
const syllables = groups.split('\n').map((line) => line.slice(0, line.indexOf(' ')));

/** Whether runs of letters are whole syllables from end to end. */
export function isSpelledOut(runs: readonly string[]): boolean {
  return runs.every(
    (run) => run === '' || syllables.some((one) => run.startsWith(one) && isSpelledOut([run.slice(one.length)])),
  );
}
