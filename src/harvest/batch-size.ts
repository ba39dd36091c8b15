// How many words the remote takes in one question, measured: a word that is known to some sticker must bring it back
// when it is asked together with others. Whether words are joined by "or" is nowhere written.

const WIDTHS = [1, 2, 4, 8] as const;
/** Words with a witness after which a width is judged. */
const ENOUGH = 8;
const GOOD = 0.8;
const BAD = 0.6;

/** The number of words for a question, wider while the remote honours them all. */
export class BatchSize {
  #at = 0;
  #best: number = WIDTHS.length - 1;
  #expected = 0;
  #held = 0;

  get width(): number {
    return WIDTHS[this.#at]!;
  }

  /** Begins with the width that was found good in an earlier run. */
  resume(width: number): void {
    this.#at = Math.max(
      0,
      WIDTHS.findLastIndex((one) => one <= width),
    );
  }

  /** Of `expected` words that a known sticker has, `held` brought one; answers that were cut say nothing and are not told. */
  learn(expected: number, held: number): void {
    this.#expected += expected;
    this.#held += held;
    if (this.#expected < Math.min(ENOUGH, 4 * this.width)) return;
    const share = this.#held / this.#expected;
    if (share < BAD && this.#at > 0) this.#best = this.#at - 1;
    if (share < BAD || share >= GOOD) this.#move(share < BAD ? -1 : 1);
    this.#expected = 0;
    this.#held = 0;
  }

  #move(step: number): void {
    this.#at = Math.min(this.#best, Math.max(0, this.#at + step));
  }
}
