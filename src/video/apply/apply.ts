// What `svcd apply` does: keep what an earlier lock chose, plan the rest, show it and ask, buy it under the price that was
// shown, write files first and the lock last.

import { join } from 'node:path';
import type { DaemonStatus } from '../../api/answers.js';
import { filesOf, LOCK_FILE, type LockedAsset, lockShape, versioned } from '../../api/lock.js';
import { chosenIn, costOf, type Plan, type PlanRequest, type PlanSlot } from '../../api/plan.js';
import { wantsImage, wantsMusic, type Slot } from '../../api/slot.js';
import { type ErrorCode, isSvcdError, SvcdError } from '../../model/errors.js';
import type { Form } from '../../model/asset.js';
import { openLockedFolder, type LockedFolder } from '../lock/locked-folder.js';
import { standInsOf, type StandIn } from '../lock/stand-ins.js';
import { digestOfCopy, digestOfSlot, findStanding, type SlotChoice } from '../lock/standing-slots.js';
import { jsonQuestion, refusalIn, SILENT, type Asker, type Connect, type Telling } from './asker.js';
import { putTelling } from './fetch-locked.js';
import { lockEntries, type TakenAsset } from './lock-entries.js';
import { askPlan, fieldsOf, undeclared, type PlannedTemplate } from './plan-copy.js';
import type { NamedCopy } from './read-copy.js';
import { isChosenNow, requireFound, requireNoGuess } from './require-choices.js';
import { requireFresh, type Chosen } from './saved-plan.js';
import { openStickerForms } from './sticker-forms.js';
import { withStills } from './stills.js';
import {
  buyAssets,
  placeOf,
  requireWithin,
  selectTrack,
  takeByDigest,
  takeLocked,
  takeTrack,
  type TakenFile,
} from './take-assets.js';
import type { ApplyWords } from './words.js';

export interface ApplyRequest {
  readonly named: NamedCopy;
  readonly template: PlannedTemplate | undefined;
  readonly out: string;
  /** Where svcd keeps what it wrote into which folder. */
  readonly home: string;
  readonly plan: { readonly file: string; readonly plan: Plan } | undefined;
  readonly maxCredits: number | undefined;
  /** As in a request for a plan. */
  readonly style?: PlanRequest['style'] | undefined;
  /** Whether a stand-in or a guess is refused, before anything is bought where that can be seen. */
  readonly strict: boolean;
  /** Whether the service is asked first, where its list is not complete. */
  readonly refresh: boolean;
  /** Whether music is selected into the private assets of the account too, which changes that. */
  readonly select: boolean;
  readonly update: readonly string[];
  readonly replaceDefaults: boolean;
  readonly form: Form | undefined;
  /** Pixels of the longer side of a still, for each sticker; undefined for those that there are. */
  readonly stills?: number | undefined;
  /** Shows what would be done; throws unless it may cost that much. */
  readonly agree: (proposal: Proposal) => Promise<void>;
}

/** What would be done. */
export interface Proposal {
  /** Slots that stay as they are. */
  readonly kept: readonly { readonly id: string; readonly asset: LockedAsset }[];
  readonly planned: readonly PlanSlot[];
  readonly warnings: Plan['warnings'];
  /** Why it may not fit, as far as is known. */
  readonly shortOf: string | null;
  readonly left: Plan['left'];
  readonly cost: number;
}

export interface Applied {
  readonly lock: string;
  readonly cost: number;
  readonly slots: readonly (LockedAsset & { readonly id: string; readonly kept: boolean })[];
  /** `mend` says what to do besides trying again, where an earlier purchase is in doubt. */
  readonly defaults: readonly {
    readonly slot: string;
    readonly reason: string;
    readonly wanted: string;
    readonly mend?: string;
  }[];
  /** What a strict person would not take. */
  readonly stand_ins: readonly StandIn[];
}

/** Applies. Throws before anything is bought for everything that can be seen before. */
export async function applyAssets(request: ApplyRequest, connect: Connect, telling = SILENT): Promise<Applied> {
  const { named, out, home, update } = request;
  const { slots } = named.copy;
  const strange = update.find((id) => !slots.some((slot) => slot.id === id));
  if (strange !== undefined) throw refusalIn([telling.words.unknownSlot(strange)], 'invalid_argument');
  const folder = openLockedFolder(out, home);
  try {
    const before = folder.before?.lock;
    const copySha256 = digestOfCopy(slots);
    const choices = findStanding(slots, { ...request, copySha256, before, update: new Set(update) });
    const selects = request.select && choices.some(({ kept }) => kept?.kind === 'music');
    if (!selects && choices.every(({ kept }) => kept !== undefined && folder.has(kept))) {
      const all = await agreeTo(request, choices, [], undefined, telling);
      const taken = { ...all, choices, taken: [] };
      return await finish(request, folder, before?.remote ?? null, taken, telling);
    }
    return await connect(async (asker) => {
      const { remote } = await asker.ask<DaemonStatus>('GET', '/svcd/status');
      const all = await takeAll(request, folder, choices, asker, telling);
      return finish(request, folder, remote.sandbox ? 'sandbox' : remote.address, all, telling);
    });
  } finally {
    folder.close();
  }
}

