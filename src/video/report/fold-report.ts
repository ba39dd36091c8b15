// What a run was served, folded: every request is a line, lines of one asset add up to one line, in any grouping. So a
// run's file can be read after a kill, gone on with, and made shorter.

import { REPORT_VERSION, type Outcome, type Report, type ReportAsset } from '../../api/report.js';
import type { Source, Verdict } from '../../model/asset.js';
import type { ErrorCode } from '../../model/errors.js';
import { parseJsonRecord } from '../../platform/json.js';

/** One request for an asset, or several of the same one. */
export interface ReportLine {
  readonly kind: ReportAsset['kind'];
  /** Preset, or the digest of an image. */
  readonly id: string;
  readonly title?: string | undefined;
  readonly source?: Source | undefined;
  readonly reason?: string | undefined;
  readonly default?: string | undefined;
  readonly error?: ErrorCode | undefined;
  /** Whether the last answer was an error. */
  readonly failed: boolean;
  /** Null while a call is under way, or it is not known whether it was charged. */
  readonly cost: number | null;
  readonly sha256?: string | undefined;
  readonly ms: number;
  readonly asked: number;
  readonly fallbacks: number;
  readonly failures: number;
  readonly licence?: string | undefined;
  readonly attribution?: string | undefined;
  readonly warnings?: readonly string[] | undefined;
  readonly verdict?: Verdict | undefined;
}

/** All lines of one asset. */
type Sum = { -readonly [Field in keyof ReportLine]: ReportLine[Field] };

/** What is known of one run. */
export interface RunRecord {
  /** Null for the requests that belong to no run. */
  readonly run: string | null;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly lines: Map<string, Sum>;
  omitted: number;
  /** Lists in which svcd's own stickers stood in because the remote was not heard. */
  unheard?: number;
}

/** Assets of one run that are told apart; bounds memory and file. */
const MOST_ASSETS = 5000;

/** The line that a record has of the same asset. */
export function findLine({ lines }: RunRecord, { kind, id }: ReportLine): ReportLine | undefined {
  return lines.get(kind + id);
}

/** Adds a line; false when the record has no room for another asset and only counts it. */
export function addLine(record: RunRecord, line: ReportLine): boolean {
  const key = line.kind + line.id;
  const sum = record.lines.get(key);
  if (sum !== undefined) {
    merge(sum, line);
    return true;
  }
  if (record.lines.size >= MOST_ASSETS) {
    record.omitted += line.asked;
    return false;
  }
  record.lines.set(key, { ...line });
  return true;
}

/** A line of a file that adds so many of these lists. */
export interface UnheardLine {
  readonly unheard: number;
}

export function addUnheard(record: RunRecord, { unheard }: UnheardLine): void {
  record.unheard = (record.unheard ?? 0) + unheard;
}

/** In place: most requests are for what was asked for before, and owned. */
function merge(sum: Sum, line: ReportLine): void {
  sum.asked += line.asked;
  sum.cost = sum.cost === null || line.cost === null ? null : sum.cost + line.cost;
  sum.fallbacks += line.fallbacks;
  sum.failures += line.failures;
  sum.failed = line.failed;
  if (line.ms > sum.ms) sum.ms = line.ms;
  if (line.source !== undefined) sum.source = line.source;
  if (line.sha256 !== undefined) {
    // Of other bytes the verdict may not be known yet.
    if (line.verdict !== undefined || line.sha256 !== sum.sha256) sum.verdict = line.verdict;
    sum.sha256 = line.sha256;
  }
  if (line.reason !== undefined) sum.reason = line.reason;
  if (line.default !== undefined) sum.default = line.default;
  if (line.error !== undefined) sum.error = line.error;
  if (line.title !== undefined) sum.title = line.title;
  if (line.licence !== undefined) sum.licence = line.licence;
  if (line.attribution !== undefined) sum.attribution = line.attribution;
  if (line.warnings !== undefined) sum.warnings = line.warnings;
}

