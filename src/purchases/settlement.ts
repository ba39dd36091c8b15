// Settling purchases whose end was not seen, from what the remote says the balance is, and when it is asked for that: once for all
// who ask together, and later again with growing pauses.

import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { BALANCE_ROSE, LATE, type Grace, type Unknown } from './settlement-rules.js';

/** Asks the remote for the balance of an account; undefined when it does not say. */
export type ReadBalance = () => Promise<number | undefined>;

export interface Settlement {
  /**
   * Asks for the balance before the first purchase of an account in this run, and after an hour without a certain one:
   * a purchase whose end is not seen is settled by comparing with it. Many ask once together. Never rejects.
   */
  prepare(keyId: string, readBalance: ReadBalance): Promise<void>;
  /** Takes a balance read while no paid call of this account was under way; returns how many it settled. Never throws. */
  reconcile(keyId: string, balance: number): number;
  /** Asks for the balance and reconciles, if something of this account is unknown. Never rejects. */
  settle(keyId: string, readBalance: ReadBalance): Promise<void>;
  /** It shows that the balance fell with refusals: those since the last balance are in doubt, and looked at within a second. */
  doubtRefusals(keyId: string, readBalance: ReadBalance): void;
  /** Looks within a second, and again with growing pauses for as long as something of this account is unknown or watched on. */
  settleLater(keyId: string, readBalance: ReadBalance): void;
  /** What a look can still bring of a purchase of unknown end, and when the next one is; both in milliseconds from now. */
  expectLook(one: Expected): ExpectedLook;
  close(): void;
}

type Expected = Pick<Unknown, 'id' | 'kind'> & { readonly keyId: string; readonly reason?: string | null };

export interface ExpectedLook {
  /** How long an untouched balance proves nothing yet. */
  readonly graceLeftMs: number;
  /** Undefined where svcd does not look by itself, or no look can tell. */
  readonly nextLookMs: number | undefined;
}

export interface SettlementAskOptions {
  /** Asks for the balance and settles by it, if something of this account is unknown. */
  readonly settleNow: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Asks for the balance and keeps it to compare with. */
  readonly prepareNow: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Whether a balance to compare with is known, of today and not an hour old. */
  readonly isPrepared: (keyId: string) => boolean;
  /** Whether a balance can still say something of this account. */
  readonly isWatched: (keyId: string) => boolean | Promise<boolean>;
  /** How long ago the oldest of this account of the last `withinMs` was settled as free, by the journal's clock; null where none was. */
  readonly findFreedAge: (keyId: string, withinMs: number) => number | null | Promise<number | null>;
  readonly listUnknown: (keyId: string) => readonly Unknown[] | Promise<readonly Unknown[]>;
  /** Accounts whose balance fell with refusals since the last one to compare with; whoever takes the next one clears it. */
  readonly doubted: Set<string>;
  readonly grace: Grace;
  readonly clock: Clock;
  readonly log: Log;
}

/** Soon, so that a rise of the balance afterwards is seen as one. */
const FIRST_LOOKS_MS = [500, 15_000, 60_000, 5 * 60_000];
/** A timer may be a little early. */
const LOOK_MARGIN_MS = 250;
const PAUSES_GROW_BY = 4;
const LONGEST_PAUSE_MS = 6 * 60 * 60_000;
const ASK_AGAIN_MS = 2000;
/** So long after something was settled as free it is looked at again, for a charge that came late. */
const LATE_LOOK_MS = 15 * 60_000;
/** After a balance that could not be had. */
const PREPARE_AGAIN_MS = 60_000;
/** So long a balance of this run serves to compare with. */
export const CERTAIN_FOR_MS = 60 * 60_000;

/** One to come; `atMs` after the purchase was lost. */
interface Look {
  readonly timer: NodeJS.Timeout;
  readonly nth: number;
  readonly atMs: number;
  readonly dueAt: number;
}

export interface SettlementAsks extends Omit<Settlement, 'reconcile'> {
  /** Something was settled as free: it is looked at again in time. */
  lookLate(keyId: string): void;
}

