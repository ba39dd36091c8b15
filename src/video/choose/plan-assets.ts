// A plan: what each slot of a video gets and costs, from what svcd has. Nothing is bought, and the remote is asked only for
// a refresh. The same slots, library and purchases give the same plan.

import { requireChangeable } from '../../lottie/recolor.js';
import {
  chosenIn,
  digestOfPlan,
  PLAN_VERSION,
  withCosts,
  type Have,
  type Plan,
  type PlanRequest,
  type PlanSlot,
} from '../../api/plan.js';
import { wantsImage, wantsMusic, wantsSticker, type Slot } from '../../api/slot.js';
import { IMAGE_PRICE, STICKER_PRICE } from '../../contract/limits.js';
import type { DefaultPack } from '../../defaults/default-pack.js';
import type { Library } from '../../library/library.js';
import { isSvcdError } from '../../model/errors.js';
import { CAPABILITY_OF, type Grant, type Spender } from '../../model/spender.js';
import { aspectOf, isOwnName, styleKindOf, type Sticker } from '../../model/sticker.js';
import { findOwnedImage, imageDigest } from '../../purchases/image-item.js';
import { itemOf } from '../../purchases/item.js';
import type { OwnStickers } from '../../purchases/sqlite/own-stickers.js';
import type { Clock } from '../../platform/clock.js';
import { ownTurn } from '../../platform/steps.js';
import type { Remote } from '../../upstream/remote.js';
import { askOnce, askPatiently, type AskAbout } from './ask-about-slots.js';
import { chooseMusic, type FindMusic } from './choose-music.js';
import { ANY } from './one-style.js';
import { createChooseStickers, type Candidate, type Choice } from './choose-stickers.js';
import { judge, type LimitsOf } from './plan-limits.js';
import { basisOf, isByWords } from './slot-basis.js';
import type { Journal, Purchase } from '../../purchases/journal.js';
import type { OwnedStore } from '../../purchases/owned-store.js';

/** Who asks, as far as a plan depends on it. */
export interface PlanCaller {
  /** Whose account the caller may see. */
  readonly spender: Spender;
  readonly seesBudgets: boolean;
  /** With whose Key the remote may be asked what is free. */
  readonly asker: Spender;
  readonly grant: Grant | undefined;
}

export type PlanAssets = (request: PlanRequest, caller: PlanCaller) => Promise<Plan>;

export interface PlanParts {
  readonly library: Pick<Library, 'match' | 'findSticker' | 'synonymsOf' | 'revision' | 'requireStyle'>;
  /** How many stickers of the remote are known, and whether these are practically all. */
  readonly libraryState: () => { readonly known: number; readonly complete: boolean };
  readonly owned: Pick<OwnedStore, 'has' | 'findNewestOf'>;
  readonly ownedPresets: () => ReadonlySet<string>;
  readonly journal: Pick<Journal, 'findUnsettled'>;
  readonly own: Pick<OwnStickers, 'has'>;
  readonly defaults: Pick<DefaultPack, 'findSticker'>;
  readonly limitsOf: LimitsOf;
  /** Whether somebody has stopped all spending, or svcd itself did. */
  readonly isStopped: () => boolean;
  /** Address of the remote, `sandbox` or `none`. */
  readonly scope: string;
  readonly remote: Pick<Remote, 'reach'> | undefined;
  /** Asks the remote what matches a slot, which teaches the library. */
  readonly askAbout: AskAbout;
  readonly findMusic: FindMusic;
  /** Asks the remote for the balance; whether it answered. */
  readonly askBalance: (spender: Spender) => Promise<boolean>;
  /** Whether the remote said last that it has a capability switched off. */
  readonly isOff: (capability: string) => boolean;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** When everything that a first copy would wait for is read; undefined when it is. */
  readonly untilWarm: () => Promise<void> | undefined;
  /** What is known of the file of a sticker that is here. */
  readonly verdictOf?: ((preset: string) => Promise<string | undefined>) | undefined;
}

type Warning = Plan['warnings'][number];
type StickerSlot = Extract<PlanSlot, { why: readonly string[] }>;

const TITLE_MAX = 60;

