// Carrying the library around: out as a stream of lines, in from one. In between the daemon goes on answering.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { LibraryImport, LibraryImportOptions, ImportReport } from '../library/storage/import-library.js';
import { readLines } from '../platform/read-lines.js';

export interface LibraryTransfer {
  exportLibrary(): Iterable<string>;
  beginImport(options: LibraryImportOptions): LibraryImport;
  finishImport(imported: LibraryImport): void;
}

export interface TransferLibrary {
  /** The lines as bytes, made as they are read. */
  exportLines(): ReadableStream<Uint8Array>;
  /** Merges lines. Throws `invalid_request` when the file is not for this library; then nothing was taken. */
  importLines(stream: AsyncIterable<Uint8Array>, options: LibraryImportOptions): Promise<ImportReport>;
}

/** A few milliseconds of work at a time. */
const BATCH = 50;
const MAX_CHARACTERS = 256 * 1024;

/** Carries a library out and in. */
export function createTransferLibrary(library: LibraryTransfer): TransferLibrary {
  return {
    exportLines: () => bytesOf(library.exportLibrary()),
    importLines: async (stream, options) => {
      const carried = library.beginImport(options);
      try {
        for await (const lines of readLines(stream, { maxCharacters: MAX_CHARACTERS, batch: BATCH })) {
          carried.add(lines);
          // So that who searches meanwhile waits for one batch only.
          await nextTurn();
        }
      } finally {
        library.finishImport(carried);
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
      let { done, value } = await iterator.next();
      // Nobody would pull again after an empty piece.
      while (done !== true && value === '') ({ done, value } = await iterator.next());
      if (done === true) return controller.close();
      controller.enqueue(encoder.encode(value as string));
    },
    cancel: async () => {
      await iterator.return?.();
    },
  });
}
