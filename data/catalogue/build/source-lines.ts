// The lines a catalogue is built from: a source file, or the catalogue's own earlier lines.

import { readFileSync } from 'node:fs';

import type { SourceLine } from './sticker.js';

/** The source columns of every line of a JSONL file, in its order; other columns are left out. */
export function readSourceLines(file: string): SourceLine[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => {
    const row = JSON.parse(line) as Required<SourceLine>;
    const { preset, title, keywords, set, art, concept, licence, color } = row;
    return { preset, title, keywords, set, art, concept, licence, color };
  });
}
