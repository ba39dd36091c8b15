// A plan that was saved and is to be applied: read, and compared with what would be done now.

import { readFileSync, statSync } from 'node:fs';
import { digestOfPlan, PLAN_VERSION, planSchema, withCosts, type Plan } from '../api/plan.js';
import { parseJsonObject, parseWith } from '../contract/json-body.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { formatCount } from './format.js';
import { invalidArgument } from './invalid-argument.js';
import { asFileError } from './target-file.js';

const SAVED_MAX_BYTES = 4 * 1024 * 1024;

/** What a slot gets: the sticker or image, by its preset or digest; null for nothing. */
export type Chosen = ReadonlyMap<string, string | null>;

/** A saved plan of `svcd plan --out`. Throws `invalid_argument`, and `plan_stale` for one changed by hand, naming the file. */
export function readPlan(file: string): Plan {
  let bytes: Uint8Array;
  try {
    // A device or pipe may never end.
    if (!statSync(file).isFile()) throw invalidArgument(`${file} is no plan: it is no regular file`);
    bytes = readFileSync(file);
  } catch (cause) {
    if (isSvcdError(cause)) throw cause;
    throw asFileError(cause, file, 'read');
  }
  try {
    const value = parseJsonObject(bytes, SAVED_MAX_BYTES);
    if (Number(value['plan']) > PLAN_VERSION) {
      throw invalidArgument(
        `${file} is a plan of version ${Number(value['plan'])}, and this svcd reads ${PLAN_VERSION}`,
      );
    }
    return requireUnchanged(file, parseWith(planSchema, value));
  } catch (cause) {
    if (!isSvcdError(cause, 'invalid_request') && !isSvcdError(cause, 'body_too_large')) throw cause;
    throw invalidArgument(`${file} is no plan: ${cause.message.replace(/^body: /, '')}`, undefined, cause);
  }
}

/** Throws `plan_stale` for one that says of itself what does not follow from its slots. */
function requireUnchanged(file: string, plan: Plan): Plan {
  const { slots, digest, cost } = plan;
  const due = withCosts(slots);
  const wrong = slots.find((slot, i) => slot.cost !== due[i]?.cost);
  const sum = due.reduce((credits, slot) => credits + slot.cost, 0);
  const why =
    wrong !== undefined
      ? `the cost of ${wrong.id} is not what its price and "have" come to`
      : cost !== sum
        ? `its slots cost ${formatCount(sum, 'credit')}, and "cost" says ${cost}`
        : digest !== digestOfPlan(slots)
          ? '"digest" is that of other slots or prices'
          : undefined;
  if (why === undefined) return plan;
  throw new SvcdError('plan_stale', `${file} was changed by hand: ${why}; nothing was bought`, {
    hint: 'Make the plan again: "svcd plan --out FILE".',
  });
}

/** What a plan chose. */
function chosenBy({ slots }: Pick<Plan, 'slots'>): Chosen {
  return new Map(slots.map((slot) => [slot.id, 'image' in slot ? slot.image.digest : slot.preset]));
}

/** Throws `plan_stale` if it would cost more now, or another thing would be taken. What became cheaper is welcome. */
export function requireFresh(file: string, plan: Plan, now: Chosen, cost: number): void {
  const planned = chosenBy(plan);
  for (const [slot, chosen] of now) {
    if (!planned.has(slot)) throw stale(`${file} does not have the slot ${slot}`);
    const before = planned.get(slot) ?? null;
    if (before === chosen) continue;
    throw stale(`${file} has ${before ?? 'nothing'} for ${slot}, and now it would be ${chosen ?? 'nothing'}`);
  }
  if (cost <= plan.cost) return;
  throw stale(`it would cost ${formatCount(cost, 'credit')} now, and ${file} says ${plan.cost}`);
}

function stale(message: string): SvcdError {
  return new SvcdError('plan_stale', `${message}; nothing was bought`, {
    hint: 'Make the plan again: "svcd plan". A lock that is there keeps its choice unless you say --update SLOT.',
  });
}
