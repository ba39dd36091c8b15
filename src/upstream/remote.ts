// The remote as svcd sees it: one exchange with its policies around it, free calls, and the balance that answers tell.

import { randomInt } from 'node:crypto';
import type { Clock } from '../platform/clock.js';
import { SvcdError } from '../model/errors.js';
import type { Log } from '../platform/log.js';
import { keyIdOf } from '../model/spender.js';
import { REQUESTS_PER_MINUTE } from '../contract/limits.js';
import { Breaker, withBreaker, type BreakerOptions, type Reach } from './breaker.js';
import type { Exchanger, Layer, RemoteAnswer, RemoteRequest } from './exchange.js';
import type { RateLimiterRules } from './rate-limiter.js';
import { createLimiters, withRateLimit, type RateFigures } from './with-rate-limit.js';
import { creditsToldIn, watchRefusals } from './watch-refusals.js';
import { withResend, type ResendOptions } from './with-resend.js';
import { withSharedTurns, type SharedTurns } from './with-shared-turns.js';
import { remoteError } from './remote-error.js';
import { withRetry, type RetryOptions } from './retry.js';
import { sleep, type Sleep } from '../platform/sleep.js';

export interface Remote {
  /** Base address, without a slash at its end. */
  readonly baseUrl: string;
  /** One exchange, behind every policy. Never rejects. */
  readonly exchange: Exchanger;
  /** Whether it can be reached, since when not, and why. */
  reach(): Reach;
  /** Why a client that can wait so long would get no answer: `offline`, or the remote is silent. */
  findRefusal(patienceMs: number): SvcdError | undefined;
  /** How long it still wants to be left alone (`Retry-After`); 0 when it does not. */
  heldForMs(): number;
  /** Who waits for a turn, and what is left of the rate. */
  rate(): RateFigures;
  /** Lets nothing leave; or lets it leave again, also where the remote asked to be left alone. */
  setForcedOffline(forcedOffline: boolean): void;
  /** Stops every timer; what was not sent ends as `unreached`, as does every later request. */
  close(): void;
}

export interface RemoteOptions {
  /** Those of the service, if not given. */
  readonly policies?: RemotePolicies | undefined;
  readonly baseUrl: string;
  readonly exchanger: Exchanger;
  readonly forcedOffline: boolean;
  /** How long the service may be silent before it counts as away; 8 s if not given. */
  readonly silentAfterMs?: number | undefined;
  /** Called as a request with a Key leaves; what it returns is told the balance, if the answer says one. */
  readonly watchBalance: WatchBalance;
  readonly clock: Clock;
  readonly log: Log;
  readonly sleep?: Sleep;
  /** From 0 to 1, 1 excluded. */
  readonly random?: () => number;
  readonly pace?: Partial<RateLimiterRules>;
  /** Set where other processes send with the same Keys. */
  readonly turns?: SharedTurns | undefined;
}

/** What differs between the service and a hub (hub/member/hub-policies.ts). */
export interface RemotePolicies {
  /** What is asked in order to see whether it is there, and when. */
  readonly probe: RemoteRequest;
  readonly probePausesMs: BreakerOptions['pausesMs'];
  /** How long it may be silent before it counts as away; undefined where something else tells that. */
  readonly silentAfterMs: number | undefined;
  /** Outermost, so that each further try asks the breaker and waits for its turn like any other request. */
  readonly retry: (time: Omit<RetryOptions, 'maxRetries' | 'pauseMs'>) => Layer;
  readonly resend?: Pick<ResendOptions, 'isForNow' | 'isHeld'>;
  /** Between the resending and the exchange. */
  readonly last: readonly Layer[];
}

export type WatchBalance = (keyId: string, cost: RemoteRequest['cost']) => (credits: number) => void;

/** A second more than the service's minute: requests sent a minute apart may arrive closer together. */
export const PACE_WINDOW_MS = 61_000;
/** A person's handful waits for nothing; after it a turn comes each 0.76 s, or 0.51 s where the pace is steady. */
export const PACE_BURST = 40;
const PACE = {
  limit: REQUESTS_PER_MINUTE,
  windowMs: PACE_WINDOW_MS,
  burst: PACE_BURST,
  backgroundShare: 0.5,
  maxWaiting: 500,
  maxBlockMs: 5 * 60_000,
};
const RESEND_PAUSES_MS: ResendOptions['pausesMs'] = [500, 1000, 2000, 4000, 8000, 15_000];
const SILENT_AFTER_MS = 8000;
const RETRY = { maxRetries: 2, pauseMs: 200 };
const PROBE_PAUSES_MS: BreakerOptions['pausesMs'] = [1000, 2000, 4000, 8000, 16_000, 30_000];
const USAGE_TIMEOUT_MS = 2000;
const USAGE_MAX_BYTES = 1024 * 1024;
const PROBE = {
  method: 'GET',
  path: '/api/v1/capabilities',
  cost: 'free',
  // A remote that takes ten seconds is there.
  timeoutMs: 15_000,
  maxBytes: 1024 * 1024,
} as const;

