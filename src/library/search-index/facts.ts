// What is known of the stickers besides words, by document number: shape, length, color, style. Read once for an index,
// at the first question that needs it; a sticker that changes later is put in by itself.

import { parseColor, type Lab } from '../../model/color.js';
import { styleOf } from '../../model/sticker.js';

/** A row of the store, as far as it is needed here. */
export interface FactRow {
  readonly rowid: number;
  readonly preset: string;
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
  /** Styles by their number, which is what a document has. */
  readonly styles = new Map<string, number>();
  readonly styleNumbers: Int32Array;
  private readonly colors: (Lab | undefined)[] = [];
  // Many stickers share their color, and working it out costs a microsecond.
  private readonly known = new Map<string, Lab | undefined>();

  /** For documents numbered from 0 up to `capacity`, of which nothing is known yet. */
  constructor(capacity: number) {
    this.aspects = new Float64Array(capacity).fill(NaN);
    this.durations = new Float64Array(capacity).fill(NaN);
    this.styleNumbers = new Int32Array(capacity).fill(-1);
  }

  /** Notes what is known of a document. */
  put(document: number, { preset, aspect, duration, color }: FactRow): void {
    const style = styleOf(preset);
    const number = this.styles.get(style) ?? this.styles.size;
    this.styles.set(style, number);
    this.styleNumbers[document] = number;
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