/** Plans. Throws nothing for a remote that is away: that is a warning. */
export function createPlanAssets(parts: PlanParts): PlanAssets {
  const { library, own, owned, defaults, limitsOf } = parts;
  const haveOf = (preset: string): Have => {
    if (own.has(preset)) return 'own';
    if (owned.has(itemOf(preset))) return 'owned';
    return defaults.findSticker(preset) === undefined ? 'no' : 'shipped';
  };
  const chooseStickers = createChooseStickers({ ...parts, haveOf });

  /** What a sticker is and costs, before it is looked at what others of the plan pay. */
  const describe = (preset: string, title: string | undefined) => {
    const have = haveOf(preset);
    const price = isOwnName(preset) || have === 'shipped' ? 0 : STICKER_PRICE;
    const shown = title === undefined ? {} : { title: readable(title) };
    return { preset, ...shown, price, cost: have === 'no' ? price : 0, have };
  };
  const otherOf = ({ sticker, fit, fitScore }: Candidate) => {
    const { cost, have } = describe(sticker.preset, undefined);
    return {
      preset: sticker.preset,
      title: readable(sticker.title),
      fit,
      fit_score: fitScore,
      ...styleKindOf(sticker.preset),
      cost,
      have,
    };
  };

  const stickerSlot = async (slot: Slot, choice: Choice | undefined): Promise<StickerSlot> => {
    const preset = slot.preset ?? choice?.chosen?.sticker.preset;
    const others = (choice?.others ?? []).map(otherOf);
    if (preset === undefined) return { id: slot.id, preset: null, why: [], price: 0, cost: 0, have: 'no', others };
    const known: Sticker | undefined =
      choice?.chosen?.sticker ?? library.findSticker(preset) ?? defaults.findSticker(preset);
    const { color } = slot;
    if (color !== undefined) requireChangeable({ preset, licence: known?.licence });
    const { price, cost, have, ...named } = describe(preset, known?.title);
    const aspect = known && aspectOf(known);
    const verdict = have === 'no' ? undefined : await parts.verdictOf?.(preset);
    return {
      id: slot.id,
      ...named,
      ...styleKindOf(preset),
      ...(choice?.chosen !== undefined && { fit: choice.chosen.fit, fit_score: choice.chosen.fitScore }),
      why: choice?.chosen?.why ?? [],
      price,
      cost,
      have,
      ...(aspect !== undefined && { aspect: Math.round(aspect * 1000) / 1000 }),
      ...(known?.duration !== undefined && { duration_s: known.duration }),
      ...(color !== undefined && { color, ...(typeof known?.color === 'string' && { main_color: known.color }) }),
      ...(verdict !== undefined && { verdict }),
      others,
    };
  };
  const imageSlot = (slot: Slot & { prompt: string; size: NonNullable<Slot['size']> }): PlanSlot => {
    const { id, prompt, size } = slot;
    const isOwned = findOwnedImage(owned, { prompt, size }) !== undefined;
    return {
      id,
      image: { size, digest: imageDigest({ prompt, size }) },
      price: IMAGE_PRICE,
      cost: isOwned ? 0 : IMAGE_PRICE,
      have: isOwned ? 'owned' : 'no',
    };
  };

  return async (request, caller) => {
    const {
      slots,
      max_credits: maxCredits,
      refresh = false,
      shipped = true,
      fit_at_least: least,
      style: asked = ANY,
      style_kind: styleKind,
    } = request;
    const { heard, unheard } = await askRemote(parts, slots, caller, refresh);
    // A list of music is not kept, so that it has to be asked for where anything may be.
    const find = refresh === false ? undefined : parts.findMusic;
    const music = await chooseMusic(slots.filter(wantsMusic), find, caller.asker);
    await parts.untilWarm();
    // Of plans that come at once each has a turn of the loop.
    await ownTurn();
    const filter = styleKind && { styleKind };
    const { choices: free, style } = await chooseStickers(slots.filter(wantsSticker), shipped, asked, filter);
    const choices = new Map(Array.from(free, ([slot, choice]) => [slot, withoutLoose(choice, least)] as const));
    const isComplete = parts.scope === 'none' || parts.libraryState().complete;
    const planSlot = async (slot: Slot): Promise<PlanSlot> => {
      const planned = music.planned.get(slot);
      if (planned !== undefined) return planned;
      if (wantsImage(slot)) return imageSlot(slot);
      const basis = basisOf(slot, isComplete, heard);
      return { ...(await stickerSlot(slot, choices.get(slot))), ...(basis !== undefined && { basis }) };
    };
    await ownTurn();
    const described = await Promise.all(slots.map(planSlot));
    const doubts = await Promise.all(described.map((one) => findDoubt(parts, one)));
    const planned = withCosts(described.map((one, i) => ({ ...one, ...(doubts[i] && { purchase: doubts[i].id }) })));
    const limits = caller.seesBudgets || caller.spender.kind === 'key' ? await limitsOf(caller) : undefined;
    const isStopped = parts.isStopped();
    const verdict = judge(planned, limits, maxCredits, !isStopped && !lacksKey(caller) && parts.scope !== 'none');
    const about = { planned, slots, choices, doubts, isStopped, ...verdict };
    const remote = parts.scope === 'none' ? null : parts.scope;
    return {
      plan: PLAN_VERSION,
      digest: digestOfPlan({ slots: planned, remote }),
      remote,
      library: parts.libraryState(),
      slots: planned,
      ...(least !== undefined && { fit_at_least: least }),
      ...(style !== undefined && { style }),
      ...(styleKind !== undefined && { style_kind: styleKind }),
      cost: verdict.cost,
      left: limits ?? null,
      fits: verdict.fits,
      short_of: verdict.shortOf,
      would_fit: verdict.wouldFit,
      warnings: oneOfEach([
        ...generalWarnings(parts, about, caller),
        ...unheard,
        ...music.warnings,
        ...slotWarnings(parts, about),
      ]),
    };
  };
}

