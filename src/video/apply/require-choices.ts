// What a plan has to give before anybody is asked to pay for it: something for each slot and, strictly, no stand-in.

import { chosenIn, type Plan, type PlanSlot } from '../../api/plan.js';
import { wantsSticker } from '../../api/slot.js';
import { findStandIn, type StandIn } from '../lock/stand-ins.js';
import type { SlotChoice } from '../lock/standing-slots.js';
import { refusalIn, toRefusal } from './asker.js';
import type { ApplyWords } from './words.js';

/** Codes of a plan that was made without the service. */
const NOT_HEARD: ReadonlySet<string> = new Set([
  'offline',
  'timeout',
  'upstream_failure',
  'rate_limited',
  'busy',
  'invalid_key',
  'key_disabled',
  'no_key',
]);

/** Throws `not_found` where a slot gets nothing; where the service was not heard its code, for that is why, and no fault of the copy. */
export function requireFound(plan: Plan | undefined, planned: readonly PlanSlot[], words: ApplyWords): void {
  const empty = planned.filter((slot) => chosenIn(slot) === null).map(({ id }) => id);
  if (empty.length === 0) return;
  const unheard =
    plan?.warnings.find(({ slot = '', code }) => empty.includes(slot) && code !== 'nothing_found') ??
    plan?.warnings.find(({ slot, code }) => slot === undefined && NOT_HEARD.has(code));
  if (unheard === undefined) throw refusalIn(words.notFound(empty), 'not_found');
  const { slot = empty.join(', '), code, words: why } = unheard;
  throw toRefusal({
    code: code === 'no_key' ? 'invalid_key' : code,
    message: words.nothingBought(`${slot}${words.colon}${why}`),
  });
}

/** Throws `defaults_served` for what stands and is no choice, and for what would be a guess, before anything is bought. */
export function requireNoGuess(
  choices: readonly SlotChoice[],
  missing: readonly SlotChoice[],
  planned: readonly PlanSlot[],
  words: ApplyWords,
): void {
  const stand = choices.flatMap(({ slot, kept }): StandIn[] => {
    const why = kept === undefined ? undefined : findStandIn(kept);
    if (why === undefined) return [];
    return [{ slot: slot.id, why, ...(kept?.source === 'default' && { reason: kept.reason ?? 'unknown' }) }];
  });
  const guessed = planned.flatMap((one, i) =>
    'basis' in one && one.basis === 'part' && isChosenNow(missing[i]!) ? [one.id] : [],
  );
  const doubtful = planned.flatMap(({ id, purchase }) => (purchase === undefined ? [] : [id]));
  if (doubtful.length > 0) throw refusalIn(words.inDoubt(doubtful), 'defaults_served');
  if (stand.length + guessed.length > 0) throw refusalIn(words.standIns(stand, guessed), 'defaults_served');
}

/** Whether words decide what a slot gets. */
export function isChosenNow({ slot, kept, preset }: SlotChoice): boolean {
  return wantsSticker(slot) && slot.preset === undefined && kept === undefined && preset === undefined;
}
