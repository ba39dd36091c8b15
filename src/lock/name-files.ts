// Names of locked files: readable, with the beginning of the digest, good on every file system, and never the same for other
// bytes.

import { sha256Hex } from '../model/hash.js';

export interface NamedAsset {
  /** What it is: a preset, or the size of an image. */
  readonly what: string;
  readonly isDefault: boolean;
  readonly sha256: string;
  /** `json`, `png`, … */
  readonly extension: string;
}

/** Bytes in UTF-8 of the readable part; a file system allows a name 255. */
const READABLE_BYTES = 120;
const DIGITS = [8, 16, 64] as const;
/** Windows takes these for devices, with any extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(?=\.|$)/i;

/**
 * A name for each asset, in their order; assets of the same bytes and the same readable part share a file. More digits of
 * the digest where the first ones would name other bytes.
 */
export function nameFiles(assets: readonly NamedAsset[]): string[] {
  const readable = assets.map(readablePart);
  const nameWith = (digits: number, i: number) => {
    const { sha256 = '', extension = '' } = assets[i] ?? {};
    return `${readable[i]}.${sha256.slice(0, digits)}.${extension}`;
  };
  return assets.map((asset, i) => {
    const unique = DIGITS.find((digits) => {
      const name = foldName(nameWith(digits, i));
      return assets.every((other, j) => other.sha256 === asset.sha256 || foldName(nameWith(digits, j)) !== name);
    });
    return nameWith(unique ?? 64, i);
  });
}

/** What a file system that knows no case, or writes accents in another way, takes for the same name. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

const GIVEN =
  /^(?![.-])[\p{L}\p{N}~._-]+\.([0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{64})\.(?:json|png|jpg|gif|webp|avif|bin)$/u;

/** Whether a name is one of those that are given here, to a file of this digest if one is said: only such are written or cleared away. */
export function isGivenName(name: string, sha256?: string): boolean {
  const [, digits] = GIVEN.exec(name) ?? [];
  return digits !== undefined && !DEVICE.test(name) && (sha256 === undefined || sha256.startsWith(digits));
}

function readablePart({ what, isDefault }: NamedAsset): string {
  const safe = what
    .normalize('NFC')
    .replaceAll('/', '~')
    .replace(/[^\p{L}\p{N}~._-]+/gu, '-')
    .replace(/^[.-]+/, '');
  const named = `${isDefault ? 'default~' : ''}${safe === '' ? 'asset' : safe}`;
  const whole = DEVICE.test(named) ? `_${named}` : named;
  return cut(whole).replace(/[. ]+$/, '');
}

/** A part that is too long ends with a digest of the whole, so that presets that begin alike differ. */
function cut(text: string): string {
  if (Buffer.byteLength(text) <= READABLE_BYTES) return text;
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > READABLE_BYTES - 9) break;
    kept += character;
  }
  return `${kept}-${sha256Hex(text).slice(0, 8)}`;
}
