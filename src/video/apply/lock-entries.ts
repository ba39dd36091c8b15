// What a lock says of each slot: what stands stays word for word, what was taken is described by its bytes.

import type { Form } from '../../model/asset.js';
import type { Basis, LockedAsset } from '../../api/lock.js';
import type { PlanSlot } from '../../api/plan.js';
import type { PrefetchEvent } from '../../api/prefetch.js';
import { wantsImage, type Slot } from '../../api/slot.js';
import { dimensionsOf } from '../../contract/requests.js';
import { RECOLOR_VERSION, type Coloring } from '../../lottie/recolor.js';
import { readWish } from '../../model/color-wish.js';
import { UNKNOWN_LICENCE } from '../../model/credit.js';
import { SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { nameFiles } from '../lock/name-files.js';
import { pictureFacts } from '../lock/picture-facts.js';
import type { SlotChoice } from '../lock/standing-slots.js';
import type { StickerForms } from './sticker-forms.js';
import type { TakenFile } from './take-assets.js';
import { soundFacts } from '../lock/sound-facts.js';
import { refusalIn, type Telling } from './asker.js';

/** A file that was taken for a slot: again, by the digest that stands, or as it was planned and bought. */
export interface TakenAsset {
  readonly choice: SlotChoice;
  readonly file: TakenFile;
  readonly planned?: PlanSlot;
  readonly event?: Extract<PrefetchEvent, { event: 'asset' }>;
}

export interface LockEntry {
  readonly id: string;
  readonly asset: LockedAsset;
  /** To be written; undefined for what lies there already. */
  readonly bytes?: Uint8Array;
  /** To be written: the picture that `asset.still` names. */
  readonly still?: Uint8Array;
}

type PlannedMusic = Extract<PlanSlot, { track: string | null }>;

interface Described {
  readonly asset: Omit<LockedAsset, 'file'>;
  readonly bytes: Uint8Array;
  readonly what: string;
  readonly extension: string;
}

const SOURCES = { bought: 'service', owned: 'service', own: 'own', shipped: 'shipped', default: 'default' } as const;

/** An entry for each slot, in their order. Throws `lock_mismatch` where other bytes came for what stands. */
export async function lockEntries(
  choices: readonly SlotChoice[],
  taken: readonly TakenAsset[],
  form: Form | undefined,
  forms: StickerForms,
  { words }: Pick<Telling, 'words'>,
): Promise<LockEntry[]> {
  const described = new Map<SlotChoice, Described>();
  const bytesOf = new Map<SlotChoice, Uint8Array>();
  for (const one of taken) {
    const { choice, file, planned, event } = one;
    if (event === undefined && planned !== undefined) described.set(choice, describeMusic(one));
    else if (event === undefined) bytesOf.set(choice, file.bytes);
    else described.set(choice, await describeTaken(one, event, form ?? 'as-bought', forms));
  }
  const names = nameAll(described);
  return choices.map((choice): LockEntry => {
    const { slot, kept, slotSha256 } = choice;
    const found = described.get(choice);
    const file = names.get(choice);
    if (found === undefined || file === undefined) {
      if (kept === undefined) throw new SvcdError('internal', `nothing was taken for ${slot.id}`);
      const bytes = bytesOf.get(choice);
      const asset = { ...kept, slot_sha256: slotSha256 };
      return { id: slot.id, asset, ...(bytes !== undefined && { bytes }) };
    }
    // What a later svcd said of it stays.
    const asset = { ...kept, ...found.asset, file } as LockedAsset;
    if (kept !== undefined && kept.sha256 !== asset.sha256) {
      throw refusalIn(words.otherBytes(slot.id, kept.file), 'lock_mismatch');
    }
    return { id: slot.id, asset, bytes: found.bytes };
  });
}

function nameAll(described: ReadonlyMap<SlotChoice, Described>): Map<SlotChoice, string> {
  const listed = [...described];
  const names = nameFiles(
    listed.map(([, { what, extension, asset }]) => {
      return { what, extension, isDefault: asset.source === 'default', sha256: asset.sha256 };
    }),
  );
  return new Map(listed.map(([choice], i) => [choice, names[i] ?? '']));
}

async function describeTaken(
  { choice, file, planned }: TakenAsset,
  event: NonNullable<TakenAsset['event']>,
  form: Form,
  forms: StickerForms,
): Promise<Described> {
  const { slot, slotSha256, kept } = choice;
  const source = SOURCES[event.source];
  const common = {
    source,
    ...(event.reason !== undefined && { reason: event.reason }),
    price: planned?.price ?? 0,
    slot_sha256: slotSha256,
    ...creditOf(file),
  };
  if (planned !== undefined && 'image' in planned && wantsImage(slot)) {
    const { bytes } = file;
    const asked = { extension: 'bin', ...dimensionsOf(slot.size) };
    const { extension, width, height } = pictureFacts(bytes) ?? asked;
    const measured = { sha256: sha256Hex(bytes), bytes: bytes.byteLength, width, height };
    const asset = { kind: 'image' as const, image: planned.image.digest, ...common, ...measured };
    const what = source === 'default' ? slot.size : `image~${slot.size}`;
    return { asset, bytes, what, extension };
  }
  const preset = planned !== undefined && 'preset' in planned ? planned.preset : null;
  if (preset === null) throw new SvcdError('internal', `the plan has no preset for ${slot.id}`);
  const wanted = kept?.kind === 'sticker' ? kept.form : form;
  const coloring = coloringOf(slot, source, planned, file);
  const made = await forms.make(file.bytes, wanted, coloring);
  const { bytes, sha256 } = made;
  const measured = { sha256, bytes: bytes.byteLength, ...(await forms.factsOf(made)) };
  const basis = basisIn(choice, planned, source);
  const colored = coloring && {
    color: slot.color!,
    source_sha256: sha256Hex(file.bytes),
    recolor: RECOLOR_VERSION,
  };
  const told = { ...common, ...(basis !== undefined && { basis }), ...colored };
  const asset = { kind: 'sticker' as const, preset, ...told, ...measured, form: wanted };
  return { asset, bytes, what: preset, extension: 'json' };
}

/** A default keeps its colors. */
function coloringOf(
  { color }: Slot,
  source: LockedAsset['source'],
  planned: TakenAsset['planned'],
  { licence }: TakenFile,
): Coloring | undefined {
  const wish = readWish(color ?? '');
  if (wish === undefined || source === 'default' || planned === undefined || !('preset' in planned)) return undefined;
  return { wish, preset: planned.preset ?? '', licence, color: planned.main_color };
}

function describeMusic({ choice, file, planned }: TakenAsset): Described {
  const { extension = 'bin', duration_s: seconds } = soundFacts(file.bytes) ?? {};
  const { track, title = '', duration_s: told = 0 } = planned as PlannedMusic;
  const { bytes } = file;
  const asset = {
    kind: 'music' as const,
    track: track ?? '',
    title,
    source: 'service' as const,
    price: 0,
    slot_sha256: choice.slotSha256,
    sha256: sha256Hex(bytes),
    bytes: bytes.byteLength,
    duration_s: seconds ?? told,
    ...creditOf(file),
  };
  return { asset, bytes, what: asset.track, extension };
}

/** What was known when the preset was chosen: now, or when it was first locked. */
function basisIn(
  { kept, preset, basis }: SlotChoice,
  planned: TakenAsset['planned'],
  source: LockedAsset['source'],
): Basis | undefined {
  const chosen = kept === undefined && preset === undefined && planned !== undefined && 'basis' in planned;
  const known = chosen ? planned.basis : kept?.kind === 'sticker' ? kept.basis : basis;
  return known === 'named' && source !== 'shipped' ? undefined : known;
}

function creditOf({ licence, attribution }: TakenFile) {
  return {
    ...(licence !== undefined && licence !== UNKNOWN_LICENCE && { licence }),
    ...(attribution !== undefined && { attribution }),
  };
}
