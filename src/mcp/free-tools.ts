// The tools that cost nothing in any state: finding, planning, and what was spent.

import * as v from 'valibot';
import type { Spending } from '../api/answers.js';
import type { FindAnswer } from '../api/find.js';
import { SHEET_PRESETS_MAX, TILE_SIZES } from '../api/library.js';
import type { Plan } from '../api/plan.js';
import type { Slot } from '../api/slot.js';
import type { MatchAnswer } from '../contract/candidate.js';
import { wordOfFit } from '../contract/fit.js';
import { IMAGE_SIZES, STICKER_PRICE } from '../contract/limits.js';
import { STYLE_KINDS } from '../model/sticker.js';
import { askSheet } from '../video/apply/ask-sheet.js';
import { SILENT } from '../video/apply/asker.js';
import { makePlan } from '../video/apply/plan-copy.js';
import { askLeft, findShort } from './consent.js';
import { FOREIGN, PICTURE, tool } from './tool.js';

const whole = (from: number, to: number) => v.pipe(v.number(), v.integer(), v.minValue(from), v.maxValue(to));
export const credits = whole(0, 1_000_000_000);
const limit = v.optional(whole(1, 20), 8);
const keywords = v.optional(v.array(v.string()));
const said = (what: string) => v.optional(v.pipe(v.string(), v.description(what)));

export const searchStickers = tool(
  'search_stickers',
  'Find stickers by words, as they are, in Chinese. Free. cost is what getting it would cost now; offset: next gives more.',
  v.strictObject({
    q: v.optional(v.string()),
    limit,
    offset: v.optional(whole(0, 10_000), 0),
    owned: v.optional(v.boolean()),
    aspect: said('square, wide, tall, 16:9 or 0.8..1.25'),
    color: said('#rrggbb'),
    max_duration_s: v.optional(v.number()),
    style: said('first part of a preset, as twemoji'),
    style_kind: v.optional(v.picklist(STYLE_KINDS)),
  }),
  async ({ max_duration_s: max, ...query }, { asker }) => {
    const asked = Object.entries({ ...query, max_duration: max }).filter(([, value]) => value !== undefined);
    const text = new URLSearchParams(asked as [string, string][]).toString();
    const found = await asker.ask<FindAnswer>('GET', `/svcd/search?${text}`);
    const { total, offset, next, dropped, suggestions } = found;
    const results = found.results.map((one) => tileOf(one, one.owned, one.shipped));
    return { ...FOREIGN, total, offset, next, dropped, suggestions, results };
  },
);

type Match = MatchAnswer['results'][number];
/** A service with answers of its own shape may tell no reasons. */
type Matched = Omit<Match, 'reasons'> & Partial<Pick<Match, 'reasons'>>;

export const matchStickers = tool(
  'match_stickers',
  'Find stickers that suit a text (the copy as it is, in Chinese) or keywords, best first, with why. Free.',
  v.strictObject({ text: v.optional(v.string()), keywords, limit }),
  async (body, { asker }) => {
    const { results, total } = await asker.ask<MatchAnswer>('POST', '/api/v1/stickers/match', body);
    if (results.length === 0) return { total, results };
    const presets = results.map(({ preset }) => `preset=${encodeURIComponent(preset)}`).join('&');
    const { owned, shipped } = await asker.ask<Record<'owned' | 'shipped', string[]>>('GET', `/svcd/owned?${presets}`);
    const tiles = results.map(({ reasons, ...one }: Matched) => ({
      ...tileOf(one, owned.includes(one.preset), shipped.includes(one.preset)),
      why: reasons?.slice(0, 3).map(({ keyword, field, source }) => `${keyword} in the ${field} (${source})`),
    }));
    return { ...FOREIGN, total, results: tiles };
  },
);

