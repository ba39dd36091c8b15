// A plan: which sticker or image each slot of a video gets, what it costs, and what would still fit. It holds no copy,
// no prompt, no time but that of the balance, and is the same for the same slots and the same library.

import * as v from 'valibot';
import { styleKind } from '../contract/candidate.js';
import { FIT_WORDS } from '../contract/fit.js';
import { sha256Hex } from '../model/hash.js';
import { BASES, credit } from './lock.js';
import type { Told } from './operation.js';
import { credits } from './money.js';
import { slotId, slots } from './slot.js';

/** Version of the shape; a field that is added does not change it. */
export const PLAN_VERSION = 1;
/** Bytes of a request. */
export const PLAN_MAX_BYTES = 64 * 1024;

/** One style of all slots. */
export const styleName = v.pipe(
  v.string(),
  v.regex(/^[\w.-]{1,64}$/, 'must be "auto", "any", or the first part of a preset, such as "twemoji"'),
);

/** POST /svcd/plan */
export const planRequestSchema = v.strictObject({
  slots,
  /** The most that may be spent: a budget beside the others. */
  max_credits: v.exactOptional(credits),
  /**
   * Asks the service for the balance and for matches first; free, and only then anything is sent to it. `auto` asks about each
   * slot, for up to a minute, and only while the list is not complete.
   */
  refresh: v.exactOptional(v.union([v.boolean(), v.literal('auto')])),
  /** Whether svcd's own art may be chosen by words; what a slot names it gets. */
  shipped: v.exactOptional(v.boolean()),
  /** A slot for which nothing fits so well stays empty; if not given, what fits worst is only warned of. */
  fit_at_least: v.exactOptional(v.picklist(['strong', 'fair'])),
  /**
   * One style through all slots: the first part of its presets; `auto` for that in which most slots have something that fits;
   * `any`, as if not given, for none.
   */
  style: v.exactOptional(styleName),
  /** Only stickers that are drawn so. */
  style_kind: styleKind,
});
export type PlanRequest = v.InferOutput<typeof planRequestSchema>;

/**
 * An earlier purchase of it that was charged, or may have been, and of which nothing is owned. Until that is settled it is
 * not bought again, so it costs nothing here and a default would stand in for it; `warnings` says what to do.
 */
const purchase = v.exactOptional(v.number());

/** What is there already: nothing, what was bought, the user's own, one of svcd's own. */
const have = v.picklist(['no', 'owned', 'own', 'shipped']);
export type Have = v.InferOutput<typeof have>;

/** How a sticker suits a slot: in a word, and from 0 to 1, which plans made before do not have. */
const fitWord = v.picklist(FIT_WORDS);
const fitScore = v.exactOptional(v.number());

const other = v.object({
  preset: v.string(),
  title: v.string(),
  fit: fitWord,
  fit_score: fitScore,
  style_kind: styleKind,
  cost: v.number(),
  have,
});

const stickerSlot = v.object({
  id: slotId,
  /** Null when nothing was found. */
  preset: v.nullable(v.string()),
  title: v.exactOptional(v.string()),
  /** Absent for a preset that the slot named, and where nothing was found. */
  fit: v.exactOptional(fitWord),
  fit_score: fitScore,
  style_kind: styleKind,
  /** What was known when it was chosen; absent where the list is complete. */
  basis: v.exactOptional(v.picklist(BASES)),
  /** Why: only words of the copy that were found. */
  why: v.array(v.string()),
  /** What the service asks for it. */
  price: v.number(),
  /** What it costs here now: 0 for what is there already or in doubt, and for what an earlier slot of this plan pays. */
  cost: v.number(),
  have,
  purchase,
  aspect: v.exactOptional(v.number()),
  duration_s: v.exactOptional(v.number()),
  /** The colors that the slot asks for, and the main one of the sticker, as far as the library knows it. */
  color: v.exactOptional(v.string()),
  main_color: v.exactOptional(v.string()),
  /** Of the file, where that is here. */
  verdict: v.exactOptional(v.string()),
  others: v.array(other),
});

const imageSlot = v.object({
  id: slotId,
  /** The size, and the digest of prompt and size that `svcd purchases` shows too. */
  image: v.object({ size: v.string(), digest: v.string() }),
  price: v.number(),
  cost: v.number(),
  have,
  purchase,
});

