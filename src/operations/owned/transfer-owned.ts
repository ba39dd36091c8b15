// Exports and imports what is owned: every item is checked by its digest and kept for itself.

import type { OwnedReport } from '../../api/answers.js';
import { readLines, refuseIfAllBad } from '../../platform/read-lines.js';
import { bytesOf } from '../library/transfer-library.js';
import type { IsProven, OwnedCarrier } from '../../purchases/transfer-owned.js';
import { ownTurn } from '../../platform/steps.js';

const LONGEST_LINE = 96 * 1024 * 1024;
/** Beside the bytes of its file, a line holds names and a digest. */
const BESIDE_BYTES = 64 * 1024;
const MAX_TOLD = 20;

/** The longest line that can hold a file of this size: in base64, and gzip makes what cannot be packed a little longer. */
function longestLineOf(maxFileBytes: number): number {
  return Math.min(LONGEST_LINE, Math.ceil(maxFileBytes * 1.34) + BESIDE_BYTES);
}

/**
 * Transfers what is owned, of files up to `maxFileBytes`; `showOwn` is called when files of the user's own may have been
 * imported.
 */
export function createTransferOwned(carrier: OwnedCarrier, showOwn: () => Promise<void>, maxFileBytes: number) {
  const maxBytes = longestLineOf(maxFileBytes);
  return {
    /** All that is owned, or only what has one of these digests. */
    exportLines: (only?: ReadonlySet<string>, withProjects = true): ReadableStream<Uint8Array> =>
      bytesOf(carrier.lines(only, withProjects)),
    /** Keeps what is not here yet, with `isProven` only what receipts prove; a good row is never replaced. */
    importLines: async (stream: AsyncIterable<Uint8Array>, isProven?: IsProven): Promise<OwnedReport> => {
      const counts = { lines: 0, added: 0, mended: 0, unchanged: 0, bad: 0 };
      const report: OwnedReport = { ...counts, bad_lines: [], whole: false };
      try {
        for await (const lines of readLines(stream, { maxBytes, batch: 1 })) {
          for (const { number, text } of lines) {
            report.lines += 1;
            const outcome = await carrier.take(text, maxFileBytes, isProven);
            // A search meanwhile waits for one line only.
            await ownTurn();
            if (outcome.kind === 'end') report.whole = true;
            else if (outcome.kind === 'bad') note(report, number, outcome.why);
            else if (outcome.kind !== 'header') report[outcome.kind] += 1;
            refuseIfAllBad(report);
          }
        }
      } finally {
        await showOwn();
      }
      return report;
    },
  };
}

function note(report: OwnedReport, line: number, why: string): void {
  report.bad += 1;
  if (report.bad_lines.length < MAX_TOLD) report.bad_lines.push({ line, why });
}
