// Notes what each request for an asset came to: in the report of its run, and in the log where a default was served.

import type { Caller } from '../auth/authorization.js';
import type { FallbackReason, Source } from '../model/asset.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import type { ReportLine } from '../report/fold-report.js';
import type { ReportStore } from '../report/report-store.js';

/** What is noted of an answer. */
interface Reported {
  readonly source: Source;
  readonly cost: number;
  readonly reason?: FallbackReason;
  readonly chosen?: string;
  readonly sha256?: string;
  readonly licence?: string;
  readonly attribution?: string;
  readonly warnings?: readonly string[];
}

/** Does what a request for an asset asks, and notes what came of it. Throws what the work throws. */
export type ReportRequest = <T extends Reported>(
  caller: Caller,
  kind: ReportLine['kind'],
  id: string,
  work: () => Promise<T>,
) => Promise<T>;

export interface ReportRequestOptions {
  readonly reports: Pick<ReportStore, 'note'>;
  /** Milliseconds on a clock that only grows. */
  readonly monotonic: () => number;
  readonly isClosing: () => boolean;
  readonly log: Log;
}

export function createReportRequest({ reports, monotonic, isClosing, log }: ReportRequestOptions): ReportRequest {
  return async ({ grant }, kind, id, work) => {
    const begunAt = monotonic();
    const once = { kind, id, asked: 1 } as const;
    try {
      const told = await work();
      const isDefault = told.source === 'default';
      // Asked again after the restart, the same request gets the asset itself.
      if (isDefault && isClosing()) throw stopping();
      const ms = Math.round(monotonic() - begunAt);
      const { source, cost, reason, sha256, licence, attribution, warnings } = told;
      const fallbacks = isDefault ? 1 : 0;
      const counts = { failed: false, cost, ms, fallbacks, failures: 0 };
      const facts = { source, reason, default: told.chosen, sha256, licence, attribution, warnings };
      reports.note(grant?.run, { ...once, ...counts, ...facts });
      if (isDefault) log.info('served a default', { [kind]: id, reason, token: grant?.name });
      return told;
    } catch (error) {
      const ms = Math.round(monotonic() - begunAt);
      const code = isSvcdError(error) ? error.code : 'internal';
      reports.note(grant?.run, { ...once, failed: true, error: code, cost: 0, ms, fallbacks: 0, failures: 1 });
      throw error;
    }
  };
}

function stopping(): SvcdError {
  return new SvcdError('not_running', 'svcd is stopping', {
    hint: 'Ask again in a moment: svcd may be starting again.',
    retryAfterS: 1,
  });
}
