// What svcd run says of the assets that its command asked for: one line for people, a file for programs.

import type { DaemonStatus } from '../../api/answers.js';
import type { Report, ReportAsset } from '../../api/report.js';
import { SvcdError } from '../../model/errors.js';
import { sanitize } from '../terminal/format.js';
import type { Absence } from './token-lease.js';
import type { ChildEnd } from './run-child.js';
import { runWords } from './words.js';

const MOST_NAMED = 3;

/** `12 assets: 9 owned, 2 bought for 2 credits, 1 fallback: 日落 (offline)`. */
export function describeReport(
  { summary, assets, in_doubt: inDoubt = [] }: Report,
  isSandbox = false,
  locked?: number,
): string {
  const words = runWords();
  const { owned, shipped, bought, fallbacks, failed, credits, uncertain, omitted } = summary;
  const parts = [
    owned > 0 && words.owned(owned),
    shipped > 0 && words.shipped(shipped),
    bought > 0 && words.bought(bought, credits),
    fallbacks > 0 && words.fallbacks(fallbacks, namesOf(assets, 'default')),
    failed > 0 && words.failed(failed, namesOf(assets, 'failed')),
    summary.unheard !== undefined && words.unheard(summary.unheard),
    omitted > 0 && words.omitted(omitted),
    uncertain > 0 && words.uncertain(uncertain, inDoubt),
  ].filter((part) => part !== false);
  const total = locked === undefined ? words.assets(summary.assets) : words.askedAndLocked(summary.assets, locked);
  const told = parts.length === 0 ? total : words.assetsWith(total, parts);
  return isSandbox && summary.assets > 0 ? words.playMoney(told) : told;
}

/** `svcd was away 1.3 s; what was asked then is not in this report`; undefined when it was there all the time. */
export function describeAway(away: readonly Absence[]): string | undefined {
  return away.length === 0 ? undefined : runWords().notInReport(wordsOf(away));
}

function wordsOf(away: readonly Absence[]): string {
  const ms = away.reduce((total, one) => total + one.ms, 0);
  return runWords().away(away.length, Math.max(ms / 1000, 0.1).toFixed(1));
}

/** How the command went, beside what it was served. */
export interface Course {
  /** Undefined where it did not begin. */
  readonly end: ChildEnd | undefined;
  readonly away: readonly Absence[];
  /** Whether the credits were those of the sandbox. */
  readonly sandbox: boolean;
  /** Requests of pages that svcd refused meanwhile. */
  readonly refused: RefusedRequests;
}

export type RefusedRequests = NonNullable<DaemonStatus['refused']>;

/** What a process has refused since it was started. */
export interface RefusedAt {
  readonly pid: number | null | undefined;
  readonly requests: RefusedRequests;
}

/** What was refused between two looks; a daemon that was started again counts anew. */
export function refusedSince(before: RefusedAt, after: RefusedAt): RefusedRequests {
  if (before.pid !== after.pid) return after.requests;
  return after.requests.flatMap(({ origin, requests }) => {
    const more = requests - (before.requests.find((one) => one.origin === origin)?.requests ?? 0);
    return more === 0 ? [] : [{ origin, requests: more }];
  });
}

/** A line for each origin, with what lets it in. */
export function describeRefused(refused: RefusedRequests): string[] {
  return refused.map(({ origin, requests }) => sanitize(runWords().refused(requests, origin)));
}

/** The report as a file: with how the command ended, null where it did not begin, when svcd was away, and whose credits. */
export function fileOf(report: Report, { end, away, sandbox, refused }: Course): Uint8Array {
  const { assets, ...head } = report;
  const command = {
    exit_code: end && 'code' in end ? end.code : null,
    signal: end && 'signal' in end ? end.signal : null,
  };
  return new TextEncoder().encode(
    `${JSON.stringify({ ...head, sandbox, command, away, ...(refused.length > 0 && { refused }), assets }, null, 2)}\n`,
  );
}

/** What `--strict` looks at besides the report. */
export interface Strictness extends Pick<Course, 'away' | 'refused'> {
  /** Whether svcd's own art will do. */
  readonly allowShipped: boolean;
  /** Slots of the lock that was verified before; undefined without one. */
  readonly locked: number | undefined;
}

/**
 * Throws `defaults_served` unless every asset is the one that was asked for, svcd was there all the time and let every page in, no
 * purchase is in doubt, and something was asked for at all, of svcd or of a lock.
 */
export function requireWhole(report: Report | undefined, strictness: Strictness): void {
  const { away, refused, allowShipped, locked } = strictness;
  const words = runWords();
  if (report === undefined) throw new SvcdError('defaults_served', words.unknownWhole);
  const { fallbacks, failed, omitted, unheard = 0, uncertain, asked } = report.summary;
  const shipped = allowShipped ? 0 : report.summary.shipped;
  const isIdle = asked === 0 && (locked ?? 0) === 0 && away.length === 0;
  const what = [
    fallbacks > 0 && words.replaced(fallbacks),
    failed > 0 && words.assetsFailed(failed),
    omitted > 0 && words.notListed(omitted),
    unheard > 0 && words.unheardLists(unheard),
    shipped > 0 && words.shippedServed(shipped),
    uncertain > 0 && words.inDoubt(uncertain, report.in_doubt ?? []),
    refused.length > 0 && words.pagesRefused(refused.reduce((sum, { requests }) => sum + requests, 0)),
    away.length > 0 && wordsOf(away),
    isIdle && words.nothingAsked,
  ].filter((part) => part !== false);
  if (what.length === 0) return;
  throw new SvcdError('defaults_served', words.notWhole(what), {
    hint: [
      words.reportSays,
      ...advice(report, away),
      ...describeRefused(refused),
      ...(isIdle ? [words.lockAdvice] : []),
    ].join(' '),
  });
}

/** Each advice once. */
function advice({ assets, summary }: Report, away: readonly Absence[]): readonly string[] {
  const why = assets.flatMap(({ fallbacks, reason, outcome, error }) => [
    fallbacks > 0 ? reason : null,
    outcome === 'failed' ? error : null,
  ]);
  // The remote that lists nothing is away like one that sells nothing.
  if (summary.unheard !== undefined) why.push('offline');
  const words = runWords();
  const known: Partial<Record<string, string>> = words.advice;
  const found = why.flatMap((one) => (one === null ? [] : (known[one] ?? [])));
  return [...new Set(away.length > 0 ? [words.awayAdvice, ...found] : found)];
}

function namesOf(assets: readonly ReportAsset[], outcome: ReportAsset['outcome']): string {
  const words = runWords();
  const of = assets.filter((asset) => asset.outcome === outcome);
  const named = of.slice(0, MOST_NAMED).map((asset) => {
    const name = asset.title ?? asset.preset ?? words.image(asset.image?.slice(0, 8) ?? '');
    return words.named(sanitize(name), (outcome === 'failed' ? asset.error : asset.reason) ?? 'unknown');
  });
  const rest = of.length - named.length;
  return [...named, ...(rest > 0 ? [words.more(rest)] : [])].join(words.comma);
}