/** Puts the policies around an exchanger. */
export function createRemote(options: RemoteOptions): Remote {
  const { exchanger, clock, log } = options;
  const time = { clock, sleep: options.sleep ?? sleep };
  const pace = { ...PACE, ...time, ...options.pace };
  const limiters = createLimiters(pace);
  const ofService: RemotePolicies = {
    probe: PROBE,
    probePausesMs: PROBE_PAUSES_MS,
    silentAfterMs: options.silentAfterMs ?? SILENT_AFTER_MS,
    retry: (timing) => withRetry({ ...RETRY, ...timing }),
    last: [
      ...(options.turns === undefined ? [] : [withSharedTurns(options.turns, clock)]),
      withRateLimit(pace, limiters),
    ],
  };
  const { probe, probePausesMs: pausesMs, silentAfterMs, retry, resend, last } = options.policies ?? ofService;
  const breaker = new Breaker({
    probe: (recall) => exchanger({ ...probe, recall }),
    pausesMs,
    forcedOffline: options.forcedOffline,
    silentAfterMs,
    log,
    ...time,
  });
  // The outermost first.
  const layers: readonly Layer[] = [
    retry({ random: options.random ?? (() => randomInt(2 ** 32) / 2 ** 32), ...time }),
    // Before the rate limit: while the remote is away no request waits for a turn, and those that wait are recalled.
    withBreaker(breaker),
    // Before the rate limit too: each further try waits for its turn like any other request.
    withResend({ pausesMs: RESEND_PAUSES_MS, ...time, ...resend }),
    watchRefusals((exchange, key) => askBalance({ exchange }, key), clock),
    ...last,
    withBalance(options.watchBalance),
  ];
  return {
    baseUrl: options.baseUrl,
    exchange: layers.reduceRight((next, layer) => layer(next), exchanger),
    reach: () => breaker.reach(),
    findRefusal: (patienceMs) => breaker.findRefusal(patienceMs),
    heldForMs: () => limiters.heldForMs(),
    rate: () => limiters.figures(),
    setForcedOffline: (forcedOffline) => {
      breaker.setForcedOffline(forcedOffline);
      if (!forcedOffline) limiters.lift();
    },
    close: () => breaker.close(),
  };
}

/** Tells what each answer says of the balance behind its Key. */
function withBalance(watchBalance: WatchBalance): Layer {
  return (next) => async (request) => {
    if (request.key === undefined) return next(request);
    const told = watchBalance(keyIdOf(request.key), request.cost);
    const result = await next(request);
    const balance = result.kind === 'answer' ? balanceIn(result) : undefined;
    if (balance !== undefined) told(balance);
    return result;
  };
}

/** The answer of a free call. Throws `offline`, `timeout`, `upstream_failure`, or what the remote refused with. */
export async function askFree(remote: Remote, request: RemoteRequest): Promise<RemoteAnswer> {
  const result = await remote.exchange(request);
  if (result.kind !== 'answer') throw result.error;
  if (result.status >= 300) throw remoteError(result);
  return result;
}

/** The balance behind a Key, through the free usage call; undefined when the remote does not say in time (2 s). */
export async function askBalance(
  remote: Pick<Remote, 'exchange'>,
  key: string,
  timeoutMs = USAGE_TIMEOUT_MS,
): Promise<number | undefined> {
  const request = { method: 'GET', path: '/api/v1/usage', key, cost: 'free' } as const;
  const exchange = await remote.exchange({
    ...request,
    timeoutMs,
    queueTimeoutMs: timeoutMs,
    maxBytes: USAGE_MAX_BYTES,
  });
  return exchange.kind === 'answer' && exchange.status === 200 ? balanceIn(exchange) : undefined;
}

/** The error of everything that needs a remote when none is configured. */
export function noRemote(): SvcdError {
  return new SvcdError('offline', 'no remote is configured', {
    hint: 'Set one with "svcd config set remote https://…", or try "svcd start --sandbox".',
  });
}

/** Credits that an answer says are left. Only a success or a 402 surely speaks of this account. */
export function balanceIn(answer: RemoteAnswer): number | undefined {
  return answer.status >= 300 && answer.status !== 402 ? undefined : creditsToldIn(answer);
}
