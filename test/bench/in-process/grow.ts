// A library of any size, made from the shipped catalogue: its stickers again and again, each time mixed with the
// words of others, so that postings and vocabulary grow as they would.

import { readCatalogue } from '../questions.js';
import type { Text } from '../peers/peer.js';

/** The catalogue cut or grown to `entries`, the same on every run. */
export function growCatalogue(entries: number): Text[] {
  const catalogue = readCatalogue();
  return Array.from({ length: entries }, (_, at) => {
    const round = Math.floor(at / catalogue.length);
    const { preset, title, keywords } = catalogue[at % catalogue.length]!;
    if (round === 0) return { preset, title, keywords };
    // Strides with no factor in common with the catalogue's length.
    const other = catalogue[(at * 31 + round * 7) % catalogue.length]!;
    return {
      preset: `grown-${round}/${preset}`,
      title: `${title}${other.title}`,
      keywords: [...keywords, ...other.keywords.slice(0, 2)],
    };
  });
}
