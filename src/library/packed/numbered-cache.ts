// Keeps values by number. Each number has one place, which it shares with those a capacity apart: numbers given in
// order, such as rows, meet no others until there are more of them than places.

export class NumberedCache<V> {
  private readonly numbers: Int32Array;
  private readonly values: (V | undefined)[];

  /** For at most `capacity` values. */
  constructor(capacity: number) {
    this.numbers = new Int32Array(capacity).fill(-1);
    this.values = [];
  }

  /** The value of a number from 0, made and kept if it is not there. */
  getOrMake(number: number, make: (number: number) => V): V {
    const place = number % this.numbers.length;
    if (this.numbers[place] === number) return this.values[place]!;
    const value = make(number);
    this.values[place] = value;
    this.numbers[place] = number;
    return value;
  }

  delete(number: number): void {
    const place = number % this.numbers.length;
    if (this.numbers[place] !== number) return;
    this.numbers[place] = -1;
    this.values[place] = undefined;
  }

  clear(): void {
    this.numbers.fill(-1);
    this.values.length = 0;
  }
}