interface TakenAll {
  readonly choices: readonly SlotChoice[];
  readonly taken: readonly TakenAsset[];
  readonly warnings: Plan['warnings'];
}

/** Takes everything that is not in the folder; the choices as they are then. */
async function takeAll(
  request: ApplyRequest,
  folder: LockedFolder,
  standing: readonly SlotChoice[],
  asker: Asker,
  telling: Telling,
): Promise<TakenAll> {
  let choices: SlotChoice[] = [];
  const found: TakenAsset[] = [];
  let missing: SlotChoice[] = [];
  for (const one of standing) {
    const isHere = one.kept !== undefined && folder.has(one.kept);
    const file = one.kept === undefined || isHere ? undefined : await takeLocked(asker, one.kept, telling);
    if (one.kept?.kind === 'music' && !isHere && file === undefined) {
      throw refusalIn(telling.words.otherMusic([one.slot.id]), 'lock_mismatch');
    }
    // A default that is gone was never worth keeping: what it stands for is tried again.
    const choice = one.kept?.source === 'default' && !isHere && file === undefined ? { ...one, kept: undefined } : one;
    choices.push(choice);
    if (file !== undefined) found.push({ choice, file });
    else if (!isHere) missing.push(choice);
  }
  let isFirst = true;
  const ask = () => {
    // Each time, for what the service was not heard about is a guess; what it was asked lately costs nothing.
    const refresh = request.refresh && missing.some((one) => isChosenNow(one) || wantsMusic(one.slot));
    const quiet = isFirst ? telling : { ...telling, note: () => undefined };
    isFirst = false;
    return planMissing(asker, request, choices, missing, refresh, quiet);
  };
  const plan = missing.length === 0 ? undefined : await planSettled(asker, ask);
  const isLeftOut = ({ slot }: SlotChoice) => slot.optional === true && chosenIn(slotOf(plan, slot.id)) === null;
  const left = missing.filter(isLeftOut);
  const stays = (one: SlotChoice) => !left.includes(one);
  [choices, missing] = [choices.filter(stays), missing.filter(stays)];
  const { planned, warnings } = await agreeTo(request, choices, missing, plan, telling);
  const bought = await buyPlanned(asker, missing, planned, telling);
  const isTaken = (one: SlotChoice) => !missing.includes(one) || bought.some(({ choice }) => choice === one);
  const taken = { choices: choices.filter(isTaken), taken: [...found, ...bought], warnings };
  if (request.select) for (const track of tracksOf(taken)) await selectTrack(asker, track);
  return taken;
}

/** The tracks that stand or were taken, each once. */
function tracksOf({ choices, taken }: TakenAll): ReadonlySet<string> {
  const standing = choices.flatMap(({ kept }) => (kept?.kind === 'music' ? kept.track : []));
  const planned = taken.flatMap(({ planned: one }) => (one !== undefined && 'track' in one ? (one.track ?? []) : []));
  return new Set([...standing, ...planned]);
}

/** Checks what would be done, and asks whether it may. Throws unless it may. */
async function agreeTo(
  request: ApplyRequest,
  choices: readonly SlotChoice[],
  missing: readonly SlotChoice[],
  plan: Plan | undefined,
  { words }: Telling,
): Promise<{ planned: PlanSlot[]; warnings: Plan['warnings'] }> {
  const planned = missing.map(({ slot }) => slotOf(plan, slot.id));
  const cost = costOf(planned);
  if (request.plan !== undefined) {
    const chosen: Chosen = new Map([
      ...choices.map(({ slot, kept }) => [slot.id, chosenBy(kept)] as const),
      ...planned.map((slot) => [slot.id, chosenIn(slot)] as const),
    ]);
    const { file, plan: saved } = request.plan;
    requireFresh(file, saved, chosen, { cost, remote: plan === undefined ? saved.remote : plan.remote }, words);
  }
  requireFound(plan, planned, words);
  if (request.strict) requireNoGuess(choices, missing, planned, words);
  requireWithin(cost, request.maxCredits, words);
  const kept = choices.flatMap((choice) =>
    choice.kept === undefined || missing.includes(choice) ? [] : [{ id: choice.slot.id, asset: choice.kept }],
  );
  const shortOf = plan !== undefined && !plan.fits ? plan.short_of : null;
  const warnings = [...(plan?.warnings ?? []), ...undeclared(request.named.copy.slots, request.template)];
  await request.agree({ kept, planned, warnings, shortOf, left: plan?.left ?? null, cost });
  return { planned, warnings };
}