/** One warning of a kind for each slot, and one for the whole. */
function oneOfEach(warnings: readonly Warning[]): Warning[] {
  const first = new Map<string, Warning>();
  for (const one of warnings.toReversed()) first.set(`${one.code} ${one.slot}`, one);
  return warnings.filter((one) => first.get(`${one.code} ${one.slot}`) === one);
}

/** Title of the remote as a person and a terminal can take it. */
function readable(title: string): string {
  const characters = Array.from(title.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim());
  return characters.length <= TITLE_MAX ? characters.join('') : `${characters.slice(0, TITLE_MAX - 1).join('')}…`;
}

/** Who may spend where there is nothing to spend with. */
function lacksKey({ seesBudgets, spender }: PlanCaller): boolean {
  return seesBudgets && spender.kind === 'none';
}

/** Asks for the balance and for matches, which teaches the library. What was not heard is a warning. */
async function askRemote(
  { askAbout, askBalance, clock, libraryState, scope }: PlanParts,
  slots: readonly Slot[],
  { spender, asker }: PlanCaller,
  refresh: boolean | 'auto',
): Promise<{ heard: ReadonlySet<Slot>; unheard: Warning[] }> {
  const isNeeded = refresh === true || (refresh === 'auto' && scope !== 'none' && !libraryState().complete);
  if (!isNeeded) return { heard: new Set(), unheard: [] };
  const reasons = new Set<string>();
  const balance = async () => {
    if (spender.kind === 'none' || refresh === 'auto') return;
    try {
      if (!(await askBalance(spender))) reasons.add('offline');
    } catch (error) {
      if (!isSvcdError(error)) throw error;
      reasons.add(error.code);
    }
  };
  const wordy = slots.filter(isByWords);
  const asked = refresh === 'auto' ? askPatiently(askAbout, wordy, asker, clock) : askOnce(askAbout, wordy, asker);
  const [left] = await Promise.all([asked, balance()]);
  for (const why of left.values()) reasons.add(why);
  const unheard = [...reasons]
    .toSorted()
    .map((code) => ({ code, words: `the service did not answer (${code}), so this plan uses what svcd knew before` }));
  return { heard: new Set(wordy.filter((slot) => !left.has(slot))), unheard };
}

interface About extends ReturnType<typeof judge> {
  readonly planned: readonly PlanSlot[];
  readonly slots: readonly Slot[];
  readonly choices: ReadonlyMap<Slot, Choice>;
  readonly doubts: readonly (Purchase | undefined)[];
  readonly isStopped: boolean;
}