/** A record as the lines of a file: one that begins it, then one an asset. */
export function linesOf(record: RunRecord): string {
  const head = { run: record.run, started_at: record.startedAt, omitted: record.omitted, unheard: record.unheard };
  return [head, ...record.lines.values()].map((line) => `${JSON.stringify(line)}\n`).join('');
}

/** The record that such lines hold; a line that a kill has cut is passed over. Undefined without a first line. */
export function parseLines(text: string): { record: RunRecord; lines: number } | undefined {
  const [first = '', ...rest] = text.split('\n');
  const { run, started_at: startedAt, omitted = 0, unheard = 0 } = parseJsonRecord(first) ?? {};
  if (typeof run !== 'string' || typeof startedAt !== 'string') return undefined;
  const record: RunRecord = { run, startedAt, lines: new Map(), omitted: Number(omitted) };
  if (Number(unheard) > 0) addUnheard(record, { unheard: Number(unheard) });
  for (const one of rest) {
    const line = parseJsonRecord(one);
    if (line !== undefined && typeof line['id'] === 'string') addLine(record, line as unknown as ReportLine);
    else if (typeof line?.['unheard'] === 'number') addUnheard(record, { unheard: line['unheard'] });
  }
  return { record, lines: rest.length };
}

/** The title of a sticker, where it is known. */
export type TitleOf = (preset: string) => string | undefined;

/** The report of a record, in an order that does not depend on who asked first; `titleOf` may know more by now. */
export function reportOf(
  { run, startedAt, lines, omitted, unheard }: RunRecord,
  titleOf: TitleOf = () => undefined,
): Report {
  const assets = [...lines.values()].toSorted(byKindAndName).map((line) => assetOf(line, titleOf));
  const count = (outcome: Outcome) => assets.filter((one) => one.outcome === outcome).length;
  const sum = (value: (asset: ReportAsset) => number) => assets.reduce((total, one) => total + value(one), 0);
  return {
    report: REPORT_VERSION,
    run,
    started_at: startedAt,
    summary: {
      assets: assets.length,
      owned: count('owned'),
      shipped: count('shipped'),
      bought: count('bought'),
      fallbacks: count('default'),
      failed: count('failed'),
      credits: sum(({ cost }) => cost ?? 0),
      uncertain: assets.filter(({ cost }) => cost === null).length,
      asked: sum(({ asked }) => asked) + omitted,
      omitted,
      ...(unheard !== undefined && { unheard }),
    },
    assets,
  };
}

function assetOf(line: ReportLine, titleOf: TitleOf): ReportAsset {
  const { kind, id, licence, attribution, warnings, verdict } = line;
  const title = line.title ?? (kind === 'sticker' ? titleOf(id) : undefined);
  return {
    kind,
    ...(kind === 'sticker' ? { preset: id } : { image: id }),
    ...(title !== undefined && { title }),
    outcome: outcomeOf(line),
    source: line.source ?? null,
    reason: line.reason ?? null,
    default: line.default === undefined ? null : inWords(line.default),
    error: line.error ?? null,
    cost: line.cost,
    sha256: line.sha256 ?? null,
    ms: line.ms,
    asked: line.asked,
    fallbacks: line.fallbacks,
    failures: line.failures,
    ...(licence !== undefined && { licence }),
    ...(attribution !== undefined && { attribution }),
    ...(warnings !== undefined && { warnings }),
    ...(verdict !== undefined && { verdict }),
  };
}

/** A header's words as they are read: it has them percent-encoded. */
function inWords(header: string): string {
  try {
    return decodeURIComponent(header);
  } catch {
    return header;
  }
}

function outcomeOf({ fallbacks, failed, cost, source }: ReportLine): Outcome {
  if (fallbacks > 0) return 'default';
  if (failed) return 'failed';
  if (cost !== null && cost > 0) return 'bought';
  return source === 'library' ? 'shipped' : 'owned';
}

/** By code units, which are the same on every machine. */
function byKindAndName(a: ReportLine, b: ReportLine): number {
  const [one, other] = [a.kind + a.id, b.kind + b.id];
  return one < other ? -1 : one > other ? 1 : 0;
}
