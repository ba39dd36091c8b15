// How long the words are that begin with two given characters: tells quickly that none begins at a place of a text, which
// is the answer nearly everywhere. Two beginnings may share a place in the table, and then the longer word is told.

export class WordLengths {
  private readonly shift: number;
  private readonly longest: Uint8Array;
  private readonly longestAlone = new Uint8Array(0x10000);

  /** A table of 2 to the power of `bits` places; ten for each beginning keep others out of nearly all. */
  constructor(bits: number) {
    this.shift = 32 - bits;
    this.longest = new Uint8Array(2 ** bits);
  }

  /** Takes note of a word of this length, of which the first two code units are given. */
  put(first: number, second: number, length: number): void {
    if (length > this.longestAlone[first]!) this.longestAlone[first] = Math.min(length, 255);
    if (length < 2) return;
    const place = this.placeOf(first, second);
    if (length > this.longest[place]!) this.longest[place] = Math.min(length, 255);
  }

  /** No word that begins at this place of a text is longer. */
  longestAt(text: string, at: number): number {
    const first = text.charCodeAt(at);
    const alone = this.longestAlone[first]!;
    if (alone < 2 || at + 1 >= text.length) return Math.min(alone, 1);
    return Math.max(1, this.longest[this.placeOf(first, text.charCodeAt(at + 1))]!);
  }

  private placeOf(first: number, second: number): number {
    return (Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b)) >>> this.shift;
  }
}
