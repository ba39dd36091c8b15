// Carrying the library around: out as a stream of lines, in from one. In between the daemon goes on answering.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { CarryIn, CarryInOptions, CarryReport } from '../library/carry-in.js';
import { readLines } from '../wire/read-lines.js';

export interface CarriedLibrary {
  carryOut(): Iterable<string>;
  beginCarryIn(options: CarryInOptions): CarryIn;
  finishCarryIn(carried: CarryIn): void;
}

export interface CarryLibrary {
  /** The lines as bytes, made as they are read. */
  exportLines(): ReadableStream<Uint8Array>;
  /** Merges lines. Throws `invalid_request` when the file is not for this library; then nothing was taken. */
  importLines(stream: AsyncIterable<Uint8Array>, options: CarryInOptions): Promise<CarryReport>;
}

/** A few milliseconds of work at a time. */
const BATCH = 50;
const MAX_CHARACTERS = 256 * 1024;

/** Carries a library out and in. */
export function createCarryLibrary(library: CarriedLibrary): CarryLibrary {
  return {
    exportLines: () => bytesOf(library.carryOut()),
    importLines: async (stream, options) => {
      const carried = library.beginCarryIn(options);
      try {
        for await (const lines of readLines(stream, { maxCharacters: MAX_CHARACTERS, batch: BATCH })) {
          carried.add(lines);
          // So that who searches meanwhile waits for one batch only.
          await nextTurn();
        }
      } finally {
        library.finishCarryIn(carried);
      }
      return carried.report;
    },
  };
}

/** Text as a stream of bytes, one piece at a time, a turn of the event loop between two. */
export function bytesOf(pieces: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const iterator =
    Symbol.asyncIterator in pieces ? pieces[Symbol.asyncIterator]() : pieces[Symbol.iterator]();
  return new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      await nextTurn();
      const { done, value } = await iterator.next();
      if (done === true) return controller.close();
      // An empty piece would end the pulling.
      controller.enqueue(encoder.encode(value === '' ? '\n' : value));
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}
