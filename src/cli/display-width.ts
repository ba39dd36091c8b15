// How many columns a text takes on a terminal. Chinese takes two a character; without this no table is straight.

const STYLE = /\u001B\[[\d;]*m/g; // oxlint-disable-line no-control-regex -- it is what colors are made of
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}]$/u;
// East Asian Width W and F (Unicode's EastAsianWidth.txt, in blocks), and what is drawn as a picture.
const TWO_WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]$|^\p{Emoji_Presentation}$/u;

/** Columns of a text on one line; colors take none. */
export function displayWidth(text: string): number {
  let columns = 0;
  for (const character of text.replace(STYLE, '')) {
    if (!NO_WIDTH.test(character)) columns += TWO_WIDE.test(character) ? 2 : 1;
  }
  return columns;
}
