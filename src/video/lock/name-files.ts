// Names of locked files: readable, with the beginning of the digest, good on every file system, and never the same for other
// bytes.

import { sha256Hex } from '../../model/hash.js';

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

/** A name that no system takes for a device. */
export function withoutDevice(name: string): string {
  return DEVICE.test(name) ? `_${name}` : name;
}

/** What a file system that knows no case, or writes accents in another way, takes for the same name. */
export function foldName(name: string): string {
  return name.normalize('NFKC').toLowerCase().toUpperCase().toLowerCase();
}

/** Of a name for people, with its end; bytes because most file systems count those. */
const PLAIN = { characters: 80, bytes: 240 };
/** Of the preset's end in it, so that a long title leaves room for it. */
const PLAIN_END = { characters: 30, bytes: 100 };

/**
 * A name for people: the title and the preset's end, `生日蛋糕-birthday-cake.json`. Letters, digits, `_` and `-` alone, so that no
 * file system reads more into it; `nth` tells those apart that would be the same.
 */
export function plainName(title: string, preset: string, nth = 1): string {
  const tail = `${nth > 1 ? `-${nth}` : ''}.json`;
  const end = within(clean(preset.slice(preset.lastIndexOf('/') + 1)), PLAIN_END);
  const room = (limit: number, used: number) => limit - used - tail.length - 2;
  const name = within(clean(title), {
    characters: room(PLAIN.characters, end.length),
    bytes: room(PLAIN.bytes, Buffer.byteLength(end)),
  });
  const parts = [name, end].filter((part, i, all) => part !== '' && all.indexOf(part) === i);
  const whole = parts.length === 0 ? 'sticker' : parts.join('-');
  return `${withoutDevice(whole)}${tail}`;
}

/** Without what cannot be seen, and a dash for whatever else is no letter or digit. */
function clean(text: string): string {
  return trimDashes(
    text
      .normalize('NFKC')
      .replace(/\p{Default_Ignorable_Code_Point}+/gu, '')
      .replace(/[^\p{L}\p{N}\p{M}_]+/gu, '-'),
  );
}

/** As many whole characters as fit. */
function within(text: string, { characters, bytes }: typeof PLAIN): string {
  let kept = '';
  for (const character of text) {
    const longer = kept + character;
    if (longer.length > characters || Buffer.byteLength(longer) > bytes) break;
    kept = longer;
  }
  return trimDashes(kept);
}

function trimDashes(text: string): string {
  return text.replace(/^-+|-+$/g, '');
}

const GIVEN =
  /^(?![.-])[\p{L}\p{N}~._-]+\.([0-9a-f]{8}|[0-9a-f]{16}|[0-9a-f]{64})\.(?:json|png|jpg|gif|webp|avif|wav|mp3|ogg|flac|m4a|bin)$/u;

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
  return cut(withoutDevice(named)).replace(/[. ]+$/, '');
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
