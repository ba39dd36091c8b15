// A plan that was saved and is to be applied: read, and compared with what would be done now.

import { readFileSync, statSync } from 'node:fs';
import { digestOfPlan, PLAN_VERSION, planSchema, withCosts, type Plan } from '../../api/plan.js';
import { parseJsonObject, parseWith } from '../../contract/json-body.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { formatCount } from '../../cli/terminal/format.js';
import { invalidArgument } from '../../cli/terminal/invalid-argument.js';
import { asFileError } from '../../cli/terminal/target-file.js';
import { planWords } from '../../cli/video/plan-words.js';

const SAVED_MAX_BYTES = 4 * 1024 * 1024;

/** What a slot gets: the sticker or image, by its preset or digest; null for nothing. */
export type Chosen = ReadonlyMap<string, string | null>;

/** A saved plan of `svcd plan --out`. Throws `invalid_argument`, and `plan_stale` for one changed by hand, naming the file. */
export function readPlan(file: string): Plan {
  let bytes: Uint8Array;
  try {
    // A device or pipe may never end.
    if (!statSync(file).isFile()) throw invalidArgument(planWords().noPlan(file, planWords().noRegularFile));
    bytes = readFileSync(file);
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    throw asFileError(cause, file, 'read');
  }
  try {
    const value = parseJsonObject(bytes, SAVED_MAX_BYTES);
    if (Number(value['plan']) > PLAN_VERSION) {
      throw invalidArgument(planWords().newerPlan(file, Number(value['plan']), PLAN_VERSION));
    }
    return requireUnchanged(file, parseWith(planSchema, value));
  } catch (cause) {
    if (!isSvcdError(cause, 'invalid_request') && !isSvcdError(cause, 'body_too_large')) throw cause;
    throw invalidArgument(planWords().noPlan(file, cause.message.replace(/^body: /, '')), undefined, cause);
  }
}

/** Throws `plan_stale` for one that says of itself what does not follow from its slots. */
function requireUnchanged(file: string, plan: Plan): Plan {
  const words = planWords();
  const { slots, digest, cost } = plan;
  const due = withCosts(slots);
  const wrong = slots.find((slot, i) => slot.cost !== due[i]?.cost);
  const sum = due.reduce((credits, slot) => credits + slot.cost, 0);
  const why =
    wrong !== undefined
      ? words.wrongCost(wrong.id)
      : cost !== sum
        ? words.wrongSum(formatCount(sum, 'credit'), cost)
        : digest !== digestOfPlan(slots)
          ? words.wrongDigest
          : undefined;
  if (why === undefined) return plan;
  throw new SvcdError('plan_stale', words.changedByHand(file, why), {
    hint: words.planAgainOut,
  });
}

/** What a plan chose. */
function chosenBy({ slots }: Pick<Plan, 'slots'>): Chosen {
  return new Map(slots.map((slot) => [slot.id, 'image' in slot ? slot.image.digest : slot.preset]));
}

/** Throws `plan_stale` if it would cost more now, or another thing would be taken. What became cheaper is welcome. */
export function requireFresh(file: string, plan: Plan, now: Chosen, cost: number): void {
  const words = planWords();
  const planned = chosenBy(plan);
  for (const [slot, chosen] of now) {
    if (!planned.has(slot)) throw stale(words.lacksSlot(file, slot));
    const before = planned.get(slot) ?? null;
    if (before === chosen) continue;
    throw stale(words.otherChoice(file, before ?? words.nothing, slot, chosen ?? words.nothing));
  }
  if (cost <= plan.cost) return;
  throw stale(words.dearer(file, formatCount(cost, 'credit'), plan.cost));
}

function stale(message: string): SvcdError {
  return new SvcdError('plan_stale', message, { hint: planWords().planAgain });
}