/** When balances are asked for, whichever database says what they mean. */
export function createSettlementAsks(options: SettlementAskOptions): SettlementAsks {
  const { settleNow, prepareNow, isPrepared, isWatched, findFreedAge, listUnknown, doubted, grace, clock, log } =
    options;
  const looks = new Map<string, Look>();
  const readers = new Map<string, ReadBalance>();
  const looksMs = [...FIRST_LOOKS_MS, ...grace.endsMs.map((ms) => ms + LOOK_MARGIN_MS)].toSorted((a, b) => a - b);
  let closed = false;
  const asked = new Map<string, { at: number; asking: Promise<void> }>();
  const prepared = new Map<string, { at: number; asking: Promise<void> }>();

  const prepare = (keyId: string, readBalance: ReadBalance): Promise<void> => {
    readers.set(keyId, readBalance);
    if (isPrepared(keyId)) return Promise.resolve();
    const now = clock.monotonic();
    const last = prepared.get(keyId);
    if (last !== undefined && now - last.at < PREPARE_AGAIN_MS) return last.asking;
    const asking = prepareNow(keyId, readBalance).catch((error: unknown) => {
      log.warn('the balance before a purchase could not be read', { why: String(error) });
    });
    prepared.set(keyId, { at: now, asking });
    return asking;
  };

  const ask = (keyId: string, readBalance: ReadBalance): Promise<void> => {
    readers.set(keyId, readBalance);
    const asking = settleNow(keyId, readBalance).catch((error: unknown) => {
      log.warn('purchases could not be settled', { why: String(error) });
    });
    asked.set(keyId, { at: clock.monotonic(), asking });
    return asking;
  };

  const settle = (keyId: string, readBalance: ReadBalance): Promise<void> => {
    const last = asked.get(keyId);
    return last !== undefined && clock.monotonic() - last.at < ASK_AGAIN_MS ? last.asking : ask(keyId, readBalance);
  };

  /** When what was settled as free is due next, from now. One that was due already has had its look, or has it at the start. */
  const findLateMs = async (keyId: string): Promise<number> => {
    const ageMs = await findFreedAge(keyId, LATE_LOOK_MS);
    return ageMs === null ? Infinity : Math.max(0, LATE_LOOK_MS - ageMs) + LOOK_MARGIN_MS;
  };

  /** The `nth` look, so long after the purchase was lost, or one in `lateMs` where that is sooner. */
  const lookAfter = (keyId: string, nth: number, agoMs: number, lateMs = Infinity): void => {
    clearTimeout(looks.get(keyId)?.timer);
    const usualMs = looksMs[nth] ?? Math.min(agoMs * PAUSES_GROW_BY, agoMs + LONGEST_PAUSE_MS);
    const atMs = Math.min(usualMs, agoMs + lateMs);
    const look = async () => {
      looks.delete(keyId);
      const readBalance = readers.get(keyId);
      if (readBalance !== undefined) await ask(keyId, readBalance);
      const goesOn = await isWatched(keyId);
      const nextLateMs = await findLateMs(keyId);
      // One that was lost meanwhile has begun anew.
      if (goesOn && !closed && !looks.has(keyId)) lookAfter(keyId, atMs < usualMs ? nth : nth + 1, atMs, nextLateMs);
    };
    const timer = setTimeout(() => {
      look().catch((error: unknown) => {
        log.warn('purchases could not be settled', { why: String(error) });
        // What could not be read now, such as from a database that is away, may be looked at later.
        if (!closed && !looks.has(keyId)) lookAfter(keyId, nth + 1, atMs);
      });
    }, atMs - agoMs).unref();
    looks.set(keyId, { timer, nth, atMs, dueAt: clock.monotonic() + atMs - agoMs });
  };

  /** Has something that was just settled as free looked at again in time, whoever settled it. */
  const lookLate = async (keyId: string): Promise<void> => {
    const lateMs = await findLateMs(keyId);
    const { nth = looksMs.length, atMs, dueAt = Infinity } = looks.get(keyId) ?? {};
    const leftMs = dueAt - clock.monotonic();
    if (closed || lateMs >= leftMs) return;
    lookAfter(keyId, nth, atMs === undefined ? Math.max(...looksMs) : atMs - leftMs, lateMs);
  };

  const watch = async (keyId: string): Promise<void> => {
    for (const one of await listUnknown(keyId)) grace.watch(one);
  };
  const nextLookMs = ({ keyId, reason }: Expected): number | undefined => {
    const look = reason === LATE || reason === BALANCE_ROSE ? undefined : looks.get(keyId);
    return look && Math.max(0, look.dueAt - clock.monotonic());
  };

  const settleLater = (keyId: string, readBalance: ReadBalance): void => {
    readers.set(keyId, readBalance);
    // What cannot be read now begins to count when it is looked at.
    void watch(keyId).catch(() => undefined);
    if (!closed && looks.get(keyId)?.nth !== 0) lookAfter(keyId, 0, 0);
  };

  return {
    prepare,
    settle,
    settleLater,
    doubtRefusals: (keyId, readBalance) => {
      doubted.add(keyId);
      settleLater(keyId, readBalance);
    },
    lookLate: (keyId) => {
      void lookLate(keyId).catch((error: unknown) =>
        log.warn('purchases could not be settled', { why: String(error) }),
      );
    },
    expectLook: (one) => ({ graceLeftMs: grace.leftMs(one), nextLookMs: nextLookMs(one) }),
    close: () => {
      closed = true;
      for (const { timer } of looks.values()) clearTimeout(timer);
      looks.clear();
    },
  };
}

/** Which paid calls of an account are under way: a balance says something of one only if no other was moving while it was read. */
export interface InflightTracker {
  /** A paid call begins; the returned function notes its end and says whether it was alone all the time. */
  start(keyId: string): () => boolean;
  /** Begins a reading; the returned function says whether no paid call was under way since. */
  watch(keyId: string): () => boolean;
}

interface Calls {
  active: number;
  /** Counts beginnings, so that one that began and ended in between is noticed too. */
  started: number;
}

/** Tracks the calls of all accounts in memory: after a restart none is under way. */
export function createInflightTracker(): InflightTracker {
  const accounts = new Map<string, Calls>();
  const callsOf = (keyId: string): Calls => {
    const calls = accounts.get(keyId) ?? { active: 0, started: 0 };
    accounts.set(keyId, calls);
    return calls;
  };
  return {
    start: (keyId) => {
      const calls = callsOf(keyId);
      const wasAlone = calls.active === 0;
      calls.active += 1;
      calls.started += 1;
      const mine = calls.started;
      return () => {
        calls.active -= 1;
        return wasAlone && calls.started === mine;
      };
    },
    watch: (keyId) => {
      const calls = callsOf(keyId);
      const wasQuiet = calls.active === 0;
      const seen = calls.started;
      return () => wasQuiet && calls.started === seen;
    },
  };
}
