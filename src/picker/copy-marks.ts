// Where in a text the words stand that stickers were found by. Places are in UTF-16 units and never cut a character in two.

/** A part of a text, with the sentence it is of and the word that it is, if it is one. */
export interface Piece {
  readonly text: string;
  readonly sentence: number | undefined;
  readonly word: string | undefined;
}

interface Marked {
  readonly at: readonly number[];
  readonly words: readonly { readonly word: string; readonly at?: readonly number[] | undefined }[];
}

/** The whole text in pieces: joined, they are the text. */
export function piecesOf(text: string, sentences: readonly Marked[]): Piece[] {
  const pieces: Piece[] = [];
  let end = 0;
  const upTo = (place: number, sentence: number | undefined, word?: string) => {
    const to = onEdge(text, Math.min(place, text.length));
    if (to <= end) return;
    pieces.push({ text: text.slice(end, to), sentence, word });
    end = to;
  };
  for (const [index, { at, words }] of sentences.entries()) {
    const [from = 0, to = 0] = at;
    upTo(from, undefined);
    const places = words.flatMap((one) => (one.at === undefined ? [] : [{ word: one.word, at: one.at }]));
    for (const { word, at: place } of places.toSorted((a, b) => (a.at[0] ?? 0) - (b.at[0] ?? 0))) {
      const [begin = 0, stop = 0] = place;
      // One word in another is marked as the longer one, which comes first.
      if (begin < end || stop > to) continue;
      upTo(begin, index);
      upTo(stop, index, word);
    }
    upTo(to, index);
  }
  upTo(text.length, undefined);
  return pieces;
}

/** The end of the character that a place would cut in two: of a pair of surrogates, and of what is joined to an emoji. */
function onEdge(text: string, place: number): number {
  let at = place;
  while (at > 0 && at < text.length && isJoined(text, at)) at += 1;
  return at;
}

function isJoined(text: string, at: number): boolean {
  const [before, after] = [text.charCodeAt(at - 1), text.charCodeAt(at)];
  const isPair = before >= 0xd800 && before < 0xdc00 && after >= 0xdc00 && after < 0xe000;
  // Variation selectors and the joiner belong to what is before them.
  return isPair || after === 0xfe0f || after === 0x200d || before === 0x200d;
}

/** Whether a reason of a sticker answers this word of the text. */
export const isSameWord = (one: string, other: string): boolean =>
  one.normalize('NFKC').toLowerCase() === other.normalize('NFKC').toLowerCase();
