// A table that is text, a key and what it says a line, looked up where it lies: lines are sorted by code unit, and none is
// taken apart before it is asked for.

export class SortedLines {
  private readonly text: string;

  /** Over lines of a key, a space and the rest, each with a line feed. */
  constructor(text: string) {
    this.text = text;
  }

  /** What a key says, if the table has it. */
  find(key: string): string | undefined {
    const { text } = this;
    let low = 0;
    let high = text.length;
    while (low < high) {
      const start = text.lastIndexOf('\n', ((low + high) >> 1) - 1) + 1;
      const space = text.indexOf(' ', start);
      const own = text.slice(start, space);
      const end = text.indexOf('\n', space);
      if (own === key) return text.slice(space + 1, end);
      if (own < key) low = end + 1;
      else high = start;
    }
    return undefined;
  }
}
