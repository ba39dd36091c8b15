// Exports the library as a stream of lines, and imports one. In between the daemon goes on answering.

import type { Library } from '../../library/library.js';
import type { LibraryImportOptions, ImportReport } from '../../library/storage/import-library.js';
import type { Clock } from '../../platform/clock.js';
import { readLines, refuseIfAllBad } from '../../platform/read-lines.js';
import { ownTurn, stepOf } from '../../platform/steps.js';

export type TransferLibrary = ReturnType<typeof createTransferLibrary>;

/** Read at a time; worked on in steps. */
const BATCH = 50;
const MAX_LINE_BYTES = 256 * 1024;

type TransferredLibrary = Pick<Library, 'exportLibrary' | 'beginImport' | 'finishImport'>;

/** Transfers a library. */
export function createTransferLibrary(library: TransferredLibrary, clock: Clock) {
  return {
    /** The lines as bytes, made as they are read. */
    exportLines: (): ReadableStream<Uint8Array> => bytesOf(library.exportLibrary()),
    /** Merges lines, until what they brought can be found. Throws `invalid_request` when the file is not for this library; then nothing was taken. */
    importLines: async (stream: AsyncIterable<Uint8Array>, options: LibraryImportOptions): Promise<ImportReport> => {
      const imported = library.beginImport(options);
      try {
        for await (const lines of readLines(stream, { maxBytes: MAX_LINE_BYTES, batch: BATCH })) {
          for (let taken = 0; taken < lines.length;) {
            taken += imported.add(lines.slice(taken), stepOf(clock));
            // A search meanwhile waits for one step only.
            await ownTurn();
            refuseIfAllBad(imported.report);
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
      await ownTurn();
      if (piece !== '') yield encoder.encode(piece);
    }
  };
  return ReadableStream.from(encode());
}
