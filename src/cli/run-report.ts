// What svcd run says of the assets that its command asked for: one line for people, a file for programs.

import type { Report, ReportAsset } from '../api/report.js';
import type { FallbackReason } from '../model/asset.js';
import { type ErrorCode, SvcdError } from '../model/errors.js';
import { formatCount, formatNumber, sanitize } from './format.js';
import type { Absence } from './hold-lease.js';
import type { ChildEnd } from './run-child.js';

const MOST_NAMED = 3;

/** `12 assets: 9 owned, 2 bought for 2 credits, 1 fallback: 日落 (offline)`. */
export function describeReport({ summary, assets }: Report, isSandbox = false): string {
  const { owned, shipped, bought, fallbacks, failed, credits, uncertain, omitted } = summary;
  const parts = [
    owned > 0 && `${formatNumber(owned)} owned`,
    shipped > 0 && `${formatNumber(shipped)} shipped with svcd`,
    bought > 0 && `${formatNumber(bought)} bought for ${formatCount(credits, 'credit')}`,
    fallbacks > 0 && `${formatCount(fallbacks, 'fallback')}: ${namesOf(assets, 'default')}`,
    failed > 0 && `${formatNumber(failed)} failed: ${namesOf(assets, 'failed')}`,
    summary.unheard !== undefined &&
      `${formatCount(summary.unheard, 'list')} of svcd's own stickers alone, for the service was not heard`,
    omitted > 0 && `and ${formatCount(omitted, 'request')} for more than can be listed`,
    uncertain > 0 && `and ${formatNumber(uncertain)} whose cost is not known yet`,
  ].filter((part) => part !== false);
  const total = formatCount(summary.assets, 'asset');
  const told = parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
  return isSandbox && summary.assets > 0 ? `${told} (the sandbox: play money)` : told;
}

/** `svcd was away 1.3 s; what was asked then is not in this report`; undefined when it was there all the time. */
export function describeAway(away: readonly Absence[]): string | undefined {
  return away.length === 0 ? undefined : `${wordsOf(away)}; what was asked then is not in this report`;
}

function wordsOf(away: readonly Absence[]): string {
  const ms = away.reduce((total, one) => total + one.ms, 0);
  const seconds = `${Math.max(ms / 1000, 0.1).toFixed(1)} s`;
  return `svcd was away ${away.length === 1 ? seconds : `${away.length} times, ${seconds} in all`}`;
}

/** How the command went, beside what it was served. */
export interface Course {
  /** Undefined where it did not begin. */
  readonly end: ChildEnd | undefined;
  readonly away: readonly Absence[];
  /** Whether the credits were those of the sandbox. */
  readonly sandbox: boolean;
}

/** The report as a file: with how the command ended, null where it did not begin, when svcd was away, and whose credits. */
export function fileOf(report: Report, { end, away, sandbox }: Course): Uint8Array {
  const { assets, ...head } = report;
  const command = {
    exit_code: end && 'code' in end ? end.code : null,
    signal: end && 'signal' in end ? end.signal : null,
  };
  return new TextEncoder().encode(`${JSON.stringify({ ...head, sandbox, command, away, assets }, null, 2)}\n`);
}

/** Throws `defaults_served` unless every asset is the one that was asked for, and svcd was there all the time. */
export function requireWhole(report: Report | undefined, away: readonly Absence[]): void {
  if (report === undefined) {
    throw new SvcdError('defaults_served', 'it is not known what the command was served, so it may have been defaults');
  }
  const { fallbacks, failed, omitted, unheard = 0 } = report.summary;
  if (fallbacks + failed + omitted + unheard + away.length === 0) return;
  const what = [
    fallbacks > 0 && `${formatCount(fallbacks, 'asset')} ${fallbacks === 1 ? 'was' : 'were'} replaced by a default`,
    failed > 0 && `${formatCount(failed, 'asset')} failed`,
    omitted > 0 && `${formatCount(omitted, 'request')} could not be listed`,
    unheard > 0 && `${formatCount(unheard, 'list')} held svcd's own stickers alone, for the service was not heard`,
    away.length > 0 && wordsOf(away),
  ].filter((part) => part !== false);
  throw new SvcdError('defaults_served', `the command succeeded, and ${what.join(', ')} (--strict)`, {
    hint: ['--report FILE says which, and why.', ...advice(report, away)].join(' '),
  });
}

const NEXT_TIME = 'What came late, or waits for its turn, is being bought, and is right the next time.';
const KEY = '"svcd key status" says what is wrong with the Key.';
const GONE = 'What the service does not have, "svcd search WORDS" may find under another name.';

/** What to do, by the reason of a default or the code of an error. */
const ADVICE: Partial<Record<string, string>> = {
  late: NEXT_TIME,
  timeout: NEXT_TIME,
  rate_limited: NEXT_TIME,
  busy: NEXT_TIME,
  duplicate_request: NEXT_TIME,
  unsettled:
    'What is unsettled may have been paid for, and is not bought again by itself: "svcd purchases" lists it, "svcd ' +
    'purchases settle ID" settles it, "svcd purchases retry ID" buys it again.',
  no_key: KEY,
  invalid_key: KEY,
  key_disabled: KEY,
  key_limit_exceeded: KEY,
  permission_missing: KEY,
  insufficient_credits: 'The account has too few credits, or the Key a limit: "svcd key status" says which.',
  budget: 'A budget is used up: that of the run (--budget), or one of svcd, which "svcd budget" shows.',
  spending_stopped: 'Spending is stopped: "svcd status" says why, and how to go on.',
  not_permitted: 'The token of the run does not permit all of it: see --only.',
  not_declared: 'The template asked for what its motion.json does not declare; --allow of "svcd run" is yours to give.',
  offline: 'The service was not asked: "svcd status" says why.',
  upstream_failure: 'The service failed: try again later.',
  not_enabled: 'The service does not offer all of it now.',
  unknown_preset: GONE,
  not_found: GONE,
} satisfies Partial<Record<FallbackReason | ErrorCode, string>>;

const AWAY = 'What was asked while svcd was away is not known: run the command again, and leave svcd running.';

/** Each advice once. */
function advice({ assets, summary }: Report, away: readonly Absence[]): readonly string[] {
  const why = assets.flatMap(({ fallbacks, reason, outcome, error }) => [
    fallbacks > 0 ? reason : null,
    outcome === 'failed' ? error : null,
  ]);
  // The remote that lists nothing is away like one that sells nothing.
  if (summary.unheard !== undefined) why.push('offline');
  const found = why.flatMap((one) => (one === null ? [] : (ADVICE[one] ?? [])));
  return [...new Set(away.length > 0 ? [AWAY, ...found] : found)];
}

function namesOf(assets: readonly ReportAsset[], outcome: ReportAsset['outcome']): string {
  const of = assets.filter((asset) => asset.outcome === outcome);
  const named = of.slice(0, MOST_NAMED).map((asset) => {
    const name = asset.title ?? asset.preset ?? `image ${asset.image?.slice(0, 8) ?? ''}`;
    return `${sanitize(name)} (${(outcome === 'failed' ? asset.error : asset.reason) ?? 'unknown'})`;
  });
  const rest = of.length - named.length;
  return [...named, ...(rest > 0 ? [`and ${formatNumber(rest)} more`] : [])].join(', ');
}
