// The state of filling the library, as figures: for the status route, the events of a run and a header.

import type { Library } from '../library/library.js';
import type { Harvest, HarvestProgress } from './harvest.js';
import type { LibraryState, LibraryStatus } from '../api/library.js';

export interface HarvestFacts {
  readonly state: LibraryState;
  readonly why: string | undefined;
  readonly complete: boolean;
  readonly progress: HarvestProgress;
  /** Whose library this is a copy of, and when it was taken. */
  readonly hub?: { readonly address: string; readonly takenAt: number | undefined };
  readonly background: boolean;
  readonly perMinute: number;
  /** New stickers a request brought lately. */
  readonly freshRate: number | undefined;
}

/** As JSON. */
export function statusOf(facts: HarvestFacts): LibraryStatus {
  const { progress, complete } = facts;
  const { known, estimate, requests, lastAnswerAt } = progress;
  const { hub } = facts;
  return {
    state: facts.state,
    why: facts.why ?? null,
    complete,
    known,
    estimate: estimate === undefined ? null : roundedOf(estimate),
    coverage: coverageOf(progress),
    requests,
    last_sync_at: instantOf(lastAnswerAt),
    hub: hub === undefined ? null : { address: hub.address, taken_at: instantOf(hub.takenAt) },
    background: facts.background,
    allowed_per_minute: Math.round(facts.perMinute * 10) / 10,
    seconds_left: complete ? null : secondsLeft(facts),
  };
}

type CountedLibrary = Pick<Library, 'size' | 'isComplete'>;

/** How full a library is; one that was given whole, and never asked the remote for anything, holds all there is. */
export function progressOf(library: CountedLibrary, { progress }: Pick<Harvest, 'progress'>): HarvestProgress {
  if (!library.isComplete() || progress.requests.sent > 0) return progress;
  const known = library.size;
  return { ...progress, known, estimate: { total: known, low: known, high: known } };
}

/** How much of what the remote has a library holds: most is yet unknown, most is known, or practically all is. */
export type LibraryFill = 'begun' | 'nearly' | 'complete';

/** The document's "over 11,000 stickers", for as long as there is no estimate. */
const DOCUMENTED = 11_000;
const NEARLY = 0.9;

/** How full a library is, as far as an estimate or, where nothing was asked for yet, the number of stickers says. */
export function fillOf(library: CountedLibrary, { progress }: Pick<Harvest, 'progress'>): LibraryFill {
  const { known, estimate } = progress;
  // Imported, from whom ever: to ask about each search would bring practically nothing.
  if (library.isComplete() || (estimate === undefined && library.size >= DOCUMENTED)) return 'complete';
  const isKnown = estimate !== undefined && known >= NEARLY * estimate.high;
  return isKnown || library.size >= NEARLY * DOCUMENTED ? 'nearly' : 'begun';
}

/** The header for what a library knows now, made anew only when that changes. */
export function createLibraryHeader(library: CountedLibrary, harvest: Pick<Harvest, 'progress'>): () => string {
  let last = { progress: undefined as HarvestProgress | undefined, complete: false, size: 0, header: '' };
  return () => {
    const { progress } = harvest;
    const { size } = library;
    const complete = library.isComplete();
    if (last.progress !== progress || last.complete !== complete || last.size !== size) {
      last = { progress, complete, size, header: libraryHeader(progressOf(library, harvest), complete) };
    }
    return last.header;
  };
}

/** As a structured field (RFC 8941): `known=8123, estimate=11950, coverage=0.68, complete=?0`. */
function libraryHeader(progress: HarvestProgress, complete: boolean): string {
  const coverage = coverageOf(progress);
  const estimate = progress.estimate;
  const guess =
    estimate === undefined || coverage === null
      ? ''
      : `, estimate=${Math.round(estimate.total)}, low=${Math.floor(estimate.low)}, high=${Math.ceil(estimate.high)}, coverage=${coverage}`;
  return `known=${progress.known}${guess}, complete=?${complete ? 1 : 0}`;
}

function instantOf(at: number | undefined): string | null {
  return at === undefined ? null : new Date(at).toISOString();
}

function roundedOf({ total, low, high }: NonNullable<HarvestProgress['estimate']>) {
  return { total: Math.round(total), low: Math.floor(low), high: Math.ceil(high) };
}

function coverageOf({ known, estimate }: HarvestProgress): number | null {
  if (estimate === undefined || estimate.total <= 0) return null;
  return Math.round((1000 * known) / estimate.total) / 1000;
}

/** Each request finds a part of what is left, so that what is left dwindles like what decays. */
function secondsLeft({ progress, perMinute, freshRate }: HarvestFacts): number | null {
  const { known, estimate } = progress;
  if (estimate === undefined || freshRate === undefined || freshRate <= 0) return null;
  const left = estimate.total - known;
  const enough = estimate.total * 0.005;
  if (left <= enough) return 0;
  const requests = (left / freshRate) * Math.log(left / enough);
  return Math.round((requests / perMinute) * 60);
}
