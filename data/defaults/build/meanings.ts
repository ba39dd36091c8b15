// Which words the stickers of the pack can stand in for: their own names, titles and keywords, and the lines of
// meanings.txt. Compiled, because to stem and spell thousands of words takes a tenth of a second.

import { readFileSync } from 'node:fs';
import { stemmed } from '../../../src/defaults/related-words.js';
import { normalise } from '../../../src/library/language/normalise.js';
import { readAloud } from '../../../src/library/language/pinyin.js';
import { wholes } from '../../../src/library/language/tokenise.js';
import { SCENES, type Scene } from './scenes.js';

/** Of a title, a keyword, a line of [things], a line of [kinds]; in percent. */
const WEIGHTS = { title: 100, keyword: 85, things: 90, kinds: 50 } as const;
type Section = keyof typeof WEIGHTS | 'hints';

/** Scenes by their number in the pack and their weights, in turn. */
type Shown = number[];

/** The text of meanings-compiled.txt. Throws a plain Error for a line about a scene that is not in the pack. */
export function compileMeanings(): string {
  const english: Record<string, Shown> = {};
  const words: Record<string, Shown> = {};
  const hints = new Set<string>();
  const numbers = new Map(SCENES.map(({ name }, i) => [name, i]));
  const put = (into: Record<string, Shown>, word: string, scene: number, weight: number) => {
    const shown = (into[word] ??= []);
    if (word !== '' && !shown.some((one, i) => i % 2 === 0 && one === scene)) shown.push(scene, weight);
  };
  const putText = (text: string, scene: number, weight: number) => {
    if (/^[\x20-\x7e]+$/.test(text)) put(english, stemmed(text).join(' '), scene, weight);
    else for (const word of wholes(normalise(text))) put(words, word, scene, weight);
  };
  const putScene = ({ name, title, keywords, art }: Scene, scene: number) => {
    for (const text of [name, art, title]) putText(text, scene, WEIGHTS.title);
    for (const text of keywords) putText(text, scene, WEIGHTS.keyword);
  };
  for (const [i, scene] of SCENES.entries()) if (scene.name !== 'plain') putScene(scene, i);
  let section: Section = 'things';
  for (const line of readFileSync(new URL('meanings.txt', import.meta.url), 'utf8').split('\n')) {
    if (line === '' || line.startsWith('#')) continue;
    const [before = '', after = ''] = line.split(':');
    if (line.startsWith('[')) section = line.slice(1, -1) as Section;
    else if (section === 'hints') for (const word of line.split(' ')) hints.add(stemmed(word)[0] ?? normalise(word));
    else {
      for (const [place, name] of before.trim().split(' ').entries()) {
        const scene = numbers.get(name);
        if (scene === undefined) throw new Error(`meanings.txt: no scene ${name}`);
        for (const word of after.trim().split(/\s+/)) putText(word, scene, WEIGHTS[section] - place);
      }
    }
  }
  const read = (word: string) => `${readAloud(word).join('')} ${word}`;
  const han = Object.keys(words).filter((word) => /^[\u4E00-\u9FFF]{2,}$/.test(word));
  const lines = (of: Record<string, Shown>) => Object.entries(of).map(([word, shown]) => `${word}=${shown.join(' ')}`);
  const longest = (of: Record<string, Shown>, length: (word: string) => number) =>
    Math.max(...Object.keys(of).map(length));
  const sections = [
    [`${longest(english, (word) => word.split(' ').length)} ${longest(words, (word) => word.length)}`],
    lines(english),
    lines(words),
    [...hints],
    han.map(read),
  ];
  return `${sections.map((one) => one.join('\n')).join('\n\n')}\n`;
}
