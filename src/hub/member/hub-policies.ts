// The policies around exchanges with a hub. It keeps the rate of the Key and buys nothing twice, so that nothing is held back
// here, and what was lost is asked again by the same name, also where it costs.

import { isSvcdError } from '../../model/errors.js';
import type { Exchange, Layer, RemoteAnswer, RemoteRequest } from '../../upstream/exchange.js';
import { HUB_PATH, mayRepeat, REQUEST_ID, sentBefore } from './hub-exchanger.js';
import { FILES } from '../../upstream/relay-address.js';
import type { RemotePolicies } from '../../upstream/remote.js';
import { isNamelessFailure, namedCode } from '../../upstream/remote-error.js';
import type { RetryOptions } from '../../upstream/retry.js';

/** How long a purchase may wait at the hub: as long as the hub itself tries. Clients here wait no longer than their own time. */
const PAID_TIMEOUT_MS = 6 * 60_000;
/** The hub answers before this machine hangs up. */
const MARGIN_MS = 5000;
const PAUSES_MS = [0, 200, 500];

/** Tells the hub how long to wait, and that this machine chooses its own defaults. */
const withHubTerms: Layer = (next) => (told) => {
  told.onTurn?.();
  // What the service keeps outside its API, the hub has below the files.
  const path = /^\/(api|svcd)\//.test(told.path) ? told.path : FILES + told.path;
  const request = { ...told, path };
  if (request.cost === 'free' || request.headers?.[REQUEST_ID] === undefined) return next(request);
  const timeoutMs = Math.max(request.timeoutMs, PAID_TIMEOUT_MS);
  const terms = { 'X-Svcd-Deadline-Ms': String(timeoutMs - MARGIN_MS), 'X-Svcd-Fallback': 'off' };
  return next({ ...request, timeoutMs, headers: { ...terms, ...request.headers } });
};

/**
 * Asks again what was lost, and what something between failed on. Once a request may have arrived, a later try that finds
 * nobody does not make it unsent: it stays lost.
 */
function withHubRetry({ clock, sleep, random }: Pick<RetryOptions, 'clock' | 'sleep' | 'random'>): Layer {
  return (next) => async (request) => {
    const endsAt = clock.monotonic() + Math.max(request.timeoutMs, request.cost === 'paid' ? PAID_TIMEOUT_MS : 0);
    let result = await next(request);
    if (!mayRepeat(request)) return result;
    for (const pauseMs of PAUSES_MS) {
      if (!mayPass(result)) break;
      if (clock.monotonic() + pauseMs >= endsAt) break;
      if (pauseMs > 0) await sleep(pauseMs * (0.5 + random() / 2));
      const leftMs = Math.max(1, Math.floor(endsAt - clock.monotonic()));
      result = sentBefore(await next({ ...request, timeoutMs: leftMs }));
    }
    return result;
  };
}

function mayPass(result: Exchange): boolean {
  if (result.kind === 'unreached') return false;
  // With `offline` the hub has gone silent; with `timeout` all the time is used up.
  if (result.kind === 'lost') return isSvcdError(result.error, 'upstream_failure');
  return isNamelessFailure(result);
}

/** Whether a hub wants to be asked again: too many wait there, or the same picture is being made. */
function isHubBusy(answer: RemoteAnswer, { cost }: RemoteRequest): boolean {
  if (answer.status === 429) return true;
  return cost === 'paid' && answer.status === 409 && namedCode(answer) === 'duplicate_request';
}

/** The policies of a remote that is a hub. */
export const HUB_POLICIES: RemotePolicies = {
  probe: { method: 'GET', path: HUB_PATH, cost: 'free', timeoutMs: 5000, maxBytes: 64 * 1024 },
  // A hub restarts in seconds, and its machines are to come back as soon.
  probePausesMs: [500, 1000, 2000],
  // It may wait for the service without a word; whether it is there its pulse says (hub-pulse.ts).
  silentAfterMs: undefined,
  retry: withHubRetry,
  resend: { isForNow: isHubBusy, isHeld: () => false },
  last: [withHubTerms],
};
