// Lines out of a stream of bytes, with their numbers, in bounded memory: a line that is too long is passed over.

export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  /** Undefined when the line is longer than allowed. */
  readonly text: string | undefined;
}

/** Batches of at most `batch` lines of at most `maxCharacters` each; empty lines are left out. */
export async function* readLines(
  stream: AsyncIterable<Uint8Array>,
  { maxCharacters, batch }: { maxCharacters: number; batch: number },
): AsyncGenerator<NumberedLine[]> {
  const decoder = new TextDecoder();
  let [number, rest, isTooLong] = [0, '', false];
  let lines: NumberedLine[] = [];
  const end = (text: string) => {
    number += 1;
    const long = isTooLong || text.length > maxCharacters;
    isTooLong = false;
    if (long || text.trim() !== '') lines.push({ number, text: long ? undefined : text });
  };
  for await (const chunk of stream) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) {
      end(part);
      if (lines.length < batch) continue;
      yield lines;
      lines = [];
    }
    if (rest.length <= maxCharacters) continue;
    isTooLong = true;
    rest = '';
  }
  rest += decoder.decode();
  if (rest !== '' || isTooLong) end(rest);
  if (lines.length > 0) yield lines;
}
