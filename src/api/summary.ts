// What the frame of the page shows, in one answer that contacts nobody; and the events that say what of it changed.

import * as v from 'valibot';
import { status } from './answers.js';
import type { Told } from './operation.js';

const credits = v.number();
const instant = v.string();

/** GET /svcd/summary */
export const summarySchema = v.object({
  version: v.string(),
  /** Whose account it is: null without a Key. */
  balance: v.nullable(v.object({ credits, as_of: v.nullable(instant), stale: v.boolean() })),
  price: v.object({ sticker: credits, image: credits }),
  budgets: v.array(
    v.object({
      period: v.picklist(['request', 'day', 'month']),
      limit: v.nullable(credits),
      spent: v.nullable(credits),
    }),
  ),
  remote: v.object({
    address: v.nullable(v.string()),
    sandbox: v.boolean(),
    offline: v.boolean(),
    /** Whether the user wants to be offline. */
    forced: v.boolean(),
    since: v.nullable(instant),
    why: v.nullable(v.string()),
  }),
  /** The hub that this home belongs to, which is its remote then; null for none. */
  hub: status.entries.hub,
  key: v.object({
    source: status.entries.key_source,
    last_four: v.nullable(v.string()),
    /** What is wrong with it, as an error code of the service: `invalid_key`, `key_disabled`, `key_limit_exceeded`. */
    problem: v.nullable(v.string()),
  }),
  spending_stopped: status.entries.spending_stopped,
  purchases: v.object({ unknown: v.number(), under_way: v.number() }),
  library: v.object({
    known: v.number(),
    complete: v.boolean(),
    estimate: v.nullable(v.object({ total: v.number(), low: v.number(), high: v.number() })),
    seconds_left: v.nullable(v.number()),
    paused: v.boolean(),
    /** Whether its file was damaged since svcd was started, and another took its place. */
    set_aside: v.boolean(),
  }),
  owned: v.number(),
  /** The home folder, where commands have to name it by --home; null for the usual one. */
  home: v.nullable(v.string()),
  /** Whether the setting `folder` names one. */
  folder: v.boolean(),
});
export type Summary = Told<typeof summarySchema>;
