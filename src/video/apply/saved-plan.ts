// A plan that was saved and is to be applied: read, and compared with what would be done now.

import { statSync } from 'node:fs';
import { chosenIn, costOf, digestOfPlan, PLAN_VERSION, planSchema, withCosts, type Plan } from '../../api/plan.js';
import { parseJsonObject, parseWith } from '../../contract/json-body.js';
import { isSvcdError, systemCode, type SvcdError } from '../../model/errors.js';
import { readForeignFile } from '../../platform/files/foreign-file.js';
import { refusalIn } from './asker.js';
import type { ApplyWords, Refusal } from './words.js';

const SAVED_MAX_BYTES = 4 * 1024 * 1024;
/** Enough for a sentence about what is too large. */
const READ_MAX_BYTES = 16 * 1024 * 1024;

/** What a slot gets: the sticker or image, by its preset or digest; null for nothing. */
export type Chosen = ReadonlyMap<string, string | null>;

/** A saved plan of `svcd plan --out`. Throws `invalid_argument`, and `plan_stale` for one changed by hand, naming the file. */
export function readPlan(file: string, words: ApplyWords): Plan {
  const noPlan = (why: string, cause?: unknown) => refusalIn([words.noPlan(file, why)], 'invalid_argument', cause);
  if (statSync(file, { throwIfNoEntry: false })?.isFile() === false) throw noPlan(words.noRegularFile);
  const bytes = readWhole(file, words);
  try {
    const value = parseJsonObject(bytes, SAVED_MAX_BYTES);
    if (Number(value['plan']) > PLAN_VERSION) {
      throw refusalIn([words.newerPlan(file, Number(value['plan']), PLAN_VERSION)], 'invalid_argument');
    }
    return requireUnchanged(file, parseWith(planSchema, value), words);
  } catch (cause) {
    if (!isSvcdError(cause, 'invalid_request') && !isSvcdError(cause, 'body_too_large')) throw cause;
    throw noPlan(cause.message.replace(/^body: /, ''), cause);
  }
}

/** A file's bytes. Throws `invalid_argument` for one that cannot be read. */
export function readWhole(file: string, words: ApplyWords): Uint8Array {
  try {
    return readForeignFile(file, READ_MAX_BYTES);
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    throw refusalIn([words.cannotRead(file, systemCode(cause) ?? String(cause))], 'invalid_argument', cause);
  }
}

/** Throws `plan_stale` for one that says of itself what does not follow from the rest of it. */
function requireUnchanged(file: string, plan: Plan, words: ApplyWords): Plan {
  const { slots, digest, cost } = plan;
  const due = withCosts(slots);
  const wrong = slots.find((slot, i) => slot.cost !== due[i]?.cost);
  const sum = costOf(due);
  const why =
    wrong !== undefined
      ? words.wrongCost(wrong.id)
      : cost !== sum
        ? words.wrongSum(sum, cost)
        : digest !== digestOfPlan(plan)
          ? words.wrongDigest
          : undefined;
  if (why === undefined) return plan;
  throw refusalIn(words.changedByHand(file, why), 'plan_stale');
}

/** Throws `plan_stale` if it would cost more now, of another service, or another thing would be taken. What became cheaper is welcome. */
export function requireFresh(
  file: string,
  plan: Plan,
  now: Chosen,
  { cost, remote }: Pick<Plan, 'cost' | 'remote'>,
  words: ApplyWords,
): void {
  const stale = (refusal: Refusal): SvcdError => refusalIn(refusal, 'plan_stale');
  const [then, today] = [plan.remote ?? words.nothing, remote ?? words.nothing];
  if (then !== today) throw stale(words.otherService(file, then, today));
  const planned = new Map(plan.slots.map((slot) => [slot.id, chosenIn(slot)]));
  for (const [slot, chosen] of now) {
    if (!planned.has(slot)) throw stale(words.lacksSlot(file, slot));
    const before = planned.get(slot) ?? null;
    if (before === chosen) continue;
    throw stale(words.otherChoice(file, before ?? words.nothing, slot, chosen ?? words.nothing));
  }
  if (cost > plan.cost) throw stale(words.dearer(file, cost, plan.cost));
}
