// A refusal of a paid call is free, but a service may be wrong about that. What is told of a Key's balance is compared with what this
// process bought: a fall that nothing explains came with the refusal, or from another program that has the Key. So it proves
// something only where the balance was read right before the call; where it was not, it makes the Key a watched one, of which it is.

import { keyIdOf } from '../model/spender.js';
import type { Clock } from '../platform/clock.js';
import type { Exchanger, Layer, RemoteAnswer } from './exchange.js';

/** Asks for the balance behind a Key; undefined where it is not told in time. */
type AskBalance = (send: Exchanger, key: string) => Promise<number | undefined>;

const CREDITS_HEADER = 'x-service-credits-remaining';
const MAX_KEYS = 100;
/** A balance that was read right before a call that is so short leaves another program no time. */
const QUICK_MS = 3000;
/** So many falls with refusals in a row are no other program's. */
const FALLS = 2;
const WATCHED_MS = 60 * 60_000;

/** Credits that an answer says are left, a refusal too, of whatever account. */
export function creditsToldIn({ headers }: Pick<RemoteAnswer, 'headers'>): number | undefined {
  const told = headers[CREDITS_HEADER];
  return told !== undefined && /^\d{1,15}$/.test(told) ? Number(told) : undefined;
}

/** What is known of a Key since no paid call was under way; in credits. */
interface KeyWatch {
  /** The balance then, and the lowest since: answers overtake each other. */
  start: number | undefined;
  low: number;
  /** Of what was bought in all, what does not explain a fall since then. */
  boughtBefore: number;
  /** Falls with a refusal, since one that was alone and left the balance as it was. */
  falls: number;
  /** Refusals beside others under way that may explain a fall. */
  hidden: number;
  watchedUntil: number;
}

/**
 * Tells a refusal of a paid call with which the balance fell (`fell`), and an answer after which it shows that it had fallen with
 * earlier ones (`doubts`). A service that tells no balance with a refusal is asked for it by `ask`, which is free.
 */
export function watchRefusals(ask: AskBalance, clock: Pick<Clock, 'monotonic'>): Layer {
  const keys = new Map<string, KeyWatch>();
  // Over all Keys: two may draw on one account.
  let [bought, underWay, begun] = [0, 0, 0];
  const watchOf = (key: string): KeyWatch => {
    const fresh = { start: undefined, low: 0, boughtBefore: bought, falls: 0, hidden: 0, watchedUntil: 0 };
    const watch = keys.get(key) ?? fresh;
    keys.delete(key);
    keys.set(key, watch);
    const [oldest] = keys.keys();
    if (oldest !== undefined && keys.size > MAX_KEYS) keys.delete(oldest);
    return watch;
  };
  const begin = (watch: KeyWatch, credits: number): void =>
    void Object.assign(watch, {
      start: credits,
      low: credits,
      boughtBefore: bought,
      hidden: 0,
    });
  /** Takes a balance; one above all that were seen is a top-up, from which is counted anew. */
  const note = (watch: KeyWatch, credits: number): void => {
    if (watch.start === undefined || credits > watch.start) begin(watch, credits);
    watch.low = Math.min(watch.low, credits);
  };
  const unexplainedOf = (watch: KeyWatch, others: number): number =>
    (watch.start ?? watch.low) - watch.low - (bought - watch.boughtBefore) - others;
  const suspect = (watch: KeyWatch, unexplained: number): void => {
    watch.boughtBefore -= unexplained;
    watch.falls = clock.monotonic() < watch.watchedUntil ? watch.falls + 1 : 1;
    watch.watchedUntil = clock.monotonic() + WATCHED_MS;
  };

  return (send) => async (request) => {
    const { key } = request;
    if (key === undefined) return send(request);
    const watch = watchOf(keyIdOf(key));
    const price = request.cost === 'paid' ? (request.price ?? 1) : 0;
    let sent: { readonly at: number; readonly nth: number; readonly isKnown: boolean } | undefined;
    const beforeSend = async (): Promise<void> => {
      let credits: number | undefined;
      if (clock.monotonic() < watch.watchedUntil && underWay === 0) credits = await ask(send, key);
      if (credits !== undefined && underWay === 0) begin(watch, credits);
      await request.beforeSend?.();
      if (sent === undefined) underWay += price;
      // Whether the balance was read for this very call, and nothing else was under way since.
      sent ??= { at: clock.monotonic(), nth: (begun += 1), isKnown: credits !== undefined && underWay === price };
    };
    try {
      const result = await send(price === 0 ? request : { ...request, beforeSend });
      // What refuses the Key itself speaks of no account.
      if (result.kind === 'unreached' || (result.kind === 'answer' && [401, 403].includes(result.status)))
        return result;
      if (result.kind === 'answer' && result.fromHub === true) return result;
      const isRefusal = price > 0 && result.kind === 'answer' && result.status >= 300;
      if (!isRefusal) bought += price;
      if (result.kind === 'lost') return result;
      const isUntold = isRefusal && result.status < 500;
      const credits = creditsToldIn(result) ?? (isUntold ? await ask(send, key) : undefined);
      if (credits === undefined) return result;
      note(watch, credits);
      const others = underWay - (sent === undefined ? 0 : price);
      const unexplained = isRefusal && isOutOfCredits(result, credits, price) ? 0 : unexplainedOf(watch, others);
      const wasWatched = sent !== undefined && sent.at < watch.watchedUntil;
      let told: Pick<RemoteAnswer, 'fell' | 'doubts'> = {};
      if (isRefusal && unexplained > 0) {
        const { at = 0, nth = 0, isKnown = false } = sent ?? {};
        const isProof = isKnown && nth === begun && clock.monotonic() - at <= QUICK_MS;
        suspect(watch, unexplained);
        if (isProof || watch.falls >= FALLS) told = { fell: true };
      } else if (isRefusal && others === 0) watch.falls = 0;
      else if (isRefusal && unexplained + others > 0) watch.hidden += 1;
      if (others === 0) {
        if (!isRefusal && watch.hidden > 0 && unexplained > 0) {
          suspect(watch, unexplained);
          if (wasWatched) told = { doubts: true };
        }
        begin(watch, credits);
      }
      // What failed on the way may still be charged.
      if (isRefusal && result.status >= 500 && told.fell !== true) bought += price;
      return { ...result, ...told };
    } finally {
      if (sent !== undefined) underWay -= price;
    }
  };
}

/** Whether there was nothing to take: the last of it another program may have spent. */
function isOutOfCredits({ status }: RemoteAnswer, credits: number, price: number): boolean {
  return status === 402 && credits < price;
}
