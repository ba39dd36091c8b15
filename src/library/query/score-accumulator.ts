// What a query or a copy adds up over the documents: a row of numbers for each document that was met. One per index,
// used again for every query. What the numbers mean is search-scores.ts and match-scores.ts.

/** Places are integers of 32 bits. */
const MAX_FIRST = 2 ** 30;

/**
 * Rows lie in the order in which documents were met: what a query reads again and again stays in the processor's nearest
 * cache, however large the library.
 */
export class ScoreAccumulator {
  /** How many documents have been met. */
  size = 0;
  /** Their numbers; only the first `size` count. */
  readonly documents: Uint32Array;
  /** `width` numbers for each document by its place; zero behind those that were met. */
  readonly rows: Float64Array;
  private readonly width: number;
  /** For each document its place, plus `first`; less than `first` for a document that was not met. */
  private readonly places: Int32Array;
  private first = 1;

  constructor(capacity: number, width: number) {
    this.width = width;
    this.documents = new Uint32Array(capacity);
    this.rows = new Float64Array(capacity * width);
    this.places = new Int32Array(capacity);
  }

  /** Forgets every document. */
  clear(): void {
    this.rows.fill(0, 0, this.size * this.width);
    this.first += this.size;
    this.size = 0;
    if (this.first < MAX_FIRST) return;
    this.places.fill(0);
    this.first = 1;
  }

  /** Place of a document, met now or before. */
  meet(document: number): number {
    const place = this.places[document]! - this.first;
    if (place >= 0) return place;
    this.places[document] = this.first + this.size;
    this.documents[this.size] = document;
    return this.size++;
  }

  /** Place of a document; below 0 when it was not met. */
  placeOf(document: number): number {
    return this.places[document]! - this.first;
  }

  /** A number of a document that was met. */
  valueOf(document: number, column: number): number {
    return this.rows[this.placeOf(document) * this.width + column]!;
  }
}
