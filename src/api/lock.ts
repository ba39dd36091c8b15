// `assets.lock.json`: which file stands for each slot of a template, by its digest. No time, no machine, no copy, no
// address but the service's: the same choice gives the same bytes.

import * as v from 'valibot';
import { describe } from '../contract/json-body.js';
import { FORMS, VERDICTS } from '../model/asset.js';
import type { Told } from './operation.js';
import { slotId } from './slot.js';

/** The newest that is read. A lock that says nothing new is of version 1, byte for byte. */
export const LOCK_VERSION = 2;
export const LOCK_FILE = 'assets.lock.json';

export const sha256 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lower-case hexadecimal digits'),
);
const whole = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0, 'must be 0 or more'));
const positive = v.pipe(v.number(), v.gtValue(0, 'must be more than 0'));

const notBeside = ({ input }: { input: unknown }) =>
  `must be the name of a file beside the lock, got ${describe(input)}`;

const fileName = v.pipe(
  v.string(),
  v.regex(/^[^/\\\p{Cc}]{1,255}$/u, notBeside),
  v.check((name) => name !== '.' && name !== '..', notBeside),
  v.metadata({ json: { not: { enum: ['.', '..'] } } }),
);
const file = {
  /** Of the file, and its length. */
  sha256,
  bytes: whole,
  /** A name beside the lock, never a path. */
  file: fileName,
};
/** Who made it, and the line that is owed for it. */
export const credit = { licence: v.exactOptional(v.string()), attribution: v.exactOptional(v.string()) };

const common = {
  /** Of the bytes, whenever and wherever they were paid for. */
  source: v.picklist(['service', 'own', 'shipped', 'default']),
  /** Why it is a default. */
  reason: v.exactOptional(v.string()),
  /** What the service asks for it. */
  price: whole,
  /** Of what the slot asked for, to tell whether that changed; absent in a lock that somebody wrote by hand. */
  slot_sha256: v.exactOptional(sha256),
  ...file,
  width: positive,
  height: positive,
  ...credit,
};

/** What was known of the list when a slot got its choice; absent where the list was complete, and of what was bought by name. */
export const BASES = ['named', 'asked', 'part'] as const;
export type Basis = (typeof BASES)[number];

const still = { ...file, width: positive, height: positive, frame: v.pipe(v.number(), v.minValue(0)) };

/** What version 2 may say besides. */
const laterOf = (object: typeof v.object) => ({
  basis: v.exactOptional(v.picklist(BASES)),
  /** The colors it was given, of which file, and by which version of the function. */
  color: v.exactOptional(v.string()),
  source_sha256: v.exactOptional(sha256),
  recolor: v.exactOptional(v.pipe(positive, v.integer('must be a whole number'))),
  /** A picture of one frame. */
  still: v.exactOptional(object(still)),
});
type Later = ReturnType<typeof laterOf>;

/** The shape, of objects that drop, keep or refuse what else they hold. */
function shapeOf<const V extends 1 | 2>(object: typeof v.object, versions: readonly V[], more: Later) {
  const sticker = object({
    kind: v.literal('sticker'),
    /** What was wanted; a default stands for it. */
    preset: v.string(),
    ...common,
    frame_rate: positive,
    frames: positive,
    form: v.picklist(FORMS),
    verdict: v.picklist(VERDICTS),
    ...more,
  });
  const image = object({
    kind: v.literal('image'),
    /** Digest of prompt and size, as `svcd purchases` shows it. */
    image: v.string(),
    ...common,
    ...more,
  });
  const music = object({
    kind: v.literal('music'),
    /** What the service calls it. */
    track: v.string(),
    title: v.string(),
    source: v.literal('service'),
    price: whole,
    slot_sha256: v.exactOptional(sha256),
    ...file,
    duration_s: positive,
    ...credit,
  });
  const kinds = [sticker, image, music] as const;
  return object({
    $schema: v.exactOptional(v.string()),
    lock: v.picklist(versions),
    remote: v.nullable(v.string()),
    template: v.exactOptional(v.string()),
    package_sha256: v.exactOptional(sha256),
    copy_sha256: v.exactOptional(sha256),
    // Version 1 knows no music.
    assets: v.record(
      slotId,
      v.variant('kind', more === NOTHING_LATER ? (kinds.slice(0, 2) as unknown as typeof kinds) : kinds),
    ),
  });
}

const NOTHING_LATER = {} as Later;
const lockOne = shapeOf(v.strictObject as never, [1], NOTHING_LATER);
/** What svcd reads: of version 1 nothing else; of version 2 what a later svcd may have added is kept. */
export const lockSchema = v.variant('lock', [
  lockOne,
  shapeOf(v.looseObject as never, [2], laterOf(v.looseObject as never)),
]);
/** All that both may say, for types. */
export const lockShape = shapeOf(v.object, [1, 2], laterOf(v.object));
export type Lock = Told<typeof lockShape>;
export type LockedAsset = Lock['assets'][string];
export type LockedStill = Told<v.LooseObjectSchema<typeof still, undefined>>;
/** A file that a lock names. */
export type LockedFile = Pick<LockedAsset, 'file' | 'sha256' | 'bytes'>;

/** The files of a slot: its own, and its still. */
export function filesOf(asset: LockedAsset): LockedFile[] {
  return 'still' in asset && asset.still !== undefined ? [asset, asset.still] : [asset];
}

/** The lock with the lowest version that can say it. */
export function versioned(lock: Omit<Lock, 'lock'>): Lock {
  const one = { lock: 1 as const, ...lock };
  return v.is(lockOne, one) ? one : { ...one, lock: 2 };
}

/** Part of the path of `GET /svcd/owned/by-digest/{sha256}`. */
export const digest = v.strictObject({ sha256 });
