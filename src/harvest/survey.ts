// Words drawn by chance, each as likely as the shares it holds, so that what they bring says what all words never
// asked would bring. Which words there are is for crawl-frontier.ts, what follows for estimate.ts.

interface DrawableWord {
  readonly text: string;
  /** Shares of known stickers, above 0. */
  readonly share: number;
}

/** Words of one draw hold shares within this factor of the first: of words asked together only the sum is known. */
const ALIKE = 1.6;
/** How unlike words of one size are: the variance of what one brings, in squares of the mean. */
const SCATTER = 0.36;

/** At most `count` words, by a chance that only `turn` decides. */
export function drawWords<W extends DrawableWord>(words: Iterable<W>, turn: number, count: number): W[] {
  const drawn = Array.from(words, (word) => ({
    word,
    at: -Math.log(chanceOf(word.text, turn)) / word.share,
  })).toSorted((a, b) => a.at - b.at);
  const size = drawn[0]?.word.share ?? 0;
  return drawn
    .map(({ word }) => word)
    .filter(({ share }) => share <= size * ALIKE && share >= size / ALIKE)
    .slice(0, count);
}

/** What `words` words that `known` stickers had between them say, as so many words of average. */
export function weightOf(words: number, known: number): number {
  return words / (SCATTER + words / Math.max(1, known));
}

/** Above 0 and at most 1, evenly spread, the same for the same text and turn. */
function chanceOf(text: string, turn: number): number {
  let hash = 2_166_136_261 ^ Math.imul(turn + 1, 0x9e_37_79_b1);
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 16_777_619);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85_eb_ca_6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2_b2_ae_35);
  return (((hash ^ (hash >>> 16)) >>> 0) + 1) / 2 ** 32;
}
