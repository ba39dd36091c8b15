// A paid call as it is sent and judged: to the service, or to a hub with the name of its purchase, by which it is known again.

import type { Log } from '../platform/log.js';
import type { Exchange } from '../upstream/exchange.js';
import { REQUEST_ID } from '../hub/member/hub-exchanger.js';
import type { Attempt } from './attempt.js';
import { askOutcome } from '../hub/member/hub-outcome.js';
import {
  incredibleCost,
  judgeHubCall,
  leavesCostOpen,
  mayAskAgain,
  requestIdOf,
  type HubTrade,
} from '../hub/member/trade.js';
import { judgePaidCall, type PaidAnswer } from './judge-paid-call.js';
import type { Journal, Purchase } from './journal.js';

export interface PaidCallParts {
  readonly journal: Pick<Journal, 'getPurchase'>;
  /** Set where the remote is a hub. */
  readonly hub?: HubTrade | undefined;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly log: Log;
}

const OUTCOME_TIMEOUT_MS = 2000;

/** How purchases are asked of the remote. */
export function createPaidCalls({ journal, hub, maxFileBytes, log }: PaidCallParts) {
  const requestOf = async (id: number, { item, key, order }: Attempt) => {
    const named = hub && { [REQUEST_ID]: requestIdOf(hub.token, await journal.getPurchase(id)) };
    const headers = {
      ...item.request.headers,
      ...named,
      ...(order.allowRepay === true && { 'X-Svcd-Allow-Repay': '1' }),
    };
    return { ...item.request, key, cost: 'paid', maxBytes: maxFileBytes, headers } as const;
  };
  const judge = async (id: number, { item, remote }: Attempt, exchange: Exchange): Promise<PaidAnswer> => {
    if (hub === undefined) return judgePaidCall(item, exchange, remote.baseUrl);
    const said = incredibleCost(item, exchange);
    if (said !== undefined) log.warn('the hub names a cost that cannot be', { purchase: id, said, price: item.price });
    if (!leavesCostOpen(item, exchange)) return judgeHubCall(item, exchange, remote.baseUrl, hub);
    // It was asked before, and that answer was lost, with what it cost.
    const outcome = await askOutcome(hub, remote, await journal.getPurchase(id), OUTCOME_TIMEOUT_MS);
    return judgeHubCall(item, exchange, remote.baseUrl, hub, { outcome });
  };
  return {
    requestOf,
    /** Whether a hub lets a purchase that it was asked for wait for its turn; undefined where that is not known in time. */
    waitsAtHub: async (id: number, { remote }: Attempt, timeoutMs: number): Promise<boolean | undefined> => {
      const outcome = hub && (await askOutcome(hub, remote, await journal.getPurchase(id), timeoutMs));
      return outcome && outcome.state === 'intent';
    },
    judge,
    /** Whether the remote knows of this very purchase, and gives its bytes again for nothing. */
    knows: (purchase: Purchase): boolean => hub !== undefined && mayAskAgain(hub, purchase),
    /** What a hub paid for once, or knows more of than this journal: asked for by its name, it is not bought again. */
    askAgain: async (purchase: Purchase, attempt: Attempt): Promise<PaidAnswer> => {
      const exchange = await attempt.remote.exchange(await requestOf(purchase.id, attempt));
      const isBrought = exchange.kind === 'answer' && exchange.status < 300;
      return judge(
        purchase.id,
        attempt,
        isBrought && purchase.state === 'unknown' ? { ...exchange, again: true } : exchange,
      );
    },
  };
}
