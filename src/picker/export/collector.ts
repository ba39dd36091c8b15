// What writes the frames of one file, whatever draws them.

/** Pixels as `getImageData` gives them. */
export type Pixels = Uint8ClampedArray<ArrayBuffer>;

/** What collects the frames of one file, each shown for so many milliseconds. A file that moves plays for ever. */
export interface Collector {
  add(pixels: Pixels, delayMs: number): Promise<void> | void;
  /** The parts of the file. */
  finish(): Uint8Array<ArrayBuffer>[];
  readonly bytes: number;
}
