// What `svcd apply` does: keep what an earlier lock chose, plan the rest, show it and ask, buy it under the price that was
// shown, write files first and the lock last.

import { join } from 'node:path';
import type { DaemonStatus } from '../../api/answers.js';
import { LOCK_FILE, LOCK_VERSION, type LockedAsset } from '../../api/lock.js';
import { costOf, type Plan, type PlanSlot } from '../../api/plan.js';
import { wantsImage, type Slot } from '../../api/slot.js';
import { SvcdError } from '../../model/errors.js';
import type { Form } from '../../model/asset.js';
import { openLockedFolder, type LockedFolder } from '../lock/locked-folder.js';
import { digestOfCopy, digestOfSlot, findStanding, type SlotChoice } from '../lock/standing-slots.js';
import { jsonQuestion, refusalIn, SILENT, type Asker, type Connect, type Telling } from './asker.js';
import { lockEntries, type TakenAsset } from './lock-entries.js';
import { askPlan, fieldsOf, undeclared, type PlannedTemplate } from './plan-copy.js';
import type { NamedCopy } from './read-copy.js';
import { chosenIn, requireFresh, type Chosen } from './saved-plan.js';
import { openStickerForms } from './sticker-forms.js';
import { buyAssets, placeOf, requireWithin, takeByDigest, takeLocked, type TakenFile } from './take-assets.js';
import type { ApplyWords } from './words.js';

export interface ApplyRequest {
  readonly named: NamedCopy;
  readonly template: PlannedTemplate | undefined;
  readonly out: string;
  readonly plan: { readonly file: string; readonly plan: Plan } | undefined;
  readonly maxCredits: number | undefined;
  readonly strict: boolean;
  readonly update: readonly string[];
  readonly replaceDefaults: boolean;
  readonly form: Form | undefined;
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
}

