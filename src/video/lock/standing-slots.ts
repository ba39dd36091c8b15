// Which slots of a copy keep what an earlier lock chose for them. A video that is made again shows the same pictures, though the
// library has grown since: only a slot whose words were changed, or that is named, is chosen anew.

import type { Form } from '../../model/asset.js';
import type { Basis, Lock, LockedAsset } from '../../api/lock.js';
import type { Slot } from '../../api/slot.js';
import { sha256Hex } from '../../model/hash.js';
import { findStandIn } from './stand-ins.js';

export interface StandingOptions {
  /** The lock that is there, if one is. */
  readonly before: Lock | undefined;
  /** Of the copy as a whole. */
  readonly copySha256: string;
  /** Slots to choose anew. */
  readonly update: ReadonlySet<string>;
  /** Whether slots that hold a stand-in try again for what they wanted. */
  readonly replaceDefaults: boolean;
  /** The form that stickers must have; undefined for that which they have. */
  readonly form: Form | undefined;
}

export interface SlotChoice {
  readonly slot: Slot;
  readonly slotSha256: string;
  /** What stands, to be kept with its very bytes. */
  readonly kept?: LockedAsset | undefined;
  /** The preset that stands, while its bytes are taken anew, and what was known when it was chosen. */
  readonly preset?: string;
  readonly basis?: Basis | undefined;
}

/** Of every slot, in their order, what stands of an earlier lock. */
export function findStanding(slots: readonly Slot[], options: StandingOptions): SlotChoice[] {
  const { before, copySha256, update, replaceDefaults, form } = options;
  return slots.map((slot): SlotChoice => {
    const slotSha256 = digestOfSlot(slot);
    const old = before === undefined || !Object.hasOwn(before.assets, slot.id) ? undefined : before.assets[slot.id];
    // A lock by hand may not say what its slots asked for; then the whole copy must be the same.
    const asked = old?.slot_sha256 ?? (before?.copy_sha256 === copySha256 ? slotSha256 : undefined);
    if (old === undefined || update.has(slot.id) || asked !== slotSha256) return { slot, slotSha256 };
    const kept = tellNamed(old, slot);
    const preset: Pick<SlotChoice, 'preset' | 'basis'> =
      kept.kind === 'sticker' ? { preset: kept.preset, basis: kept.basis } : {};
    const why = replaceDefaults ? findStandIn(kept) : undefined;
    // A default stands for a choice, unless it was a guess or the service has no such sticker; any other stand-in was no choice.
    const isChosen =
      why === 'default' &&
      preset.basis !== 'part' &&
      !(slot.preset === undefined && kept.source === 'default' && kept.reason === GONE);
    if (why !== undefined) return { slot, slotSha256, ...(isChosen && preset) };
    if (kept.kind === 'sticker' && form !== undefined && kept.form !== form && kept.source !== 'default') {
      // Another form of a stand-in is a stand-in still.
      return { slot, slotSha256, ...(findStandIn(kept) === undefined && preset) };
    }
    return { slot, slotSha256, kept };
  });
}

const GONE = 'unknown_preset';

/** A lock that was made before locks told it: the copy says that svcd's own art was asked for by name. */
function tellNamed(old: LockedAsset, { preset }: Slot): LockedAsset {
  const isNamed = old.kind === 'sticker' && old.source === 'shipped' && old.preset === preset;
  return isNamed && old.basis === undefined ? { ...old, basis: 'named' } : old;
}

/** Digest of what a slot asks for, whatever it is called and however it is written. */
export function digestOfSlot(slot: Slot): string {
  const asked = Object.entries(slot)
    .filter(([key]) => !['id', 'want', 'optional'].includes(key))
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return sha256Hex(JSON.stringify(asked));
}

/** Digest of a whole copy, the same for any order of its slots. */
export function digestOfCopy(slots: readonly Slot[]): string {
  const all = slots.map((slot) => [slot.id, digestOfSlot(slot)] as const);
  return sha256Hex(JSON.stringify(all.toSorted(([a], [b]) => (a < b ? -1 : 1))));
}
