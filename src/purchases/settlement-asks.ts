// When the balance is asked for, to settle what is unknown: once for all who ask together, and later again with growing pauses.

import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';

type ReadBalance = () => Promise<number | undefined>;

export interface SettlementAsks {
  /** Asks for a balance to compare with later, unless there is one; once for all who ask together. Never rejects. */
  readonly prepare: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Asks now, or joins who asked a moment ago. Never rejects. */
  readonly settle: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Tries later, a few times with growing pauses. */
  readonly settleLater: (keyId: string, readBalance: ReadBalance) => void;
  readonly close: () => void;
}

export interface SettlementAskOptions {
  /** Asks for the balance and settles by it, if something of this account is unknown. */
  readonly settleNow: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Asks for the balance and keeps it to compare with. */
  readonly prepareNow: (keyId: string, readBalance: ReadBalance) => Promise<void>;
  /** Whether a balance to compare with is known, of today and not an hour old. */
  readonly isPrepared: (keyId: string) => boolean;
  readonly clock: Clock;
  readonly log: Log;
  readonly graceMs: number;
}

const LATER_TRIES = 4;
const ASK_AGAIN_MS = 2000;
/** After a balance that could not be had. */
const PREPARE_AGAIN_MS = 60_000;
/** So long a balance of this run serves to compare with. */
export const CERTAIN_FOR_MS = 60 * 60_000;

export function createSettlementAsks(options: SettlementAskOptions): SettlementAsks {
  const { settleNow, prepareNow, isPrepared, clock, log, graceMs } = options;
  const timers = new Set<NodeJS.Timeout>();
  let closed = false;
  const asked = new Map<string, { at: number; asking: Promise<void> }>();
  const prepared = new Map<string, { at: number; asking: Promise<void> }>();

  const prepare = (keyId: string, readBalance: ReadBalance): Promise<void> => {
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

  const settle = (keyId: string, readBalance: ReadBalance): Promise<void> => {
    const last = asked.get(keyId);
    if (last !== undefined && clock.monotonic() - last.at < ASK_AGAIN_MS) return last.asking;
    const asking = settleNow(keyId, readBalance).catch((error: unknown) => {
      log.warn('purchases could not be settled', { why: String(error) });
    });
    asked.set(keyId, { at: clock.monotonic(), asking });
    return asking;
  };

  const tryLater = async (keyId: string, readBalance: ReadBalance, tries: number, waitMs: number) => {
    await settle(keyId, readBalance);
    if (tries > 1 && !closed) settleAfter(keyId, readBalance, tries - 1, waitMs * 4);
  };

  const settleAfter = (keyId: string, readBalance: ReadBalance, tries: number, waitMs: number): void => {
    const timer = setTimeout(() => {
      timers.delete(timer);
      void tryLater(keyId, readBalance, tries, waitMs);
    }, waitMs);
    timer.unref();
    timers.add(timer);
  };

  return {
    prepare,
    settle,
    settleLater: (keyId, readBalance) => {
      if (!closed) settleAfter(keyId, readBalance, LATER_TRIES, graceMs);
    },
    close: () => {
      closed = true;
      for (const timer of timers) clearTimeout(timer);
      timers.clear();
    },
  };
}
