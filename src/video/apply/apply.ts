// What `svcd apply` does: keep what an earlier lock chose, plan the rest, show it and ask, buy it under the price that was
// shown, write files first and the lock last.

import { join } from 'node:path';
import type { Form } from '../../model/asset.js';
import { LOCK_FILE, LOCK_VERSION, type Lock, type LockedAsset } from '../../api/lock.js';
import type { Plan, PlanSlot } from '../../api/plan.js';
import { wantsImage, type Copy, type Slot } from '../../api/slot.js';
import { SvcdError } from '../../model/errors.js';
import { openLockedFolder, type LockedFolder } from '../lock/locked-folder.js';
import { digestOfSlot, findStanding, type SlotChoice } from '../lock/standing-slots.js';
import type { TemplatePackage } from '../template/open-package.js';
import type { Client } from '../../cli/connection/client.js';
import { formatCount } from '../../cli/terminal/format.js';
import { invalidArgument } from '../../cli/terminal/invalid-argument.js';
import { undeclared } from './plan-copy.js';
import { namingCopy } from './read-copy.js';
import { jsonQuestion, remoteOf } from '../../cli/connection/running-daemon.js';
import { requireFresh, type Chosen } from './saved-plan.js';
import { openStickerForms } from './sticker-forms.js';
import { buyAssets, failureOf, takeByDigest, type TakenFile } from './take-assets.js';
import { lockEntries, type TakenAsset } from './lock-entries.js';
import { applyWords } from '../../cli/video/apply-words.js';

