// Pictures at addresses that nobody can guess: what an image answer points at, when the picture is owned or shipped. Asking
// for one never spends and never reaches the remote.

import { assetOf, type Delivery } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { pictureItemOf } from '../../purchases/image-item.js';
import type { PictureAddresses } from '../../purchases/sqlite/picture-addresses.js';
import { PICTURES } from '../../upstream/relay-address.js';
import type { Rooms } from '../rooms.js';

type PictureSources = Pick<Rooms, 'owned' | 'pictures' | 'defaults' | 'origin'>;

/** The picture at an address. Throws `not_found`. */
export type ShowPicture = (name: string) => Promise<Delivery>;

const DEFAULT = 'default:';
const PNG = 'image/png';
/** Programs tell a file by the end of its address. */
const ENDINGS: Readonly<Record<string, string>> = {
  [PNG]: '.png',
  'image/jpeg': '.jpg',
  'image/webp': '.webp',
  'image/avif': '.avif',
  'image/gif': '.gif',
  'image/svg+xml': '.svg',
};

/** Shows pictures by their addresses. */
export function createShowPicture({ owned, pictures, defaults }: PictureSources): ShowPicture {
  return async (name) => {
    const address = /^([0-9a-f]{32})(?:\.[a-z]+)?$/.exec(name)?.[1];
    const item = address === undefined ? undefined : pictures.find(address);
    if (item?.startsWith(DEFAULT)) {
      return { source: 'default', cost: 0, ...assetOf(await defaults.readImage(item.slice(DEFAULT.length)), PNG) };
    }
    const asset = item === undefined ? undefined : await owned.find(item);
    if (asset === undefined) throw new SvcdError('not_found', 'there is no picture at this address');
    return { source: 'owned', cost: 0, ...asset };
  };
}

export interface NamedPicture {
  /** What the text that names it becomes; undefined when it could not be given an address. */
  readonly address: string | undefined;
  readonly sha256: string;
  /** How many bytes it has. */
  readonly size: number;
}

/** The owned picture that a text of a kept image answer names; undefined for every other text. */
export function findPicture({ owned, pictures, origin }: PictureSources, text: string): NamedPicture | undefined {
  const item = pictureItemOf(text);
  const found = item === undefined ? undefined : owned.describe(item);
  if (item === undefined || found === undefined) return undefined;
  const type = found.contentType.split(';', 1)[0]?.trim().toLowerCase() ?? '';
  // What is no picture must not be loaded by a page without asking.
  if (!type.startsWith('image/')) return undefined;
  const address = addressOf(pictures, item, text.startsWith('/') ? '' : origin(), ENDINGS[type] ?? '');
  return { address, sha256: found.sha256, size: found.size };
}

/** The address of the default picture of a size; undefined when it could not be given one. */
export function defaultPictureAddress({ pictures, origin }: PictureSources, size: string): string | undefined {
  return addressOf(pictures, DEFAULT + size, origin(), ENDINGS[PNG] ?? '');
}

function addressOf(pictures: PictureAddresses, item: string, origin: string, ending: string): string | undefined {
  const address = pictures.of(item);
  return address === undefined ? undefined : `${origin}${PICTURES}/${address}${ending}`;
}
