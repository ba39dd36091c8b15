// How wide a text stands on a terminal, and shorter forms of it: cut, or wrapped between words.

export const STYLE = /\u001B\[[\d;]*m/g; // oxlint-disable-line no-control-regex -- it is what colors are made of
// The vowels and finals of Hangul (U+1160 to U+11FF) stand within the syllable that they belong to.
const NO_WIDTH = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11FF]$/u;
// East Asian Width W and F (Unicode's EastAsianWidth.txt, in blocks), and emoji.
const TWO_WIDE =
  /^[\u1100-\u115F\u2E80-\u303E\u3041-\u33FF\u3400-\u4DBF\u4E00-\u9FFF\uA000-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6\u{1F200}-\u{1F2FF}\u{20000}-\u{3FFFD}]$|^\p{Emoji_Presentation}$/u;
/** A flag of two letters, a person with a skin color, a sign that asks to be shown as an emoji: one picture, two columns. */
const ONE_PICTURE = /^(?:\p{RI}{2}|\p{Emoji_Presentation}.*|\p{Emoji}\uFE0F.*)$/su;
const ASCII = /^[\u0020-\u007E]*$/;
/** What may not begin a line. */
const CLOSING = /^[\p{Pe}\p{Pf}，。、；：？！％…,.;:?!]/u;

/** Letters that never join with their neighbors: of Latin without accents, Chinese and Japanese, with punctuation. */
const ALONE =
  /^[\u0020-\u007E\u00A1-\u00AC\u00AE-\u00FF\u2010-\u2027\u3001-\u3029\u3041-\u3096\u30A1-\u30FE\u4E00-\u9FFF\uFF01-\uFF60]*$/;

let segmenter: Intl.Segmenter | undefined;

/** What a reader takes for one character: a letter with its accents, a flag. */
function charactersOf(text: string): string[] {
  // The tables of the segmenter cost a command 17 ms, which most texts need not.
  if (ALONE.test(text)) return Array.from(text);
  segmenter ??= new Intl.Segmenter('en', { granularity: 'grapheme' });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

/** Columns of a text on one line; color codes take none. */
export function displayWidth(text: string): number {
  const plain = text.replace(STYLE, '');
  if (ASCII.test(plain)) return plain.length;
  return charactersOf(plain).reduce((sum, character) => sum + widthOf(character), 0);
}

function widthOf(character: string): number {
  if (ONE_PICTURE.test(character)) return 2;
  let columns = 0;
  for (const point of character) if (!NO_WIDTH.test(point)) columns += TWO_WIDE.test(point) ? 2 : 1;
  return columns;
}

/** At most so many columns of a text, with `…` where something is missing; what is cut loses its color. */
export function cutText(text: string, width: number): string {
  if (displayWidth(text) <= width) return text;
  let [kept, columns] = ['', 0];
  for (const character of charactersOf(text.replace(STYLE, ''))) {
    columns += displayWidth(character);
    if (columns > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/**
 * Lines of at most so many columns. A command in quotation marks stays on one line, as it is copied; what is wider than a
 * line has one of its own.
 */
export function wrapText(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const part of partsOf(text)) {
    if (displayWidth((line + part).trimEnd()) <= width || line === '') line += part;
    else {
      lines.push(line.trimEnd());
      line = part.trimStart();
    }
  }
  return [...lines, line.trimEnd()];
}

/** Between these a line may end: after a space, and around characters of Chinese and Japanese. */
function partsOf(text: string): string[] {
  return (text.match(/"[^"\s][^"]*"\S*\s*|\S+\s*|\s+/gu) ?? []).flatMap((part) => {
    if (part.startsWith('"') || ASCII.test(part)) return [part];
    const parts: string[] = [];
    let wasWide = true;
    for (const character of charactersOf(part)) {
      const isWide = TWO_WIDE.test(character);
      const joins = CLOSING.test(character) || /^\s/.test(character) || !(isWide || wasWide);
      if (joins && parts.length > 0) parts[parts.length - 1] += character;
      else parts.push(character);
      wasWide = isWide;
    }
    return parts;
  });
}
