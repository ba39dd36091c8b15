// What is known of the stickers besides words, by document number: shape, length, color. Read once for an index,
// at the first question that needs it; a sticker that changes later is put in by itself.

import { parseColor, type Lab } from '../../model/color.js';

/** A row of the store, as far as it is needed here. */
export interface FactRow {
  readonly rowid: number;
  readonly aspect: number | undefined;
  /** Seconds. */
  readonly duration: number | undefined;
  /** `#rrggbb`. */
  readonly color: string | undefined;
}

export class Facts {
  /** Width divided by height; NaN where unknown. */
  readonly aspects: Float64Array;
  /** Seconds; NaN where unknown. */
  readonly durations: Float64Array;
  private readonly colors: (Lab | undefined)[] = [];
  // Many stickers share their color, and working it out costs a microsecond.
  private readonly known = new Map<string, Lab | undefined>();

  /** For documents numbered from 0 up to `capacity`, of which nothing is known yet. */
  constructor(capacity: number) {
    this.aspects = new Float64Array(capacity).fill(NaN);
    this.durations = new Float64Array(capacity).fill(NaN);
  }

  /** Notes what is known of a document. */
  put(document: number, { aspect, duration, color }: FactRow): void {
    this.aspects[document] = aspect ?? NaN;
    this.durations[document] = duration ?? NaN;
    if (color === undefined) return;
    if (!this.known.has(color)) this.known.set(color, parseColor(color));
    this.colors[document] = this.known.get(color);
  }

  colorOf(document: number): Lab | undefined {
    return this.colors[document];
  }
}
