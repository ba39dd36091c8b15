// The binary form of the frequency table; its reader is src/library/language/word-frequency.ts.

export interface CountedWord {
  readonly word: string;
  readonly perMillion: number;
}

/** Steps of the logarithm: a byte reaches from a quarter to 6,000 in a million. */
const STEPS_PER_E = 25;
const LEAST = 0.25;
const LENGTHS = [1, 2, 3, 4] as const;

/**
 * Little-endian: how many words of one, two, three and four characters (u32 each), then for each length these words
 * one after another in the order of their code units (u16 each), then a byte for each word in the same order.
 */
export function encodeTable(words: readonly CountedWord[]): Uint8Array {
  const groups = LENGTHS.map((length) =>
    words.filter(({ word }) => word.length === length).toSorted((a, b) => (a.word < b.word ? -1 : 1)),
  );
  const ordered = groups.flat();
  const units = ordered.reduce((sum, { word }) => sum + word.length, 0);
  const bytes = new Uint8Array(16 + 2 * units + ordered.length);
  const view = new DataView(bytes.buffer);
  for (const [i, group] of groups.entries()) view.setUint32(4 * i, group.length, true);
  let at = 16;
  for (const { word } of ordered) {
    for (let i = 0; i < word.length; i++, at += 2) view.setUint16(at, word.charCodeAt(i), true);
  }
  for (const { perMillion } of ordered) bytes[at++] = levelOf(perMillion);
  return bytes;
}

function levelOf(perMillion: number): number {
  return Math.max(1, Math.min(255, 1 + Math.round(STEPS_PER_E * Math.log(perMillion / LEAST))));
}