function generalWarnings(
  { remote, scope, libraryState }: PlanParts,
  { planned, cost, overBudget, isStopped }: About,
  caller: PlanCaller,
): Warning[] {
  const warnings: Warning[] = [];
  const warn = (code: string, words: string) => void warnings.push({ code, words });
  if (overBudget !== undefined) warn('over_budget', overBudget);
  if (cost > 0 && isStopped) warn('spending_stopped', 'all spending is stopped, so nothing of this can be bought now');
  if (cost > 0 && lacksKey(caller)) warn('no_key', 'there is no Key to pay with');
  if (cost > 0 && scope === 'none') warn('offline', 'no remote is configured, so nothing of this can be bought');
  else if (cost > 0 && remote?.reach().offline === true) {
    const why = remote.reach().forced
      ? 'svcd is set to offline ("svcd offline --off" ends that)'
      : 'the service cannot be reached';
    warn('offline', `${why}, so nothing of this can be bought now`);
  }
  const { known, complete } = libraryState();
  const wantsMore = !complete && planned.some((one) => !('image' in one || 'track' in one));
  if (cost === 0 && wantsMore && scope !== 'none' && lacksKey(caller)) {
    warn('no_key', 'there is no Key, so the service cannot be asked; "svcd key set" stores one');
  }
  if (wantsMore) {
    const least = `the library knows ${known.toLocaleString('en-US')} stickers and is not complete, so better ones may be missing`;
    warn('library_incomplete', `${least}; "svcd library sync" fills it`);
  }
  return warnings;
}

function slotWarnings({ library, isOff }: PlanParts, { planned, slots, choices, doubts }: About): Warning[] {
  const off = { images: isOff(CAPABILITY_OF.image), stickers: isOff(CAPABILITY_OF.sticker) };
  return slots.flatMap((slot, i) => {
    const one = planned[i]!;
    const warnings: Warning[] = [];
    const warn = (code: string, words: string) => void warnings.push({ code, words, slot: slot.id });
    if ('track' in one) return [];
    const isImage = 'image' in one;
    if (!isImage && one.preset === null) {
      warn('nothing_found', nothingFound(slot, choices.get(slot)));
    } else if (!isImage && slot.preset !== undefined && one.have === 'no' && !library.findSticker(slot.preset)) {
      const isOwn = isOwnName(slot.preset);
      const words = isOwn
        ? 'there is no sticker of yours with this preset'
        : 'the library knows no sticker with this preset';
      warn('unknown_preset', words);
    }
    if (!isImage && one.basis === 'part' && one.preset !== null) {
      warn('not_asked', 'chosen before the service was asked; "svcd plan --refresh" asks it');
    }
    if (!isImage && one.fit === 'weak') warn('weak_fit', 'what was found is only loosely related');
    if (one.have === 'no' && (isImage ? off.images : off.stickers && one.price > 0)) {
      warn('not_enabled', `the service does not offer ${isImage ? 'images' : 'sticker files'} now`);
    }
    const doubt = doubts[i];
    if (doubt !== undefined) warn('unsettled', inDoubt(doubt));
    return warnings;
  });
}

/** The purchase that stands in the way of another one; what is under way now does not. */
async function findDoubt({ journal }: PlanParts, slot: PlanSlot): Promise<Purchase | undefined> {
  const chosen = chosenIn(slot);
  if (slot.have !== 'no' || chosen === null || 'track' in slot) return undefined;
  const item = 'image' in slot ? `image:${chosen}` : itemOf(chosen);
  const found = await journal.findUnsettled(item);
  return found?.state === 'sent' ? undefined : found;
}

function inDoubt({ id, kind, state }: Purchase): string {
  const why = state === 'paid' ? 'was charged, but its file is missing' : 'may have been charged';
  const ways = [
    ...(state === 'paid' ? [] : [`"svcd purchases settle ${id}" asks the service`]),
    kind === 'sticker' ? `"svcd purchases retry ${id}" buys it again` : '"svcd purchases" shows how to buy it again',
  ];
  return `an earlier purchase of it ${why} (purchase ${id}), so svcd does not buy it again by itself: ${ways.join(', ')}`;
}

/** A choice that fits so well at least; what does not is the first of the others. */
function withoutLoose(choice: Choice, least: PlanRequest['fit_at_least']): Choice {
  const { chosen, others } = choice;
  const isEnough = least === undefined || chosen === undefined || chosen.fit === 'strong' || chosen.fit === least;
  return isEnough ? choice : { ...choice, chosen: undefined, others: [chosen, ...others] };
}

function nothingFound({ max_duration_s: max }: Slot, choice: Choice | undefined): string {
  if (choice?.tooLong === true) return `nothing that fits is at most ${max} s long`;
  const [nearest] = choice?.others ?? [];
  if (nearest === undefined) return 'nothing in the library fits, or it is used already';
  return `nothing in the library fits well enough; the nearest is ${readable(nearest.sticker.title)} (${nearest.fit}, ${nearest.fitScore})`;
}
