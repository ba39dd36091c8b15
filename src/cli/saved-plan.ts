// A plan that was saved and is to be applied: read, and compared with what would be done now.

import { readFileSync } from 'node:fs';
import { PLAN_VERSION, planSchema, type Plan } from '../api/plan.js';
import { describe, parseWith } from '../contract/json-body.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { isRecord, parseJson } from '../platform/json.js';
import { formatCount } from './format.js';
import { invalidArgument } from './invalid-argument.js';
import { asFileError } from './target-file.js';

/** What a slot gets: the sticker or image, by its preset or digest; null for nothing. */
export type Chosen = ReadonlyMap<string, string | null>;

/** Reads a plan of `svcd plan --out`. Throws `invalid_argument`, and `newer_file`. */
export function readPlan(file: string): Plan {
  let value: unknown;
  try {
    value = parseJson(readFileSync(file));
  } catch (cause) {
    throw asFileError(cause, file, 'read');
  }
  const version = isRecord(value) ? value['plan'] : undefined;
  if (typeof version === 'number' && version > PLAN_VERSION) {
    throw new SvcdError('newer_file', `${file} is a plan of version ${version}, and this svcd reads ${PLAN_VERSION}`);
  }
  if (version !== PLAN_VERSION) throw invalidArgument(`${file} is no plan: "plan" must be 1, got ${describe(version)}`);
  try {
    return parseWith(planSchema, value);
  } catch (error) {
    throw isSvcdError(error) ? invalidArgument(`${file} is no plan: ${error.message}`, undefined, error) : error;
  }
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
