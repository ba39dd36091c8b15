// Terms and their numbers in a few typed arrays: hashed, so that a term is found in one step and no string is made for it;
// nothing to build when stored ones are loaded. A term that is added gets the next number.

import { withRoom } from './with-room.js';

export interface TermArrays {
  /** UTF-16 code units of all terms, one after the other. */
  readonly characters: Uint16Array;
  /** Where each term begins in `characters`, and the end of the last. */
  readonly offsets: Uint32Array;
  /** Open-addressing hash table of term number + 1; a power of two long. */
  readonly slots: Uint32Array;
}

const LEAST_SLOTS = 8;

export class TermDictionary {
  size: number;
  private characters: Uint16Array;
  private offsets: Uint32Array;
  private slots: Uint32Array;

  constructor({ characters, offsets, slots }: TermArrays = noTerms()) {
    this.characters = characters;
    this.offsets = offsets;
    this.slots = slots;
    this.size = offsets.length - 1;
  }

  /** What to store. */
  get arrays(): TermArrays {
    const { characters, offsets, slots, size } = this;
    return { characters: characters.subarray(0, offsets[size]), offsets: offsets.subarray(0, size + 1), slots };
  }

  /** Number of the term, or -1. */
  find(term: string): number {
    return this.findPart('', term, 0, term.length);
  }

  /** Number of the term that is `mark` and the part of a text between two places, or -1; makes no string of it. */
  findPart(mark: string, text: string, from: number, to: number): number {
    const { slots } = this;
    const mask = slots.length - 1;
    const hashed = finish(mix(mix(HASH_SEED, mark, 0, mark.length), text, from, to));
    for (let slot = hashed & mask; ; slot = (slot + 1) & mask) {
      const id = slots[slot]! - 1;
      if (id < 0 || this.equalsPart(id, mark, text, from, to)) return id;
    }
  }

  /** Number of the term, the next one if it is new. */
  add(term: string): number {
    const known = this.find(term);
    if (known >= 0) return known;
    const id = this.size++;
    const start = this.offsets[id]!;
    const end = start + term.length;
    this.offsets = withRoom(this.offsets, id + 2);
    this.offsets[id + 1] = end;
    this.characters = withRoom(this.characters, end);
    for (let i = 0; i < term.length; i++) this.characters[start + i] = term.charCodeAt(i);
    if (2 * this.size > this.slots.length) this.growSlots();
    else this.putSlot(id, hash(term));
    return id;
  }

  /** The term with this number. */
  get(id: number): string {
    return String.fromCharCode(...this.characters.subarray(this.offsets[id], this.offsets[id + 1]));
  }

  /** How many code units it has. */
  lengthOf(id: number): number {
    return this.offsets[id + 1]! - this.offsets[id]!;
  }

  /** Its code unit at a place; 0 behind its end. */
  unitAt(id: number, at: number): number {
    return at < this.lengthOf(id) ? this.characters[this.offsets[id]! + at]! : 0;
  }

  startsWith(id: number, prefix: string): boolean {
    const start = this.offsets[id]!;
    if (this.offsets[id + 1]! - start < prefix.length) return false;
    for (let i = 0; i < prefix.length; i++) if (this.characters[start + i] !== prefix.charCodeAt(i)) return false;
    return true;
  }

  private equalsPart(id: number, mark: string, text: string, from: number, to: number): boolean {
    const { characters, offsets } = this;
    const start = offsets[id]!;
    if (offsets[id + 1]! - start !== mark.length + to - from) return false;
    for (let i = 0; i < mark.length; i++) if (characters[start + i] !== mark.charCodeAt(i)) return false;
    const place = start + mark.length - from;
    for (let i = from; i < to; i++) if (characters[place + i] !== text.charCodeAt(i)) return false;
    return true;
  }

  private growSlots(): void {
    this.slots = new Uint32Array(2 * this.slots.length);
    for (let id = 0; id < this.size; id++) {
      let mixed = HASH_SEED;
      for (let i = this.offsets[id]!; i < this.offsets[id + 1]!; i++) mixed = mixUnit(mixed, this.characters[i]!);
      this.putSlot(id, finish(mixed));
    }
  }

  private putSlot(id: number, hashed: number): void {
    const mask = this.slots.length - 1;
    let slot = hashed & mask;
    while (this.slots[slot] !== 0) slot = (slot + 1) & mask;
    this.slots[slot] = id + 1;
  }
}

function noTerms(): TermArrays {
  return { characters: new Uint16Array(), offsets: new Uint32Array(1), slots: new Uint32Array(LEAST_SLOTS) };
}

/** The arrays for terms that are distinct, numbered as they come. */
export function packTerms(terms: readonly string[]): TermArrays {
  const dictionary = new TermDictionary();
  for (const term of terms) dictionary.add(term);
  return dictionary.arrays;
}

const HASH_SEED = 0x811c9dc5;

/** FNV-1a over code units, with a final mix: the table masks the low bits. */
function hash(term: string): number {
  return finish(mix(HASH_SEED, term, 0, term.length));
}

function mix(value: number, text: string, from: number, to: number): number {
  let mixed = value;
  for (let i = from; i < to; i++) mixed = mixUnit(mixed, text.charCodeAt(i));
  return mixed;
}

function mixUnit(mixed: number, unit: number): number {
  return Math.imul(mixed ^ unit, 0x01000193);
}

function finish(value: number): number {
  return value ^ (value >>> 15);
}
