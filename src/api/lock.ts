// `assets.lock.json`: which file stands for each slot of a template, by its digest. No time, no machine, no copy, no
// address but the service's: the same choice gives the same bytes.

import * as v from 'valibot';
import { describe } from '../contract/json-body.js';
import { FORMS, VERDICTS } from '../model/asset.js';
import type { Told } from './operation.js';
import { slotId } from './slot.js';

export const LOCK_VERSION = 1;
export const LOCK_FILE = 'assets.lock.json';

export const sha256 = v.pipe(
  v.string(),
  v.regex(/^[0-9a-f]{64}$/, 'must be a SHA-256 of 64 lower-case hexadecimal digits'),
);
const whole = v.pipe(v.number(), v.integer('must be a whole number'), v.minValue(0, 'must be 0 or more'));
const positive = v.pipe(v.number(), v.gtValue(0, 'must be more than 0'));

const notBeside = ({ input }: { input: unknown }) =>
  `must be the name of a file beside the lock, got ${describe(input)}`;

const common = {
  /** Of the bytes, whenever and wherever they were paid for. */
  source: v.picklist(['service', 'own', 'shipped', 'default']),
  /** Why it is a default. */
  reason: v.exactOptional(v.string()),
  /** What the service asks for it. */
  price: whole,
  /** Of what the slot asked for, to tell whether that changed; absent in a lock that somebody wrote by hand. */
  slot_sha256: v.exactOptional(sha256),
  /** Of the file, and its length. */
  sha256,
  bytes: whole,
  width: positive,
  height: positive,
  /** A name beside the lock, never a path. */
  file: v.pipe(
    v.string(),
    v.regex(/^[^/\\\p{Cc}]{1,255}$/u, notBeside),
    v.check((name) => name !== '.' && name !== '..', notBeside),
    v.metadata({ json: { not: { enum: ['.', '..'] } } }),
  ),
  licence: v.exactOptional(v.string()),
  attribution: v.exactOptional(v.string()),
};

const lockedSticker = v.strictObject({
  kind: v.literal('sticker'),
  /** What was wanted; a default stands for it. */
  preset: v.string(),
  ...common,
  frame_rate: positive,
  frames: positive,
  form: v.picklist(FORMS),
  verdict: v.picklist(VERDICTS),
});

const lockedImage = v.strictObject({
  kind: v.literal('image'),
  /** Digest of prompt and size, as `svcd purchases` shows it. */
  image: v.string(),
  ...common,
});

export const lockSchema = v.strictObject({
  $schema: v.exactOptional(v.string()),
  lock: v.literal(LOCK_VERSION),
  remote: v.nullable(v.string()),
  template: v.exactOptional(v.string()),
  package_sha256: v.exactOptional(sha256),
  copy_sha256: v.exactOptional(sha256),
  assets: v.record(slotId, v.variant('kind', [lockedSticker, lockedImage])),
});
export type Lock = Told<typeof lockSchema>;
export type LockedAsset = Lock['assets'][string];

/** Part of the path of `GET /svcd/owned/by-digest/{sha256}`. */
export const digest = v.strictObject({ sha256 });
