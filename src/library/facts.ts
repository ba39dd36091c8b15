// What is known of the stickers besides words, by document number: shape, length, colour. Read once for an index,
// at the first question that needs it.

import { parseColour, type Lab } from './colour.js';

/** A row of the store, as far as it is needed here. */
export interface FactRow {
  readonly rowid: number;
  readonly aspect: number | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  /** `#rrggbb`. */
  readonly color: string | undefined;
}

export interface Facts {
  /** Width divided by height; NaN where unknown. */
  readonly aspects: Float64Array;
  /** Seconds; NaN where unknown. */
  readonly durations: Float64Array;
  colourOf(document: number): Lab | undefined;
  /** The document of a row of the store; undefined for a row that is not in the index. */
  documentOf(rowid: number): number | undefined;
}

/** Facts of the documents whose rows these are. */
export function collectFacts(rowids: Uint32Array, rows: Iterable<FactRow>): Facts {
  const documents = new Map<number, number>();
  for (const [document, rowid] of rowids.entries()) documents.set(rowid, document);
  const aspects = new Float64Array(rowids.length).fill(NaN);
  const durations = new Float64Array(rowids.length).fill(NaN);
  const colours = Array.from<Lab | undefined>({ length: rowids.length });
  // Many stickers share their colour, and working it out costs a microsecond.
  const known = new Map<string, Lab | undefined>();
  for (const { rowid, aspect, duration, color } of rows) {
    const document = documents.get(rowid);
    if (document === undefined) continue;
    aspects[document] = aspect ?? NaN;
    durations[document] = duration ?? NaN;
    if (color === undefined) continue;
    if (!known.has(color)) known.set(color, parseColour(color));
    colours[document] = known.get(color);
  }
  return {
    aspects,
    durations,
    colourOf: (document) => colours[document],
    documentOf: (rowid) => documents.get(rowid),
  };
}