/** The plan, after the service was asked, for free, about purchases whose end was not seen: a kill leaves some behind. */
async function planSettled(asker: Asker, ask: () => Promise<Plan>): Promise<Plan> {
  const plan = await ask();
  const ids = new Set(plan.slots.flatMap(({ purchase }) => purchase ?? []));
  let isSettled = false;
  for (const id of ids) {
    const { status } = await asker.request('POST', `/svcd/purchases/${id}/settle`, jsonQuestion({}));
    isSettled ||= status === 200;
    // What could not be asked now stays in doubt, which the plan tells; one question is enough for that.
    if (status >= 500) break;
  }
  return isSettled ? ask() : plan;
}

/** Asks for a plan of what is missing; what stands is named, so that nothing else is given its picture. */
function planMissing(
  asker: Asker,
  { maxCredits, named, plan, strict, style: asked }: ApplyRequest,
  choices: readonly SlotChoice[],
  missing: readonly SlotChoice[],
  refresh: boolean,
  { words, note }: Telling,
): Promise<Plan> {
  const wordy = missing.filter(isChosenNow).length;
  if (refresh && wordy > 0) note(words.asks(wordy));
  const slots = choices.flatMap((choice): Slot[] => {
    const { slot, kept } = choice;
    if (kept?.kind === 'music') return [{ id: slot.id, want: 'music', track: kept.track }];
    const preset = choice.preset ?? (kept?.kind === 'sticker' ? kept.preset : undefined);
    if (preset !== undefined) return [{ id: slot.id, preset, ...(slot.color !== undefined && { color: slot.color }) }];
    return missing.includes(choice) ? [slot] : [];
  });
  const least = plan?.plan.fit_at_least;
  // Plans made before they had one minded no style.
  const style = asked ?? (plan === undefined ? undefined : (plan.plan.style ?? 'any'));
  const how = {
    ...(maxCredits !== undefined && { max_credits: maxCredits }),
    ...(least !== undefined && { fit_at_least: least }),
    ...(style !== undefined && { style }),
    ...(plan?.plan.style_kind !== undefined && { style_kind: plan.plan.style_kind }),
    ...(refresh && { refresh: 'auto' as const }),
    ...(strict && { shipped: false }),
  };
  return askPlan(asker, { slots, ...how }, named.name, words);
}

function slotOf(plan: Plan | undefined, id: string): PlanSlot {
  const found = plan?.slots.find((slot) => slot.id === id);
  if (found === undefined) throw new SvcdError('internal', `the plan does not have the slot ${id}`);
  return found;
}

/** Why an optional track is left out; whatever else is wrong may be right in a minute. */
const NOT_TO_BE_HAD: ReadonlySet<ErrorCode> = new Set(['not_found', 'not_enabled', 'upstream_failure']);

/** Buys under the price that was shown, and takes the files; what is optional and cannot be had is not among them. */
async function buyPlanned(
  asker: Asker,
  missing: readonly SlotChoice[],
  planned: readonly PlanSlot[],
  telling: Telling,
): Promise<TakenAsset[]> {
  // Music first, which costs nothing: what is wrong with it is told before anything is paid for.
  const tracks = new Map<PlanSlot, TakenFile>();
  for (const [i, one] of planned.entries()) {
    if (!('track' in one)) continue;
    const isOptional = missing[i]?.slot.optional === true;
    try {
      tracks.set(one, await takeTrack(asker, { ...one, track: one.track ?? '' }, telling.words, isOptional));
    } catch (error) {
      if (!isOptional || !isSvcdError(error) || !NOT_TO_BE_HAD.has(error.code)) throw error;
      telling.note(telling.words.leftOut(one.id, error.message));
    }
  }
  const stickers = planned.flatMap((slot) => ('preset' in slot && slot.preset !== null ? [slot.preset] : []));
  const presets = [...new Set(stickers)];
  const orders = new Map<string, { prompt: string; size: Extract<Slot['size'], string> }>();
  for (const { slot } of missing) {
    if (wantsImage(slot)) orders.set(digestOfSlot(slot), { prompt: slot.prompt, size: slot.size });
  }
  const request = { presets, images: [...orders.values()], max_credits: costOf(planned), fallback: true };
  const isFree = presets.length + orders.size === 0;
  const bought = isFree ? { places: [], cost: 0 } : await buyAssets(asker, request, telling);
  const imagePlaces = [...orders.keys()];
  const files = new Map<string, TakenFile>();
  const taken: TakenAsset[] = [];
  for (const [i, choice] of missing.entries()) {
    const slot = planned[i];
    if (slot === undefined) continue;
    if ('track' in slot) {
      const file = tracks.get(slot);
      if (file !== undefined) taken.push({ choice, file, planned: slot });
      continue;
    }
    const at =
      'image' in slot
        ? presets.length + imagePlaces.indexOf(digestOfSlot(choice.slot))
        : presets.indexOf(slot.preset ?? '');
    const event = placeOf(bought, at, slot.id, telling.words);
    const file = files.get(event.sha256) ?? (await takeByDigest(asker, event.sha256, event.preset));
    if (file === undefined) throw refusalIn([telling.words.fileGone(slot.id)], 'not_owned');
    files.set(event.sha256, file);
    taken.push({ choice, file, planned: slot, event });
  }
  return taken;
}

