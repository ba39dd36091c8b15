// What the remote last said was wrong with a Key, until a call with it succeeds.

import type { ErrorCode } from '../model/errors.js';
import { keyIdOf } from '../model/spender.js';
import type { Clock } from '../platform/clock.js';
import type { Exchange, RemoteRequest } from './exchange.js';
import { remoteError } from './remote-error.js';

export type KeyTrouble = ReturnType<typeof createKeyTrouble>;

const TROUBLES: readonly ErrorCode[] = [
  'invalid_key',
  'key_disabled',
  'key_limit_exceeded',
  'machine_revoked',
  'not_a_machine',
];
/** Of a limit, which free calls do not feel: most are of a day, and whoever raises one wants to go on. */
const LIMIT_STANDS_MS = 60 * 60_000;

const GOOD_FOR_MS = 60_000;

/** Remembers the trouble of the Key that was refused last. */
export function createKeyTrouble(clock: Pick<Clock, 'monotonic'>) {
  let last: { readonly keyId: string; readonly code: ErrorCode; readonly at: number } | undefined;
  let good: { readonly keyId: string; readonly at: number } | undefined;
  const isOver = () => last?.code === 'key_limit_exceeded' && clock.monotonic() - last.at >= LIMIT_STANDS_MS;
  return {
    note: ({ key, cost }: Pick<RemoteRequest, 'key' | 'cost'>, result: Exchange): void => {
      if (key === undefined || result.kind !== 'answer') return;
      const { status } = result;
      if (status < 300) {
        good = { keyId: keyIdOf(key), at: clock.monotonic() };
        const cleared = last?.code !== 'key_limit_exceeded' || cost === 'paid';
        if (cleared && last?.keyId === keyIdOf(key)) last = undefined;
      } else if (status === 401 || status === 403) {
        const { code } = remoteError(result);
        if (!TROUBLES.includes(code)) return;
        last = { keyId: keyIdOf(key), code, at: clock.monotonic() };
        if (good?.keyId === last.keyId) good = undefined;
      }
    },
    /** Such as `invalid_key`, or `machine_revoked` of a machine's token; undefined when nothing is known to be wrong. */
    find: (key: string | undefined): ErrorCode | undefined => {
      if (key === undefined || last === undefined || isOver()) return undefined;
      return last.keyId === keyIdOf(key) ? last.code : undefined;
    },
    /** Whether the remote took this Key a moment ago, so that nobody need ask it whether it does. */
    isGood: (key: string): boolean => good?.keyId === keyIdOf(key) && clock.monotonic() - good.at < GOOD_FOR_MS,
  };
}
