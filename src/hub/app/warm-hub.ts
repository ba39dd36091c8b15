// Buys a list of stickers ahead of those who will want them: the most wanted first, in the background, so that whoever waits
// meanwhile goes before. What it may cost is said beforehand.

import type { WarmEvent } from '../../api/hub.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import { SvcdError } from '../../model/errors.js';
import { stickerItem } from '../../purchases/item.js';
import type { PurchaseCoordinator } from '../../purchases/purchase-coordinator.js';
import type { Receipt } from '../../purchases/receipt.js';
import type { OwnedStore } from '../../purchases/owned-store.js';

export interface WarmRequest {
  readonly presets: readonly string[];
  /** Undefined where only the price is wanted. */
  readonly maxCredits: number | undefined;
  /** Whose budget counts besides that of all together. */
  readonly project?: string | undefined;
  readonly isGone: () => boolean;
}

export interface WarmSources {
  readonly owned: Pick<OwnedStore, 'listPresets'>;
  readonly coordinator: Pick<PurchaseCoordinator, 'buy'>;
  /** Whether a sticker is shipped with svcd, and costs nothing. */
  readonly isShipped: (preset: string) => boolean;
  readonly userKey: () => string | undefined;
}

/** What buys in the background when it is called; `tell` is told every step. */
export type Warming = (tell: (event: WarmEvent) => void) => Promise<void>;

/** Throws `budget`, and `invalid_key` without a Key, before anything is bought. */
export type WarmHub = (request: WarmRequest) => Warming;

/** Under way at a time: enough for the service's pace, and a person who wants one of them waits for few. */
const AT_ONCE = 4;
/** Whatever comes after one of these would end alike. */
const ENDS_ALL: ReadonlySet<string> = new Set([
  'budget',
  'spending_stopped',
  'disk_full',
  'insufficient_credits',
  'invalid_key',
  'key_disabled',
  'key_limit_exceeded',
  'offline',
  'database_away',
]);

/** Warms one hub. */
export function createWarmHub({ owned, coordinator, isShipped, userKey }: WarmSources): WarmHub {
  return ({ presets, maxCredits, project, isGone }) => {
    const all = [...new Set(presets)];
    // A list may name all there are: read once, not asked for one by one.
    const here = new Set(owned.listPresets());
    const missing = all.filter((preset) => !here.has(preset) && !isShipped(preset));
    const price = missing.length * STICKER_PRICE;
    const key = userKey();
    if (maxCredits !== undefined && price > maxCredits) throw overMaximum(price, maxCredits);
    if (maxCredits !== undefined && price > 0 && key === undefined)
      throw new SvcdError('invalid_key', 'the hub has no Key to buy with', { hint: 'Store one: "svcd key set".' });
    const have = all.length - missing.length;
    return async (tell) => {
      tell({ event: 'begun', of: all.length, have, buy: price });
      const sums = { done: have, cost: 0, failed: 0, begun: 0 };
      const uncertain: string[] = [];
      const note = (preset: string, receipt: Receipt) => {
        sums.done += 1;
        const cost = 'cost' in receipt ? receipt.cost : 0;
        if (cost === 'unknown') uncertain.push(preset);
        else sums.cost += cost;
        const where = { preset, done: sums.done, of: all.length };
        if (receipt.kind === 'bought') return tell({ event: 'kept', ...where, cost });
        sums.failed += 1;
        tell({ event: 'failed', ...where, code: receipt.error.code, message: receipt.error.message });
      };
      let isOver = maxCredits === undefined || key === undefined;
      const work = async (): Promise<void> => {
        for (;;) {
          const preset = isOver || isGone() ? undefined : missing[sums.begun];
          if (preset === undefined || key === undefined) return;
          sums.begun += 1;
          const item = stickerItem(preset);
          const inBackground = { ...item, request: { ...item.request, urgency: 'background' as const } };
          const receipt = await coordinator.buy(inBackground, { kind: 'key', key, project });
          note(preset, receipt);
          isOver ||= receipt.kind !== 'bought' && ENDS_ALL.has(receipt.error.code);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, work));
      const left = maxCredits === undefined ? 0 : missing.length - sums.begun;
      tell({ event: 'ended', cost: sums.cost, uncertain, failed: sums.failed, left });
    };
  };
}

function overMaximum(price: number, max: number): SvcdError {
  return new SvcdError('budget', `this would cost ${price} credits, more than the ${max} that it may`, {
    hint: 'Nothing was bought. Allow as much with --max N, or shorten the list.',
  });
}
