// Exports the library as a stream of lines, and imports one. In between the daemon goes on answering.

import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Library } from '../../library/library.js';
import type { LibraryImportOptions, ImportReport } from '../../library/storage/import-library.js';
import type { Clock } from '../../platform/clock.js';
import { readLines } from '../../platform/read-lines.js';
import { stepOf } from '../../platform/steps.js';

export interface TransferLibrary {
  /** The lines as bytes, made as they are read. */
  exportLines(): ReadableStream<Uint8Array>;
  /** Merges lines, until what they brought can be found. Throws `invalid_request` when the file is not for this library; then nothing was taken. */
  importLines(stream: AsyncIterable<Uint8Array>, options: LibraryImportOptions): Promise<ImportReport>;
}

/** Read at a time; worked on in steps. */
const BATCH = 50;
const MAX_LINE_BYTES = 256 * 1024;

type TransferredLibrary = Pick<Library, 'exportLibrary' | 'beginImport' | 'finishImport'>;

/** Transfers a library. */
export function createTransferLibrary(library: TransferredLibrary, clock: Clock): TransferLibrary {
  return {
    exportLines: () => bytesOf(library.exportLibrary()),
    importLines: async (stream, options) => {
      const imported = library.beginImport(options);
      try {
        for await (const lines of readLines(stream, { maxBytes: MAX_LINE_BYTES, batch: BATCH })) {
          for (let taken = 0; taken < lines.length;) {
            taken += imported.add(lines.slice(taken), stepOf(clock));
            // A search meanwhile waits for one step only.
            await nextTurn();
          }
        }
      } finally {
        await library.finishImport(imported);
      }
      return imported.report;
    },
  };
}

/** Text as a stream of bytes, one piece at a time, a turn of the event loop between two. */
export function bytesOf(pieces: Iterable<string> | AsyncIterable<string>): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const encode = async function* (): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      await nextTurn();
      if (piece !== '') yield encoder.encode(piece);
    }
  };
  return ReadableStream.from(encode());
}
