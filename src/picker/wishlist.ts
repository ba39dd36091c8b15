// The user's list of what they would like to have: where buying is not possible now, nothing ends there.

import { effect } from '@preact/signals';
import { ApiError, sendJson } from './api.js';
import { listCollections, placeIn } from './collections.js';
import { listFree } from './live.js';
import type { Block } from './spending.js';
import { blockOf, isThere, openList, say, sayToStay, summary } from './store.js';
import { credits, number, words } from './words/words.js';
import { statusWords } from './words/status.js';

/** Puts these on the list, and says so with the way back. */
export async function want(presets: readonly string[]): Promise<void> {
  const text = statusWords.value;
  if (await changeAll('PUT', presets)) {
    const undo = async () => {
      if (await changeAll('DELETE', presets)) say(statusWords.value.undone);
    };
    say(text.wanted(presets.length, number(presets.length)), { label: words.value.undo, run: () => void undo() });
  }
}

async function changeAll(method: 'PUT' | 'DELETE', presets: readonly string[]): Promise<boolean> {
  try {
    for (const preset of presets) await sendJson(method, placeIn('wanted', preset));
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const text = statusWords.value;
    const { code, message } = error;
    sayToStay(
      code === 'not_found' ? text.noLists : code === 'away' ? words.value.awayNow : words.value.failed(message),
    );
    return false;
  }
}

/** What may pass by itself, so that what was wanted meanwhile can be bought. */
const PASSING: ReadonlySet<Block['kind']> = new Set(['offline', 'credits', 'budget', 'stopped']);

/** Once buying is possible again, says what of the list could be bought; it buys nothing by itself. */
export function beginOffers(): void {
  let before: Block['kind'] | undefined;
  effect(() => {
    const price = summary.value?.price.sticker;
    if (price === undefined || !isThere.value) return;
    const now = blockOf(price)?.kind;
    if (now === undefined && before !== undefined && PASSING.has(before)) void offerWanted(price);
    before = now;
  });
}

async function wantedNow(): Promise<readonly string[]> {
  const known = await listCollections().catch(() => []);
  return known.find(({ name }) => name === 'wanted')?.presets ?? [];
}

/** What was bought is wanted no more. */
export async function leaveWanted(bought: readonly string[]): Promise<void> {
  if (bought.length === 0) return;
  const wanted = await wantedNow();
  await changeAll(
    'DELETE',
    bought.filter((preset) => wanted.includes(preset)),
  );
}

async function offerWanted(price: number): Promise<void> {
  const wanted = await wantedNow();
  if (wanted.length === 0) return;
  const free = await listFree(wanted).catch(() => undefined);
  const left = free === undefined ? [] : wanted.filter((one) => !free.has(one));
  if (left.length === 0) return;
  const text = statusWords.value;
  const [count, cost] = [left.length, left.length * price];
  sayToStay(text.canBuyWanted(count, number(count), credits(cost)), {
    label: text.see,
    run: () => openList('buy', left),
  });
}
