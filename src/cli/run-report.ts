// What svcd run says of the assets that its command asked for: one line for people, a file for programs.

import type { Report, ReportAsset } from '../api/report.js';
import { SvcdError } from '../model/errors.js';
import { formatCount, formatNumber, sanitize } from './format.js';
import type { ChildEnd } from './run-child.js';

const MOST_NAMED = 3;

/** `12 assets: 9 owned, 2 bought for 2 credits, 1 fallback: 日落 (offline)`. */
export function describeReport({ summary, assets }: Report): string {
  const { owned, shipped, bought, fallbacks, failed, credits, omitted } = summary;
  const parts = [
    owned > 0 && `${formatNumber(owned)} owned`,
    shipped > 0 && `${formatNumber(shipped)} shipped with svcd`,
    bought > 0 && `${formatNumber(bought)} bought for ${formatCount(credits, 'credit')}`,
    fallbacks > 0 && `${formatCount(fallbacks, 'fallback')}: ${namesOf(assets, 'default')}`,
    failed > 0 && `${formatNumber(failed)} failed: ${namesOf(assets, 'failed')}`,
    summary.unheard !== undefined &&
      `${formatCount(summary.unheard, 'list')} of svcd's own stickers alone, for the service was not heard`,
    omitted > 0 && `and ${formatCount(omitted, 'request')} for more than can be listed`,
  ].filter((part) => part !== false);
  const total = formatCount(summary.assets, 'asset');
  return parts.length === 0 ? total : `${total}: ${parts.join(', ')}`;
}

/** The report as a file: with how the command ended. Null where it did not begin. */
export function fileOf(report: Report, end: ChildEnd | undefined): Uint8Array {
  const { assets, ...head } = report;
  const command = {
    exit_code: end && 'code' in end ? end.code : null,
    signal: end && 'signal' in end ? end.signal : null,
  };
  return new TextEncoder().encode(`${JSON.stringify({ ...head, command, assets }, null, 2)}\n`);
}

/** Throws `defaults_served` unless every asset is the one that was asked for. */
export function requireWhole(report: Report | undefined): void {
  if (report === undefined) {
    throw new SvcdError('defaults_served', 'it is not known what the command was served, so it may have been defaults');
  }
  const { fallbacks, failed, omitted } = report.summary;
  if (fallbacks + failed + omitted === 0) return;
  const what = [
    fallbacks > 0 && `${formatCount(fallbacks, 'asset')} ${fallbacks === 1 ? 'was' : 'were'} replaced by a default`,
    failed > 0 && `${formatCount(failed, 'asset')} failed`,
    omitted > 0 && `${formatCount(omitted, 'request')} could not be listed`,
  ].filter((part) => part !== false);
  throw new SvcdError('defaults_served', `the command succeeded, and ${what.join(', ')} (--strict)`, {
    hint: '--report FILE says which, and why. What is bought meanwhile is right the next time.',
  });
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