export interface ApplyRequest {
  readonly copy: Copy;
  /** How the copy is called in errors. */
  readonly copyName: string;
  readonly copySha256: string;
  readonly template: Pick<TemplatePackage, 'template' | 'packageSha256' | 'capabilities'> | undefined;
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

/** Opens a client where one is needed: what is all there already needs none. */
export type Connect = <T>(work: (client: Client) => Promise<T>) => Promise<T>;

/** Applies. Throws before anything is bought for everything that can be seen before. */
export async function applyAssets(request: ApplyRequest, connect: Connect): Promise<Applied> {
  const { copy, out, update } = request;
  const strange = update.find((id) => !copy.slots.some((slot) => slot.id === id));
  if (strange !== undefined) throw invalidArgument(applyWords().unknownSlot(strange));
  const folder = openLockedFolder(out);
  try {
    const before = folder.before?.lock;
    const choices = findStanding(copy.slots, { ...request, before, update: new Set(update) });
    const isSound = ({ kept }: SlotChoice) => kept !== undefined && folder.has(kept);
    if (choices.every(isSound)) {
      const warnings = undeclared(copy.slots, request.template);
      const proposal = { kept: keptOf(choices), planned: [], warnings, shortOf: null, cost: 0 };
      checkPlan(request, new Map(choices.map(({ slot, kept }) => [slot.id, nameOf(kept)])), 0);
      await request.agree(proposal);
      return finish(request, folder, before?.remote ?? null, { choices, taken: [], warnings });
    }
    return await connect(async (client) => {
      const remote = remoteOf(await client.status());
      const all = await takeAll(request, folder, choices, client);
      return finish(request, folder, remote === 'none' ? null : remote, all);
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
  client: Client,
): Promise<TakenAll> {
  const choices: SlotChoice[] = [];
  const found: TakenAsset[] = [];
  const missing: SlotChoice[] = [];
  for (const one of standing) {
    const isHere = one.kept !== undefined && folder.has(one.kept);
    const file = one.kept === undefined || isHere ? undefined : await takeKept(client, one.kept);
    // A default that is gone was never worth keeping: what it stands for is tried again.
    const choice = one.kept?.source === 'default' && !isHere && file === undefined ? { ...one, kept: undefined } : one;
    choices.push(choice);
    if (file !== undefined) found.push({ choice, file });
    else if (!isHere) missing.push(choice);
  }
  const plan = missing.length === 0 ? undefined : await planSettled(client, request, choices, missing);
  const planned = missing.map(({ slot }) => slotOf(plan, slot.id));
  const cost = planned.reduce((sum, slot) => sum + slot.cost, 0);
  const chosen = new Map(choices.map(({ slot, kept }) => [slot.id, nameOf(kept)]));
  for (const slot of planned) chosen.set(slot.id, 'image' in slot ? slot.image.digest : slot.preset);
  checkPlan(request, chosen, cost);
  requireFound(planned);
  requireWithin(cost, request.maxCredits);
  const kept = keptOf(choices.filter((choice) => !missing.includes(choice)));
  const shortOf = plan !== undefined && !plan.fits ? plan.short_of : null;
  const warnings = [...(plan?.warnings ?? []), ...undeclared(request.copy.slots, request.template)];
  await request.agree({ kept, planned, warnings, shortOf, cost });
  const bought = await buyPlanned(client, missing, planned, cost);
  return { choices, taken: [...found, ...bought], warnings };
}

function takeKept(client: Client, kept: LockedAsset): Promise<TakenFile | undefined> {
  return takeByDigest(client, kept.sha256, kept.kind === 'sticker' ? kept.preset : undefined);
}

/** The plan, after the service was asked, for free, about purchases whose end was not seen: a kill leaves some behind. */
async function planSettled(client: Client, ...about: AboutPlan): Promise<Plan> {
  const plan = await askPlan(client, ...about);
  const ids = new Set(plan.slots.flatMap(({ purchase }) => purchase ?? []));
  let isSettled = false;
  for (const id of ids) {
    const { status } = await client.request('POST', `/svcd/purchases/${id}/settle`, jsonQuestion({}));
    isSettled ||= status === 200;
    // What could not be asked now stays in doubt, which the plan tells; one question is enough for that.
    if (status >= 500) break;
  }
  return isSettled ? askPlan(client, ...about) : plan;
}

type AboutPlan = [request: ApplyRequest, choices: readonly SlotChoice[], missing: readonly SlotChoice[]];

/** Asks for a plan of what is missing; what stands is named, so that nothing else is given its picture. */
async function askPlan(client: Client, ...[{ maxCredits, copyName }, choices, missing]: AboutPlan): Promise<Plan> {
  const slots = choices.flatMap((choice): Slot[] => {
    const { slot, kept } = choice;
    const preset = choice.preset ?? (kept?.kind === 'sticker' ? kept.preset : undefined);
    if (preset !== undefined) return [{ id: slot.id, preset }];
    return missing.includes(choice) ? [slot] : [];
  });
  const ceiling = maxCredits === undefined ? {} : { max_credits: maxCredits };
  try {
    return await client.ask<Plan>('POST', '/svcd/plan', { slots, ...ceiling });
  } catch (error) {
    throw namingCopy(error, copyName);
  }
}

function slotOf(plan: Plan | undefined, id: string): PlanSlot {
  const found = plan?.slots.find((slot) => slot.id === id);
  if (found === undefined) throw new SvcdError('internal', `the plan does not have the slot ${id}`);
  return found;
}

function checkPlan({ plan }: ApplyRequest, chosen: Chosen, cost: number): void {
  if (plan !== undefined) requireFresh(plan.file, plan.plan, chosen, cost);
}

function requireFound(planned: readonly PlanSlot[]): void {
  const empty = planned.filter((slot) => !('image' in slot) && slot.preset === null).map(({ id }) => id);
  if (empty.length === 0) return;
  throw new SvcdError('not_found', applyWords().notFound(empty), { hint: applyWords().notFoundHint });
}

function requireWithin(cost: number, max: number | undefined): void {
  if (max === undefined || cost <= max) return;
  throw new SvcdError('budget', applyWords().overMax(formatCount(cost, 'credit'), max), {
    hint: applyWords().wasNothingBought,
  });
}

/** Buys under the price that was shown, and takes the files. */
async function buyPlanned(
  client: Client,
  missing: readonly SlotChoice[],
  planned: readonly PlanSlot[],
  cost: number,
): Promise<TakenAsset[]> {
  if (missing.length === 0) return [];
  const stickers = planned.flatMap((slot) => ('image' in slot || slot.preset === null ? [] : [slot.preset]));
  const presets = [...new Set(stickers)];
  const orders = new Map<string, { prompt: string; size: Extract<Slot['size'], string> }>();
  for (const { slot } of missing) {
    if (wantsImage(slot)) orders.set(digestOfSlot(slot), { prompt: slot.prompt, size: slot.size });
  }
  const images = [...orders.values()];
  const bought = await buyAssets(client, { presets, images, max_credits: cost, fallback: true });
  const imagePlaces = [...orders.keys()];
  const files = new Map<string, TakenFile>();
  const taken: TakenAsset[] = [];
  for (const [i, choice] of missing.entries()) {
    const slot = planned[i];
    if (slot === undefined) continue;
    const isImage = 'image' in slot;
    const at = isImage
      ? presets.length + imagePlaces.indexOf(digestOfSlot(choice.slot))
      : presets.indexOf(slot.preset ?? '');
    const event = bought.places[at];
    if (event === undefined) throw new SvcdError('internal', `svcd did not say what became of ${slot.id}`);
    if (event.event === 'failed') throw failureOf(event, slot.id, bought.cost);
    const file = files.get(event.sha256) ?? (await takeByDigest(client, event.sha256, event.preset));
    if (file === undefined) throw new SvcdError('not_owned', applyWords().fileGone(slot.id));
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
): Promise<Applied> {
  const forms = openStickerForms();
  const entries = await lockEntries(choices, taken, request.form, forms).finally(() => forms.close());
  const defaults = entries.flatMap(({ id, asset }) => {
    if (asset.source !== 'default') return [];
    const wanted = asset.kind === 'sticker' ? asset.preset : applyWords().anImage;
    const mend = asset.reason === UNSETTLED ? { mend: waysOut(warnings, id) } : {};
    return [{ slot: id, reason: asset.reason ?? 'unknown', wanted, ...mend }];
  });
  if (request.strict && defaults.length > 0) throw onlyDefaults(defaults);
  for (const { asset, bytes } of entries) if (bytes !== undefined) folder.put(asset, bytes);
  folder.commit(lockOf(request, remote, entries));
  // Slots may share what was bought once.
  const events = new Set(taken.flatMap(({ event }) => event ?? []));
  const cost = [...events].reduce((sum, event) => sum + (typeof event.cost === 'number' ? event.cost : 0), 0);
  const slots = entries.map(({ id, asset, bytes }) => ({ id, ...asset, kept: bytes === undefined }));
  return { lock: join(request.out, LOCK_FILE), cost, slots, defaults };
}

function lockOf(
  { template, copySha256 }: ApplyRequest,
  remote: string | null,
  entries: readonly { readonly id: string; readonly asset: LockedAsset }[],
): Lock {
  const packed = template?.packageSha256 === undefined ? {} : { package_sha256: template.packageSha256 };
  return {
    lock: LOCK_VERSION,
    remote,
    ...(template !== undefined && { template: template.template, ...packed }),
    copy_sha256: copySha256,
    assets: Object.fromEntries(entries.map(({ id, asset }) => [id, asset])),
  };
}

const UNSETTLED = 'unsettled';

function waysOut(warnings: Plan['warnings'], id: string): string {
  const told = warnings.find(({ code, slot }) => code === UNSETTLED && slot === id);
  return told?.words ?? applyWords().mayBeCharged;
}

function onlyDefaults(defaults: Applied['defaults']): SvcdError {
  const words = applyWords();
  const slots = defaults.map(({ slot, reason }) => `${slot} (${reason})`);
  return new SvcdError('defaults_served', words.onlyDefaults(slots), {
    hint: [
      ...defaults.flatMap(({ slot, mend }) =>
        mend === undefined ? [] : [words.sentence(`${slot}${words.colon}${mend}`)],
      ),
      words.onlyDefaultsHint,
    ].join('\n'),
  });
}

function keptOf(choices: readonly SlotChoice[]) {
  return choices.flatMap(({ slot, kept }) => (kept === undefined ? [] : [{ id: slot.id, asset: kept }]));
}

function nameOf(kept: LockedAsset | undefined): string | null {
  if (kept === undefined) return null;
  return kept.kind === 'sticker' ? kept.preset : kept.image;
}