/** Writes what was taken and the lock. */
async function finish(
  request: ApplyRequest,
  folder: LockedFolder,
  remote: string | null,
  { choices, taken, warnings }: TakenAll,
  telling: Telling,
): Promise<Applied> {
  const { named, template, out, strict, form } = request;
  const forms = openStickerForms(telling);
  const entries = await lockEntries(choices, taken, form, forms, telling)
    .then((all) => withStills(all, request.stills, folder, forms, telling))
    .finally(() => forms.close());
  const defaults = entries.flatMap(({ id, asset }) => {
    if (asset.source !== 'default') return [];
    const wanted = asset.kind === 'sticker' ? asset.preset : telling.words.anImage;
    const mend = asset.reason === UNSETTLED ? { mend: waysOut(warnings, id, telling.words) } : {};
    return [{ slot: id, reason: asset.reason ?? 'unknown', wanted, ...mend }];
  });
  if (strict && defaults.length > 0) throw onlyDefaults(defaults, telling.words);
  const lock = versioned({
    ...laterFields(folder.before?.lock),
    remote,
    ...fieldsOf(template),
    copy_sha256: digestOfCopy(named.copy.slots),
    assets: Object.fromEntries(entries.map(({ id, asset }) => [id, asset])),
  });
  const standIns = standInsOf(lock);
  if (strict && standIns.length > 0) throw refusalIn(telling.words.standIns(standIns, []), 'defaults_served');
  for (const { asset, bytes, still } of entries) {
    if (bytes !== undefined) putTelling(folder, asset, bytes, telling);
    if (still !== undefined) putTelling(folder, filesOf(asset)[1]!, still, telling);
  }
  folder.commit(lock);
  // Slots may share what was bought once.
  const events = new Set(taken.flatMap(({ event }) => event ?? []));
  const cost = [...events].reduce((sum, event) => sum + (typeof event.cost === 'number' ? event.cost : 0), 0);
  const slots = entries.map(({ id, asset, bytes }) => ({ id, ...asset, kept: bytes === undefined }));
  return { lock: join(out, LOCK_FILE), cost, slots, defaults, stand_ins: standIns };
}

/** What a later svcd, or an editor, has said of a lock as a whole. */
function laterFields(before: object = {}): object {
  return Object.fromEntries(Object.entries(before).filter(([name]) => !KNOWN.has(name)));
}

const KNOWN: ReadonlySet<string> = new Set(Object.keys(lockShape.entries).filter((name) => name !== '$schema'));
const UNSETTLED = 'unsettled';

function waysOut(warnings: Plan['warnings'], id: string, words: ApplyWords): string {
  const told = warnings.find(({ code, slot }) => code === UNSETTLED && slot === id);
  return told?.words ?? words.mayBeCharged;
}

function onlyDefaults(defaults: Applied['defaults'], words: ApplyWords): SvcdError {
  const [message, hint = ''] = words.onlyDefaults(defaults.map(({ slot, reason }) => `${slot} (${reason})`));
  const mends = defaults.flatMap(({ slot, mend }) =>
    mend === undefined ? [] : [words.sentence(`${slot}${words.colon}${mend}`)],
  );
  return refusalIn([message, [...mends, hint].join('\n')], 'defaults_served');
}

function chosenBy(kept: LockedAsset | undefined): string | null {
  if (kept === undefined) return null;
  return kept.kind === 'sticker' ? kept.preset : kept.kind === 'image' ? kept.image : kept.track;
}
