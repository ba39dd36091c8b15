// The files of a lock: what it names is read from beside it, if the digest is right. Nothing is written, and what cannot be
// read is as if it were not locked, with a warning. The shape is that of src/api/lock.ts, of which only what is needed is looked at.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { hasDoubledNames } from '../platform/json.js';
import type { Asset, AssetOptions, Image, ImageRequest, Lock, Sticker, StickerOptions } from './client-types.js';
import { stickerOf } from './fetch-assets.js';
import { refusalOf } from './slots/stand-in.js';
import { SvcdError } from './svcd-error.js';

const LOCK_VERSION = 2;

type LockedAsset = Lock['assets'][string];

/** Without an asset for what is not locked; `warnings` says of which files that are locked nothing can be served. */
export interface Looked<T> {
  readonly asset: T | undefined;
  readonly warnings: readonly string[];
}

/** Both give a default only where one will do. */
export interface LockedFiles {
  /** In the colors that it is asked for in, told by the same words; as it was bought before its safe form. */
  sticker(preset: string, options?: StickerOptions): Promise<Looked<Sticker>>;
  image(request: ImageRequest, options?: AssetOptions): Promise<Looked<Image>>;
  /** Throws `not_found`, `lock_mismatch`, and under `strict` `defaults_served`, naming the slot. */
  slot(slot: string): Promise<Sticker & Image>;
}

/** Reads a lock. Throws `invalid_argument` for one that cannot be read, `newer_file`, and `damaged`. */
export async function openLock(path: string, strict: boolean): Promise<LockedFiles> {
  const slots = readLock(path, await readText(path));
  const assets = [...slots.values()];
  const folder = dirname(resolve(path));

  async function find<T>(
    isWanted: (asset: LockedAsset) => boolean,
    make: (locked: LockedAsset, asset: Asset) => T,
    options: AssetOptions = {},
  ): Promise<Looked<T>> {
    const warnings = new Set<string>();
    if (options.signal?.aborted === true) return { asset: undefined, warnings: [] };
    const wanted = assets.filter((one) => isWanted(one) && (options.fallback !== 'error' || one.source !== 'default'));
    const isSafe = (one: LockedAsset) => one.kind === 'sticker' && one.form === 'safe';
    const rank = (one: LockedAsset) => (one.source === 'default' ? 2 : 0) + (isSafe(one) ? 1 : 0);
    for (const locked of wanted.toSorted((a, b) => rank(a) - rank(b))) {
      const bytes = await readFile(join(folder, locked.file)).catch((error: NodeJS.ErrnoException) => error.code);
      // Another digest is another file, however much of it is the same.
      if (bytes instanceof Uint8Array && sha256Of(bytes) === locked.sha256) {
        return { asset: make(locked, assetOf(locked, bytes)), warnings: [...warnings] };
      }
      warnings.add(bytes === 'ENOENT' ? 'locked_file_missing' : 'locked_file_damaged');
    }
    return { asset: undefined, warnings: [...warnings] };
  }

  return {
    sticker: (preset, options) =>
      find(
        (one) => one.kind === 'sticker' && one.preset === preset && one.color === options?.color,
        (locked, asset) => stickerOf(preset, asset, locked.kind === 'sticker' ? locked.verdict : undefined),
        options,
      ),
    image: ({ prompt, size, variant, fresh = false }, options) => {
      // As src/purchases/image-item.ts has it.
      const digest = sha256Of(`${size}\n${prompt}`) + (variant === undefined ? '' : `:${variant}`);
      return find(
        (one) => !fresh && one.kind === 'image' && one.image === digest,
        (locked, asset) => pictureOf(locked, asset, size),
        options,
      );
    },
    slot: async (slot) => {
      const locked = slots.get(slot);
      if (locked === undefined) {
        const hint = `It has ${[...slots.keys()].join(', ')}.`;
        throw new SvcdError('not_found', `the lock ${path} has no slot ${slot}`, { hint });
      }
      const refusal = strict && refusalOf(slot, locked);
      if (refusal) throw new SvcdError('defaults_served', refusal);
      const { asset } = await find((one) => one === locked, madeOf);
      if (asset !== undefined) return asset as Sticker & Image;
      throw new SvcdError('lock_mismatch', `slot ${slot}: ${locked.file} is not the file of the lock`, {
        hint: '"svcd verify" tells which differ, "svcd fetch --locked" brings back what is owned.',
      });
    },
  };
}

function madeOf(locked: LockedAsset, asset: Asset): Asset {
  if (locked.kind === 'sticker') return stickerOf(locked.preset, asset, locked.verdict);
  return locked.kind === 'image' ? pictureOf(locked, asset, `${locked.width}x${locked.height}`) : asset;
}

function pictureOf(locked: LockedAsset, asset: Asset, size: string): Image {
  const { width, height } = locked as Extract<LockedAsset, { kind: 'image' }>;
  return { ...asset, width, height, size, url: undefined, notices: [] };
}

function assetOf(locked: LockedAsset, file: Uint8Array): Asset {
  const { kind, source, sha256, attribution } = locked;
  const bytes = new Uint8Array(file);
  const contentType = kind === 'sticker' ? 'application/json' : mediaType(bytes);
  const common = { bytes, contentType, sha256, cost: 0, balance: undefined, attribution, warnings: [] };
  if (source !== 'default') return { ...common, source: 'locked', reason: undefined };
  return { ...common, source: 'default', reason: locked.reason ?? 'unknown' };
}

/** The media type that the first bytes tell. */
function mediaType(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (/^RIFF....WAVE/s.test(head)) return 'audio/wav';
  if (/^(ID3|\xff[\xf2-\xfb])/.test(head)) return 'audio/mpeg';
  return /^RIFF....WEBP/s.test(head) ? 'image/webp' : 'application/octet-stream';
}

async function readText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (cause) {
    throw new SvcdError(
      'invalid_argument',
      `the lock ${path} cannot be read (${String((cause as { code?: unknown }).code)})`,
      {
        hint: 'Make it with "svcd apply", or leave "lock" out.',
        cause,
      },
    );
  }
}

function readLock(path: string, text: string): ReadonlyMap<string, LockedAsset> {
  let value: { lock?: unknown; assets?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (cause) {
    throw damaged(path, 'it is not JSON', cause);
  }
  if (hasDoubledNames(Buffer.from(text), value)) throw damaged(path, 'an object in it has the same name twice');
  const { lock, assets } = value ?? {};
  if (typeof lock === 'number' && lock > LOCK_VERSION) {
    throw new SvcdError('newer_file', `the lock ${path} has version ${lock}, and this svcd reads ${LOCK_VERSION}`, {
      hint: 'Update svcd.',
    });
  }
  if ((lock !== 1 && lock !== LOCK_VERSION) || typeof assets !== 'object' || assets === null) {
    throw damaged(path, 'it has no assets of version 1 or 2');
  }
  const entries = Object.entries(assets).map(([slot, one]) => {
    const asset = one as Partial<LockedAsset> | null;
    if (!/^[0-9a-f]{64}$/.test(String(asset?.sha256))) throw damaged(path, `${slot} has no digest`);
    if (!/^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u.test(String(asset?.file)))
      throw damaged(path, `${slot} has no file beside the lock`);
    return [slot, asset as LockedAsset] as const;
  });
  return new Map(entries);
}

function damaged(path: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('damaged', `the lock ${path} is damaged: ${why}`, { cause });
}

function sha256Of(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
