// The files of a lock: what it names is read from beside it, if the digest is right. Nothing is written, and what cannot be
// read is as if it were not locked. The shape is that of src/api/lock.ts, of which only what is needed is looked at.

import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Asset, AssetOptions, Image, ImageRequest, Lock, Sticker } from './client-types.js';
import { stickerOf } from './fetch-assets.js';
import { SvcdError } from './svcd-error.js';

const LOCK_VERSION = 1;

type LockedAsset = Lock['assets'][string];

/** Both give undefined for what is not locked, and a default only where one will do. */
export interface LockedFiles {
  /** As it was bought before its safe form. */
  sticker(preset: string, options?: AssetOptions): Promise<Sticker | undefined>;
  image(request: ImageRequest, options?: AssetOptions): Promise<Image | undefined>;
}

/** Reads a lock. Throws `invalid_argument` for one that cannot be read, `newer_file`, and `damaged`. */
export async function openLock(path: string): Promise<LockedFiles> {
  const assets = readLock(path, await readText(path));
  const folder = dirname(resolve(path));

  async function find(isWanted: (asset: LockedAsset) => boolean, options: AssetOptions = {}) {
    if (options.signal?.aborted === true) return undefined;
    const wanted = assets.filter((one) => isWanted(one) && (options.fallback !== 'error' || one.source !== 'default'));
    const isSafe = (one: LockedAsset) => one.kind === 'sticker' && one.form === 'safe';
    const rank = (one: LockedAsset) => (one.source === 'default' ? 2 : 0) + (isSafe(one) ? 1 : 0);
    for (const locked of wanted.toSorted((a, b) => rank(a) - rank(b))) {
      const bytes = await readFile(join(folder, locked.file)).catch(() => undefined);
      // Another digest is another file, however much of it is the same.
      if (bytes !== undefined && sha256Of(bytes) === locked.sha256) return { locked, asset: assetOf(locked, bytes) };
    }
    return undefined;
  }

  return {
    sticker: async (preset, options) => {
      const found = await find((one) => one.kind === 'sticker' && one.preset === preset, options);
      return (
        found && stickerOf(preset, found.asset, found.locked.kind === 'sticker' ? found.locked.verdict : undefined)
      );
    },
    image: async ({ prompt, size, variant, fresh = false }, options) => {
      // As src/purchases/image-item.ts has it.
      const digest = sha256Of(`${size}\n${prompt}`) + (variant === undefined ? '' : `:${variant}`);
      const found = await find((one) => !fresh && one.kind === 'image' && one.image === digest, options);
      if (found === undefined) return undefined;
      const { width, height } = found.locked;
      return { ...found.asset, width, height, size, url: undefined, notices: [] };
    },
  };
}

function assetOf({ kind, source, reason, sha256, attribution }: LockedAsset, file: Uint8Array): Asset {
  const bytes = new Uint8Array(file);
  const contentType = kind === 'sticker' ? 'application/json' : pictureType(bytes);
  const common = { bytes, contentType, sha256, cost: 0, balance: undefined, attribution, warnings: [] };
  if (source !== 'default') return { ...common, source: 'locked', reason: undefined };
  return { ...common, source: 'default', reason: reason ?? 'unknown' };
}

/** The media type that the first bytes tell. */
function pictureType(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
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

function readLock(path: string, text: string): readonly LockedAsset[] {
  let value: { lock?: unknown; assets?: unknown } | null;
  try {
    value = JSON.parse(text) as typeof value;
  } catch (cause) {
    throw damaged(path, 'it is not JSON', cause);
  }
  const { lock, assets } = value ?? {};
  if (typeof lock === 'number' && lock > LOCK_VERSION) {
    throw new SvcdError('newer_file', `the lock ${path} has version ${lock}, and this svcd reads ${LOCK_VERSION}`, {
      hint: 'Update svcd.',
    });
  }
  if (lock !== LOCK_VERSION || typeof assets !== 'object' || assets === null) {
    throw damaged(path, 'it has no assets of version 1');
  }
  return Object.entries(assets).map(([slot, one]) => {
    const asset = one as Partial<LockedAsset> | null;
    if (!/^[0-9a-f]{64}$/.test(String(asset?.sha256))) throw damaged(path, `${slot} has no digest`);
    if (!/^(?!\.{1,2}$)[^/\\\p{Cc}]{1,255}$/u.test(String(asset?.file)))
      throw damaged(path, `${slot} has no file beside the lock`);
    return asset as LockedAsset;
  });
}

function damaged(path: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('damaged', `the lock ${path} is damaged: ${why}`, { cause });
}

function sha256Of(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