/** Applies. Throws before anything is bought for everything that can be seen before. */
export async function applyAssets(request: ApplyRequest, connect: Connect, telling = SILENT): Promise<Applied> {
  const { named, out, update } = request;
  const { slots } = named.copy;
  const strange = update.find((id) => !slots.some((slot) => slot.id === id));
  if (strange !== undefined) throw refusalIn([telling.words.unknownSlot(strange)], 'invalid_argument');
  const folder = openLockedFolder(out);
  try {
    const before = folder.before?.lock;
    const copySha256 = digestOfCopy(slots);
    const choices = findStanding(slots, { ...request, copySha256, before, update: new Set(update) });
    if (choices.every(({ kept }) => kept !== undefined && folder.has(kept))) {
      const all = await agreeTo(request, choices, [], undefined, telling);
      return await finish(request, folder, before?.remote ?? null, { ...all, choices, taken: [] }, telling);
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
  const choices: SlotChoice[] = [];
  const found: TakenAsset[] = [];
  const missing: SlotChoice[] = [];
  for (const one of standing) {
    const isHere = one.kept !== undefined && folder.has(one.kept);
    const file = one.kept === undefined || isHere ? undefined : await takeLocked(asker, one.kept);
    // A default that is gone was never worth keeping: what it stands for is tried again.
    const choice = one.kept?.source === 'default' && !isHere && file === undefined ? { ...one, kept: undefined } : one;
    choices.push(choice);
    if (file !== undefined) found.push({ choice, file });
    else if (!isHere) missing.push(choice);
  }
  const ask = () => planMissing(asker, request, choices, missing, telling.words);
  const plan = missing.length === 0 ? undefined : await planSettled(asker, ask);
  const { planned, warnings } = await agreeTo(request, choices, missing, plan, telling);
  const bought = await buyPlanned(asker, missing, planned, telling);
  return { choices, taken: [...found, ...bought], warnings };
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
    requireFresh(request.plan.file, request.plan.plan, chosen, cost, words);
  }
  const empty = planned.filter((slot) => chosenIn(slot) === null).map(({ id }) => id);
  if (empty.length > 0) throw refusalIn(words.notFound(empty), 'not_found');
  requireWithin(cost, request.maxCredits, words);
  const kept = choices.flatMap((choice) =>
    choice.kept === undefined || missing.includes(choice) ? [] : [{ id: choice.slot.id, asset: choice.kept }],
  );
  const shortOf = plan !== undefined && !plan.fits ? plan.short_of : null;
  const warnings = [...(plan?.warnings ?? []), ...undeclared(request.named.copy.slots, request.template)];
  await request.agree({ kept, planned, warnings, shortOf, cost });
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
  { maxCredits, named }: ApplyRequest,
  choices: readonly SlotChoice[],
  missing: readonly SlotChoice[],
  words: ApplyWords,
): Promise<Plan> {
  const slots = choices.flatMap((choice): Slot[] => {
    const { slot, kept } = choice;
    const preset = choice.preset ?? (kept?.kind === 'sticker' ? kept.preset : undefined);
    if (preset !== undefined) return [{ id: slot.id, preset }];
    return missing.includes(choice) ? [slot] : [];
  });
  const ceiling = maxCredits === undefined ? {} : { max_credits: maxCredits };
  return askPlan(asker, { slots, ...ceiling }, named.name, words);
}

function slotOf(plan: Plan | undefined, id: string): PlanSlot {
  const found = plan?.slots.find((slot) => slot.id === id);
  if (found === undefined) throw new SvcdError('internal', `the plan does not have the slot ${id}`);
  return found;
}

/** Buys under the price that was shown, and takes the files. */
async function buyPlanned(
  asker: Asker,
  missing: readonly SlotChoice[],
  planned: readonly PlanSlot[],
  telling: Telling,
): Promise<TakenAsset[]> {
  if (missing.length === 0) return [];
  const stickers = planned.flatMap((slot) => ('image' in slot || slot.preset === null ? [] : [slot.preset]));
  const presets = [...new Set(stickers)];
  const orders = new Map<string, { prompt: string; size: Extract<Slot['size'], string> }>();
  for (const { slot } of missing) {
    if (wantsImage(slot)) orders.set(digestOfSlot(slot), { prompt: slot.prompt, size: slot.size });
  }
  const request = { presets, images: [...orders.values()], max_credits: costOf(planned), fallback: true };
  const bought = await buyAssets(asker, request, telling);
  const imagePlaces = [...orders.keys()];
  const files = new Map<string, TakenFile>();
  const taken: TakenAsset[] = [];
  for (const [i, choice] of missing.entries()) {
    const slot = planned[i];
    if (slot === undefined) continue;
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
  const entries = await lockEntries(choices, taken, form, forms, telling).finally(() => forms.close());
  const defaults = entries.flatMap(({ id, asset }) => {
    if (asset.source !== 'default') return [];
    const wanted = asset.kind === 'sticker' ? asset.preset : telling.words.anImage;
    const mend = asset.reason === UNSETTLED ? { mend: waysOut(warnings, id, telling.words) } : {};
    return [{ slot: id, reason: asset.reason ?? 'unknown', wanted, ...mend }];
  });
  if (strict && defaults.length > 0) throw onlyDefaults(defaults, telling.words);
  for (const { asset, bytes } of entries) if (bytes !== undefined) folder.put(asset, bytes);
  folder.commit({
    lock: LOCK_VERSION,
    remote,
    ...fieldsOf(template),
    copy_sha256: digestOfCopy(named.copy.slots),
    assets: Object.fromEntries(entries.map(({ id, asset }) => [id, asset])),
  });
  // Slots may share what was bought once.
  const events = new Set(taken.flatMap(({ event }) => event ?? []));
  const cost = [...events].reduce((sum, event) => sum + (typeof event.cost === 'number' ? event.cost : 0), 0);
  const slots = entries.map(({ id, asset, bytes }) => ({ id, ...asset, kept: bytes === undefined }));
  return { lock: join(out, LOCK_FILE), cost, slots, defaults };
}

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
  return kept.kind === 'sticker' ? kept.preset : kept.image;
}
