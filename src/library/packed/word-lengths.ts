// The length of the longest word that begins with two given characters: says quickly that none begins at a place of a
// text, which is the answer nearly everywhere. Two beginnings may share a place in the table; then the longer counts.

export class WordLengths {
  /** The table itself, a power of two long, so that it can be stored. */
  readonly longest: Uint8Array;
  private readonly shift: number;

  /** Over a table that was made before, or an empty one. */
  constructor(longest: Uint8Array) {
    this.longest = longest;
    this.shift = Math.clz32(longest.length) + 1;
  }

  /** Takes note of a word of this length, of which the first two code units are given; of a single one the second is 0. */
  put(first: number, second: number, length: number): void {
    const place = this.placeOf(first, length < 2 ? 0 : second);
    if (length > this.longest[place]!) this.longest[place] = Math.min(length, 255);
  }

  /** The same of a word as text. */
  putWord(word: string): void {
    this.put(word.charCodeAt(0), word.charCodeAt(1), word.length);
  }

  /** No word that begins at this place of a text is longer. */
  longestAt(text: string, at: number): number {
    const first = text.charCodeAt(at);
    const second = at + 1 < text.length ? text.charCodeAt(at + 1) : 0;
    const longest = this.longest[this.placeOf(first, second)]!;
    return longest > 0 ? longest : this.longest[this.placeOf(first, 0)]!;
  }

  private placeOf(first: number, second: number): number {
    return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> this.shift;
  }
}

/** So many keep others out of nearly all. */
const PLACES_FOR_EACH = 10;
const [LEAST_BITS, MOST_BITS] = [8, 20];

/** An empty table that has room for so many words. */
export function emptyLengths(words: number, placesForEach = PLACES_FOR_EACH): WordLengths {
  const bits = 32 - Math.clz32(placesForEach * words);
  return new WordLengths(new Uint8Array(2 ** Math.min(Math.max(bits, LEAST_BITS), MOST_BITS)));
}
