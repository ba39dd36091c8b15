// A refusal of a paid call is free, but a service may be wrong about that. What is told of a Key's balance is compared with what was
// bought with it, over all calls of the Key: a fall that nothing bought explains came with the refusals.

import type { Exchanger, Layer, RemoteAnswer, RemoteRequest } from './exchange.js';

const CREDITS_HEADER = 'x-service-credits-remaining';
const MAX_KEYS = 100;

/** Credits that an answer says are left, a refusal too, of whatever account. */
export function creditsToldIn({ headers }: Pick<RemoteAnswer, 'headers'>): number | undefined {
  const told = headers[CREDITS_HEADER];
  return told !== undefined && /^\d{1,15}$/.test(told) ? Number(told) : undefined;
}

/** What is known of a Key since no paid call of it was under way; in credits. */
interface KeyWatch {
  /** The balance then, and the lowest since: answers overtake each other. */
  start: number | undefined;
  low: number;
  /** What was bought meanwhile, may have been, or was told already as a fall with a refusal. */
  explained: number;
  underWay: number;
  /** Refusals with which it fell, since one that was alone and left it as it was. */
  falls: number;
}

/**
 * Tells a refusal of a paid call with which the balance fell (`fell`). One fall may be another program's, so a refusal for now is
 * called `again` only after another. A service that tells no balance with a refusal is asked for it by `usage`, which is free.
 */
export function watchRefusals(usage: RemoteRequest): Layer {
  const keys = new Map<string | undefined, KeyWatch>();
  const watchOf = (key: string | undefined): KeyWatch => {
    const watch = keys.get(key) ?? { start: undefined, low: 0, explained: 0, underWay: 0, falls: 0 };
    keys.delete(key);
    keys.set(key, watch);
    for (const [old, { underWay }] of keys) {
      if (keys.size <= MAX_KEYS) break;
      if (underWay === 0) keys.delete(old);
    }
    return watch;
  };
  const askCredits = async (send: Exchanger, { key }: RemoteRequest): Promise<number | undefined> => {
    const answer = await send({ ...usage, key });
    return answer.kind === 'answer' && answer.status === 200 ? creditsToldIn(answer) : undefined;
  };

  return (send) => async (request) => {
    const watch = watchOf(request.key);
    const price = request.cost === 'paid' ? (request.price ?? 1) : 0;
    const isRefusal = (result: RemoteAnswer) => price > 0 && result.status >= 300;
    const isClear = (result: RemoteAnswer) => isRefusal(result) && result.status < 500;
    watch.underWay += price;
    try {
      const result = await send(request);
      if (result.kind === 'unreached' || (result.kind === 'answer' && result.fromHub === true)) return result;
      if (result.kind === 'lost' || !isRefusal(result)) watch.explained += price;
      // What refuses the Key itself speaks of no account.
      if (result.kind === 'lost' || result.status === 401 || result.status === 403) return result;
      const credits = creditsToldIn(result) ?? (isClear(result) ? await askCredits(send, request) : undefined);
      const others = watch.underWay - price;
      if (credits !== undefined) note(watch, credits);
      const fell = isRefusal(result) && !isOutOfCredits(result, credits, price) ? judge(watch, others) : undefined;
      if (others === 0 && credits !== undefined) Object.assign(watch, { start: credits, low: credits, explained: 0 });
      // What failed on the way may still be charged.
      else if (result.status >= 500 && isRefusal(result) && fell === undefined) watch.explained += price;
      return fell === undefined ? result : { ...result, fell };
    } finally {
      watch.underWay -= price;
    }
  };
}

/** Takes a balance; one above all that were seen is a top-up, from which is counted anew. */
function note(watch: KeyWatch, credits: number): void {
  if (watch.start === undefined || credits > watch.start)
    Object.assign(watch, { start: credits, low: credits, explained: 0 });
  watch.low = Math.min(watch.low, credits);
}

/** Whether the balance fell by more than is bought, or may be by the `others` that are under way. */
function judge(watch: KeyWatch, others: number): RemoteAnswer['fell'] {
  const unexplained = (watch.start ?? watch.low) - watch.low - watch.explained - others;
  if (unexplained <= 0) {
    if (others === 0) watch.falls = 0;
    return undefined;
  }
  watch.explained += unexplained;
  watch.falls += 1;
  return watch.falls > 1 ? 'again' : 'once';
}

/** Whether there was nothing to take: the last of it another program may have spent. */
function isOutOfCredits({ status }: RemoteAnswer, credits: number | undefined, price: number): boolean {
  return status === 402 && credits !== undefined && credits < price;
}
