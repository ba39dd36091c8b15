// Notes what each request for an asset came to: in the report of its run, and in the log where a default was served.

import type { Caller } from '../../auth/authorization.js';
import type { Cost, FallbackReason, Source, Verdict } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { nameForLog } from '../../model/sticker.js';
import type { Log } from '../../platform/log.js';
import type { ReportLine } from '../../video/report/fold-report.js';
import type { ReportStore } from '../../video/report/report-store.js';

/** What is noted of an answer. */
interface Reported {
  readonly source: Source;
  readonly cost: Cost;
  readonly reason?: FallbackReason;
  readonly chosen?: string;
  readonly sha256?: string;
  readonly licence?: string;
  readonly attribution?: string;
  readonly warnings?: readonly string[];
  readonly verdict?: Verdict | undefined;
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
    try {
      const told = await work();
      const isDefault = told.source === 'default';
      // Asked again after the restart, the same request gets the asset itself.
      if (isDefault && isClosing()) throw stoppingError(told.cost);
      // One literal without spreads: this is asked for thousands of times a second.
      reports.note(grant?.run, {
        kind,
        id,
        title: undefined,
        source: told.source,
        reason: told.reason,
        default: told.chosen,
        error: undefined,
        failed: false,
        cost: knownCost(told.cost),
        sha256: told.sha256,
        ms: Math.round(monotonic() - begunAt),
        asked: 1,
        fallbacks: isDefault ? 1 : 0,
        failures: 0,
        licence: told.licence,
        attribution: told.attribution,
        warnings: told.warnings,
        verdict: told.verdict,
      });
      if (isDefault) log.info('served a default', { [kind]: nameForLog(id), reason: told.reason, token: grant?.name });
      return told;
    } catch (error) {
      const ms = Math.round(monotonic() - begunAt);
      const code = isSvcdError(error) ? error.code : 'internal';
      const counts = { cost: knownCost(isSvcdError(error) ? error.cost : 0), ms, asked: 1, fallbacks: 0, failures: 1 };
      reports.note(grant?.run, { kind, id, error: code, failed: true, ...counts });
      throw error;
    }
  };
}

/** Notes a list in which svcd's own stickers stand in because the remote was not heard. */
export type ReportUnheard = (caller: Caller, why: string | undefined) => void;

export function createReportUnheard(reports: Pick<ReportStore, 'noteUnheard'>, log: Log): ReportUnheard {
  let said: string | undefined;
  return ({ grant }, why) => {
    reports.noteUnheard(grant?.run);
    // Lists are asked for thousands of times: each reason is worth a line once.
    if (said === (said = why ?? '')) return;
    log.info('listed only stickers of svcd itself: the remote was not heard', { why, token: grant?.name });
  };
}

function knownCost(cost: Cost): number | null {
  return cost === 'unknown' ? null : cost;
}

/** What is told in place of a default while svcd stops. */
export function stoppingError(cost: Cost): SvcdError {
  return new SvcdError('not_running', 'svcd is stopping', {
    hint: 'Ask again in a moment: svcd may be starting again.',
    retryAfterS: 1,
    cost,
  });
}
