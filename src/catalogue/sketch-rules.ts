// What a drawing may stand in for. A wrong drawing is worse than a word, so that nothing but the title decides.

/** Chinese negates what follows: 不开心 is not shown by 开心, nor 严禁吸烟 by 吸烟. */
const NEGATED = /(?:[不无非未没勿莫]|没有|禁止|严禁)$/u;
const LETTER = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;
const LEAST = 2;

/** The titles by whose drawing a folded title may be shown, best first: itself, then its ends of two characters or more. */
export function* endingsOf(title: string): Iterable<string> {
  const characters = Array.from(title);
  yield title;
  for (let from = 1; from <= characters.length - LEAST; from += 1) {
    const before = characters.slice(0, from).join('');
    const ending = characters.slice(from).join('');
    if (NEGATED.test(before) || isInsideWord(characters[from - 1], characters[from])) continue;
    yield ending;
  }
}

/** A word in letters with spaces between ends nowhere but at its end: "cake" is not what a pancake is. */
function isInsideWord(before = '', after = ''): boolean {
  return LETTER.test(before) && LETTER.test(after) && !HAN.test(before) && !HAN.test(after);
}