export const lookAtStickers = tool(
  'look_at_stickers',
  'One picture with a numbered tile for each sticker, and what each is. Free. What is not owned is a struck-through card: nobody can look before it is bought.',
  v.strictObject({
    presets: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(SHEET_PRESETS_MAX)),
    frames: v.optional(v.picklist([1, 4]), 1),
    tile: v.optional(v.picklist(TILE_SIZES), 128),
  }),
  async ({ presets, frames, tile }, { asker }) => {
    const { items, png, unknown } = await askSheet(asker, presets, { frames, tile });
    const seen = items.map((one) => {
      const why = unknown.includes(one.preset) ? 'no sticker of this name is known' : 'no picture before it is bought';
      return { ...one, ...(one.have === 'no' && { see: why }) };
    });
    return { ...FOREIGN, items: seen, [PICTURE]: png };
  },
);

const slot = v.strictObject({
  id: v.string(),
  want: v.optional(v.picklist(['sticker', 'image'])),
  text: said('the copy of this slot, as it is'),
  keywords,
  preset: v.optional(v.string()),
  aspect: v.optional(v.number()),
  max_duration_s: v.optional(v.number()),
  prompt: v.optional(v.string()),
  size: v.optional(v.picklist(IMAGE_SIZES)),
});

const PLANS_MAX = 20;

/** What can be paid where each purchase is a person's to allow: then the token of this server has no credits of its own. */
function judged({ left, cost, warnings: all }: Plan) {
  const short = findShort(left, cost, undefined) ?? null;
  const warnings = all.filter(({ code }) => short !== null || code !== 'over_budget');
  return { fits: short === null, short_of: short, would_fit: [], warnings, asks: 'the user, when it is applied' };
}

export const planStickers = tool(
  'plan_stickers',
  'A sticker (by text, keywords or preset) or an image (prompt, size) for each slot of a video, and the price. Buys nothing. Show the user plan and price. digest is for apply_plan.',
  v.strictObject({ slots: v.pipe(v.array(slot), v.minLength(1), v.maxLength(50)), max_credits: v.optional(credits) }),
  async ({ slots: wanted, max_credits: maxCredits }, { asker, plans, budget }) => {
    // The daemon judges them.
    const named = { copy: { slots: wanted as Slot[] }, name: 'the plan' };
    const plan = await makePlan(asker, { named, maxCredits }, SILENT.words);
    const { digest, slots, cost, left, fits, short_of, would_fit, warnings } = plan;
    plans.delete(digest);
    plans.set(digest, { plan, slots: named.copy.slots });
    for (const old of plans.keys()) if (plans.size > PLANS_MAX) plans.delete(old);
    const shown = slots.map((one) =>
      'why' in one ? { ...one, others: one.others.slice(0, 2).map(({ preset }) => preset) } : one,
    );
    const paid =
      short_of === 'token' && budget === undefined
        ? { ...judged(plan), left: left && { ...left, token: null } }
        : { fits, short_of, would_fit, left, warnings };
    return { ...FOREIGN, digest, cost, ...paid, slots: shown };
  },
  'reckon',
);

export const showSpending = tool(
  'show_spending',
  'What was spent and saved, the budgets, and what is left of them, of the account, and of what a person gave this assistant. Free.',
  v.strictObject({}),
  async (_args, { asker, budget = 0 }) => {
    const spending = await asker.ask<Spending>('GET', '/svcd/spending');
    return { ...spending, given_to_this_assistant: budget, left: await askLeft(asker) };
  },
  'reckon',
);

type Found = Pick<MatchAnswer['results'][number], 'preset' | 'title' | 'width' | 'height' | 'duration' | 'fit'>;

function tileOf({ preset, title, width, height, duration, fit }: Found, owned: boolean, isShipped: boolean) {
  const tile = {
    preset,
    title,
    width,
    height,
    duration_s: duration,
    owned,
    cost: owned || isShipped ? 0 : STICKER_PRICE,
  };
  return { ...tile, fit: fit === undefined ? undefined : wordOfFit(fit) };
}
