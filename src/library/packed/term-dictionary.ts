// All terms of the index in a few typed arrays: sorted, so that a prefix is a range; hashed, so that a term is found
// in one step; nothing to build when a stored one is loaded.

export interface TermArrays {
  /** UTF-16 code units of all terms, one after the other. */
  readonly characters: Uint16Array;
  /** Where each term begins in `characters`, and the end of the last. */
  readonly offsets: Uint32Array;
  /** Open-addressing hash table of term number + 1; a power of two long. */
  readonly slots: Uint32Array;
}

export class TermDictionary {
  readonly arrays: TermArrays;
  readonly size: number;

  constructor(arrays: TermArrays) {
    this.arrays = arrays;
    this.size = arrays.offsets.length - 1;
  }

  /** Number of the term, or -1. */
  find(term: string): number {
    return this.findPart('', term, 0, term.length);
  }

  /** Number of the term that is `mark` and the part of a text between two places, or -1; makes no string of it. */
  findPart(mark: string, text: string, from: number, to: number): number {
    const { slots } = this.arrays;
    const mask = slots.length - 1;
    const hashed = finish(mix(mix(HASH_SEED, mark, 0, mark.length), text, from, to));
    for (let slot = hashed & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1;
      if (id < 0 || this.equalsPart(id, mark, text, from, to)) return id;
    }
  }

  /** The term with this number. */
  get(id: number): string {
    const { characters, offsets } = this.arrays;
    return String.fromCharCode(...characters.subarray(offsets[id], offsets[id + 1]));
  }

  /** First and one-past-last number of the terms that begin with the prefix. */
  range(prefix: string): [from: number, to: number] {
    return [this.bisect((id) => this.compare(id, prefix) < 0), this.bisect((id) => this.compare(id, prefix) <= 0)];
  }

  private equalsPart(id: number, mark: string, text: string, from: number, to: number): boolean {
    const { characters, offsets } = this.arrays;
    const start = offsets[id]!;
    if (offsets[id + 1]! - start !== mark.length + to - from) return false;
    for (let i = 0; i < mark.length; i++) if (characters[start + i] !== mark.charCodeAt(i)) return false;
    const place = start + mark.length - from;
    for (let i = from; i < to; i++) if (characters[place + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  /** Order of a term beside a prefix; 0 when it begins with it. */
  private compare(id: number, prefix: string): number {
    const { characters, offsets } = this.arrays;
    const start = offsets[id]!;
    const length = offsets[id + 1]! - start;
    for (let i = 0; i < prefix.length; i++) {
      if (i >= length) return -1;
      const difference = characters[start + i]! - prefix.charCodeAt(i);
      if (difference !== 0) return difference;
    }
    return 0;
  }

  private bisect(isBefore: (id: number) => boolean): number {
    let low = 0;
    let high = this.size;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(middle)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** The arrays for terms that are distinct and sorted by code unit. */
export function packTerms(sorted: readonly string[]): TermArrays {
  const offsets = new Uint32Array(sorted.length + 1);
  for (const [id, term] of sorted.entries()) offsets[id + 1] = offsets[id]! + term.length;
  const characters = new Uint16Array(offsets[sorted.length]!);
  for (const [id, term] of sorted.entries()) {
    for (let i = 0; i < term.length; i++) characters[offsets[id]! + i] = term.charCodeAt(i);
  }
  return { characters, offsets, slots: hashTable(sorted) };
}

function hashTable(terms: readonly string[]): Uint32Array {
  let size = 8;
  while (size < terms.length * 2) size *= 2;
  const slots = new Uint32Array(size);
  for (const [id, term] of terms.entries()) {
    let slot = hash(term) & (size - 1);
    while (slots[slot] !== 0) slot = (slot + 1) & (size - 1);
    slots[slot] = id + 1;
  }
  return slots;
}

const HASH_SEED = 0x811c9dc5;

/** FNV-1a over code units, with a final mix: the table masks the low bits. */
function hash(term: string): number {
  return finish(mix(HASH_SEED, term, 0, term.length));
}

function mix(value: number, text: string, from: number, to: number): number {
  let mixed = value;
  for (let i = from; i < to; i++) mixed = Math.imul(mixed ^ text.charCodeAt(i), 0x01000193);
  return mixed;
}

function finish(value: number): number {
  return value ^ (value >>> 15);
}
