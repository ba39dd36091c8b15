// What becomes of what was bought: tiles say so while it is under way, the picture comes in its place, and one sentence says
// what came of all, and whether a credit is gone.

import type { PrefetchEvent } from '../api/prefetch.js';
import type { Tile } from '../api/tile.js';
import { ApiError } from './api.js';
import { type Order, prefetch } from './buy.js';
import { nameOfWay, runUsual, usualOf } from './export/ways.js';
import { focusGrid } from './grid/grid-view.js';
import { tileOf } from './panels/figures.js';
import { buying, changeTile, type Notice, openList, say, sayToStay } from './store.js';
import { leaveWanted } from './collections.js';
import { moneyWords, sayFailure } from './words/money.js';
import { statusWords } from './words/status.js';
import { credits, number } from './words/words.js';

const SLOW_MS = 8000;

interface Failure {
  readonly preset: string;
  readonly code: string;
  readonly message: string;
  readonly cost: number | 'unknown';
}

/**
 * Buys; ends as soon as it is begun, and what follows is told in the page. Rejects where it is not known to have begun: with
 * the code `away` it may have.
 */
export function buy(order: Order, titleOf: (preset: string) => string): Promise<void> {
  return new Promise((resolve, reject) => {
    const left = new Set(order.presets);
    const failures: Failure[] = [];
    const got: string[] = [];
    let spent = 0;
    let isBegun = false;
    const timer = setTimeout(() => mark(left, 'slow'), SLOW_MS);
    const end = (preset: string) => {
      left.delete(preset);
      mark([preset], undefined);
    };
    const take = (event: PrefetchEvent) => {
      if (event.event === 'begun') {
        isBegun = true;
        mark(left, 'new');
        resolve();
      }
      if (event.event === 'error') throw new ApiError(event.code, event.message, event.hint);
      if (event.event !== 'asset' && event.event !== 'failed') return;
      const { preset = '', cost } = event;
      end(preset);
      // What stands in for a sticker must never look bought, also where it was not asked for.
      const failure = event.event === 'failed' ? event : asFailure(event);
      if (failure === undefined) {
        got.push(preset);
        changeTile(preset, { picture: 'owned', price: 0, purchase: null });
      } else {
        failures.push({ preset, code: failure.code, message: failure.message, cost });
        if (cost === 'unknown') changeTile(preset, { purchase: 'unknown' });
      }
      if (cost !== 'unknown') spent += cost;
    };
    const sayEnd = (error?: ApiError) => {
      clearTimeout(timer);
      mark(left, undefined);
      const text = moneyWords.value;
      const told = [
        ...(got.length === 0 ? [] : [text.bought(number(got.length), credits(spent))]),
        ...byReason(failures, titleOf),
        ...(error === undefined ? [] : [text.brokeOff]),
      ];
      // The button that began it may be gone with what there was to buy.
      if (document.activeElement === document.body) focusGrid();
      const hasDoubt = error !== undefined || failures.some(({ cost }) => cost === 'unknown');
      const action = { label: text.showPurchases, run: () => openList('money') };
      if (hasDoubt || failures.length > 0) sayToStay(told.join(' '), hasDoubt ? action : undefined);
      else say(told.join(' '), wayOut(order.presets));
      void leaveWanted(got);
    };
    const fail = (error: unknown) => {
      if (isBegun) return sayEnd(error as ApiError);
      clearTimeout(timer);
      reject(error);
    };
    prefetch(order, take).then(
      () => (left.size === 0 ? sayEnd() : fail(new ApiError('away', 'the answer broke off'))),
      fail,
    );
  });
}

/** What was bought was wanted for something: the way out that is usual, or all of them. */
function wayOut(presets: readonly string[]): Notice['action'] {
  const [preset = ''] = presets;
  const tile = presets.length === 1 ? tileOf(preset) : undefined;
  if (tile === undefined) return { label: statusWords.value.export, run: () => openList('take', presets) };
  const owned: Tile = { ...tile, picture: 'owned', price: 0 };
  return { label: nameOfWay(usualOf([owned]) ?? 'save'), run: () => void runUsual([owned]) };
}

function asFailure({ source, reason = 'upstream_failure' }: Extract<PrefetchEvent, { event: 'asset' }>) {
  return source === 'default' ? { code: reason, message: reason } : undefined;
}

/** A sentence for each reason, with what it was about. */
function byReason(failures: readonly Failure[], titleOf: (preset: string) => string): string[] {
  const groups = new Map<string, Failure[]>();
  for (const failure of failures) {
    const key = `${failure.code} ${failure.cost === 'unknown'}`;
    groups.set(key, [...(groups.get(key) ?? []), failure]);
  }
  return [...groups.values()].map((group) => {
    const titles = group.slice(0, 3).map(({ preset }) => titleOf(preset));
    const more = group.length - titles.length;
    const [{ code, message, cost } = { code: '', message: '', cost: 0 }] = group;
    const gone = cost === 'unknown' ? moneyWords.value.mayBeGone(group.length) : moneyWords.value.nothingGone;
    return `${moneyWords.value.notBought(titles, more)} ${sayFailure(code, message)} ${gone}`;
  });
}

function mark(presets: Iterable<string>, how: 'new' | 'slow' | undefined): void {
  const next = new Map(buying.value);
  for (const preset of presets) {
    if (how === undefined) next.delete(preset);
    else next.set(preset, how);
  }
  buying.value = next;
}
