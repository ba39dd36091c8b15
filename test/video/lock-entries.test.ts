// What svcd apply writes of a copy: one text for any order of its slots and of what was taken for them.

import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PlanSlot } from '../../src/api/plan.js';
import { type Slot, wantsImage } from '../../src/api/slot.js';
import { SILENT } from '../../src/video/apply/asker.js';
import { lockEntries, type TakenAsset } from '../../src/video/apply/lock-entries.js';
import type { StickerForms } from '../../src/video/apply/sticker-forms.js';
import { canonicalLock } from '../../src/video/lock/locked-folder.js';
import { digestOfCopy, digestOfSlot, findStanding, type SlotChoice } from '../../src/video/lock/standing-slots.js';
import { assetOf, LOTTIE_TYPE } from '../../src/model/asset.js';
import { sha256Hex } from '../../src/model/hash.js';
import { lockedSticker, lockOf } from '../support/locks.js';

const FACTS = { width: 512, height: 512, frame_rate: 60, frames: 71, verdict: 'clean' } as const;
const FORMS: StickerForms = {
  make: async (bytes) => assetOf(bytes, LOTTIE_TYPE),
  factsOf: async () => FACTS,
  close: () => undefined,
};
const OPTIONS = { copySha256: '', update: new Set<string>(), replaceDefaults: false, form: undefined };

/** Few presets and prompts, so that slots share files; some differ in case alone, whose names would meet. */
const sticker = fc.record({ preset: fc.constantFrom('food/cake', 'Food/Cake', 'food~cake', 'x/星', 'own/logo') });
const image = fc.record({ prompt: fc.constantFrom('a', 'b'), size: fc.constantFrom('1024x1024', '1536x1024') });
const copies = fc
  .uniqueArray(fc.stringMatching(/^[a-zA-Z0-9生日é][a-zA-Z0-9._-]{0,5}$/u), { minLength: 1, maxLength: 10 })
  .chain((ids) => fc.tuple(...ids.map((id) => fc.oneof(sticker, image).map((what) => ({ id, ...what })))));

/** As svcd would have bought it: what it is decides its bytes. */
function take(choice: SlotChoice): TakenAsset {
  const { slot } = choice;
  const isImage = wantsImage(slot);
  const what = isImage ? `${slot.prompt}${slot.size}` : (slot.preset ?? '');
  const isDefault = what.startsWith('b') || what.startsWith('x');
  const bytes = new TextEncoder().encode(isDefault ? 'plain' : what);
  const sha256 = sha256Hex(bytes);
  const source = isDefault ? ('default' as const) : ('bought' as const);
  const priced = { id: slot.id, price: 1, cost: 1, have: 'no' as const };
  const planned: PlanSlot = isImage
    ? { ...priced, image: { size: slot.size, digest: sha256Hex(what) } }
    : { ...priced, preset: what, why: [], others: [] };
  const reason = isDefault ? { reason: 'offline' as const } : {};
  const event = { event: 'asset' as const, place: 0, source, cost: 1, sha256, bytes: bytes.byteLength, done: 1, of: 1 };
  const file = { bytes, licence: undefined, attribution: undefined };
  return { choice, file, planned, event: { ...event, ...reason } };
}

async function lockText(slots: readonly Slot[], order: (taken: TakenAsset[]) => TakenAsset[]): Promise<string> {
  const choices = findStanding(slots, { ...OPTIONS, before: undefined });
  const entries = await lockEntries(choices, order(choices.map(take)), undefined, FORMS, SILENT);
  // Every file is written under a name of its own, and no other bytes under the same.
  const written = new Map(entries.map(({ asset }) => [asset.file.toLowerCase(), asset.sha256]));
  for (const { asset } of entries) expect(written.get(asset.file.toLowerCase())).toBe(asset.sha256);
  const lock = lockOf(Object.fromEntries(entries.map(({ id, asset }) => [id, asset])));
  return canonicalLock({ ...lock, copy_sha256: digestOfCopy(slots) });
}

it('is the same text for any order of the slots of a copy, and of what was bought for them', async () => {
  const mixed = copies.chain((slots) =>
    fc.record({
      slots: fc.constant(slots),
      other: fc.shuffledSubarray(slots, { minLength: slots.length }),
      backwards: fc.boolean(),
    }),
  );
  await fc.assert(
    fc.asyncProperty(mixed, async ({ slots, other, backwards }) => {
      const rewritten = other.map((slot) => Object.fromEntries(Object.entries(slot).toReversed()) as unknown as Slot);
      const text = await lockText(rewritten, (taken) => (backwards ? taken.toReversed() : taken));
      expect(text).toBe(await lockText(slots, (taken) => taken));
    }),
  );
});

it('is the same text when a part of it stood before', async () => {
  const parts = copies.chain((slots) => fc.tuple(fc.constant(slots), fc.subarray(slots)));
  await fc.assert(
    fc.asyncProperty(parts, async ([slots, some]) => {
      const first = findStanding(slots, { ...OPTIONS, before: undefined });
      const entries = await lockEntries(first, first.map(take), undefined, FORMS, SILENT);
      const kept = new Set(some.map(({ id }) => id));
      const assets = Object.fromEntries(entries.map(({ id, asset }) => [id, asset]));
      const before = lockOf(Object.fromEntries(Object.entries(assets).filter(([id]) => kept.has(id))));
      const second = findStanding(slots, { ...OPTIONS, before });
      const missing = second.filter((choice) => choice.kept === undefined).map(take);
      const again = await lockEntries(second, missing, undefined, FORMS, SILENT);
      expect(canonicalLock(lockOf(Object.fromEntries(again.map(({ id, asset }) => [id, asset]))))).toBe(
        canonicalLock(lockOf(assets)),
      );
    }),
  );
});

it.each([
  [
    'a default that was a guess',
    { source: 'default', reason: 'late', basis: 'part' },
    { replaceDefaults: true },
    undefined,
  ],
  ['a default that was asked for', { source: 'default', reason: 'late' }, { replaceDefaults: true }, 'food/cake'],
  ['shipped art, in another form', { source: 'shipped' }, { form: 'safe' }, undefined],
  ['what was bought, in another form', { source: 'service' }, { form: 'safe' }, 'food/cake'],
] as const)('of %s, the preset stands where it was a choice alone', (_what, fields, how, preset) => {
  const slot: Slot = { id: 'opening', text: '生日' };
  const opening = { ...lockedSticker('{}'), slot_sha256: digestOfSlot(slot), ...fields };
  const [choice] = findStanding([slot], { ...OPTIONS, before: lockOf({ opening }), ...how });
  expect([choice?.kept, choice?.preset]).toEqual([undefined, preset]);
});