const track = { track: v.string(), title: v.string(), duration_s: v.number() };
const musicSlot = v.object({
  id: slotId,
  /** Null where the service was not asked, or has none. */
  track: v.nullable(track.track),
  title: v.exactOptional(track.title),
  duration_s: v.exactOptional(track.duration_s),
  ...credit,
  price: v.number(),
  cost: v.number(),
  have,
  purchase,
  /** With the path at which svcd lets each be heard. */
  others: v.array(v.object({ ...track, preview: v.string() })),
});

/** Credits that are left; null for no limit, or not known. */
const left = v.nullable(v.number());

export const planSchema = v.object({
  plan: v.literal(PLAN_VERSION),
  /** `sha256:…` of service, copy, template and what is chosen for each slot; what is owned meanwhile does not change it. */
  digest: v.string(),
  /** Set by a command that knows them. */
  template: v.exactOptional(v.string()),
  package_sha256: v.exactOptional(v.string()),
  copy_sha256: v.exactOptional(v.string()),
  /** Address of the service; null without one. */
  remote: v.nullable(v.string()),
  library: v.object({ known: v.number(), complete: v.boolean() }),
  slots: v.array(v.union([stickerSlot, imageSlot, musicSlot])),
  /** As it was asked for, and the style that was found: an apply of this plan chooses by the same. */
  fit_at_least: v.exactOptional(v.picklist(['strong', 'fair'])),
  style: v.exactOptional(styleName),
  style_kind: styleKind,
  cost: v.number(),
  /** Null for a caller that may not see the account. */
  left: v.nullable(
    v.object({
      request: left,
      day: left,
      month: left,
      token: left,
      account: left,
      account_as_of: v.nullable(v.string()),
    }),
  ),
  /** Whether all of it can be paid, as far as is known. */
  fits: v.boolean(),
  /** Which of the limits is the tightest, where it does not fit: a field of `left`, or `max_credits`. */
  short_of: v.nullable(v.string()),
  /** Slots that cost something and could be paid, in their order, where not all fit. */
  would_fit: v.array(v.string()),
  warnings: v.array(v.object({ code: v.string(), words: v.string(), slot: v.exactOptional(v.string()) })),
});
export type Plan = Told<typeof planSchema>;
export type PlanSlot = Plan['slots'][number];

/** What a slot gets: the digest of an image, a preset, a track; null for nothing. */
export function chosenIn(slot: PlanSlot): string | null {
  return 'image' in slot ? slot.image.digest : 'track' in slot ? slot.track : slot.preset;
}

function kindOf(slot: PlanSlot): 'image' | 'music' | 'sticker' {
  return 'image' in slot ? 'image' : 'track' in slot ? 'music' : 'sticker';
}

/** The slots with what each costs here, as far as that follows from the rest of them. */
export function withCosts<T extends PlanSlot>(planned: readonly T[]): T[] {
  const paid = new Set<string>();
  return planned.map((slot) => {
    const name = `${kindOf(slot)} ${chosenIn(slot)}`;
    const isBought = slot.have === 'no' && slot.purchase === undefined && !paid.has(name);
    if (isBought) paid.add(name);
    return { ...slot, cost: isBought ? slot.price : 0 };
  });
}

type PlanFacts = Pick<Plan, 'slots' | 'remote' | 'copy_sha256' | 'template' | 'package_sha256'>;

/** What slots cost together. */
export function costOf(planned: readonly Pick<PlanSlot, 'cost'>[]): number {
  return planned.reduce((sum, { cost }) => sum + cost, 0);
}

/** All that applying it depends on: of which service, copy and template it is, what is chosen and its price; not what is owned. */
export function digestOfPlan(plan: PlanFacts): string {
  const { slots: planned, remote, copy_sha256: copy, template, package_sha256: packed } = plan;
  const chosen = planned.map((slot) => {
    const size = 'image' in slot ? [slot.image.size] : [];
    return [slot.id, kindOf(slot), chosenIn(slot), ...size, slot.price];
  });
  return `sha256:${sha256Hex(JSON.stringify([remote, copy, template, packed, chosen]))}`;
}
