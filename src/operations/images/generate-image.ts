// An image for a prompt: owned, else bought and kept with the picture it points at, else a plain default.

import type { Asset, Cost, FallbackReason, Source } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { parseJsonRecord } from '../../platform/json.js';
import { putLongTextsAside } from '../../platform/long-texts.js';
import { dimensionsOf } from '../../contract/requests.js';
import { IMAGE_PRICE, type ImageSize } from '../../contract/limits.js';
import { imageItem, pictureItemOf, type ImageOptions } from '../../purchases/image-item.js';
import type { NamedFiles } from '../../purchases/linked-addresses.js';
import { mapTexts, OWN_ADDRESS, relayAddress } from '../../upstream/relay-address.js';
import {
  buyOrFallBack,
  fallbackReason,
  missingKey,
  looksAgain,
  reasonOfMissing,
  requireDeclared,
  type Fallback,
  type Terms,
} from '../stickers/fallback-policy.js';
import type { Rooms } from '../rooms.js';
import { defaultPictureAddress, findPicture, type NamedPicture } from './show-picture.js';

export type ImageOrder = ImageOptions &
  Terms & {
    /** Whether the answer alone will do, because whoever asks fetches and keeps its picture. */
    readonly answerAlone?: boolean;
  };

interface ImageSources extends Rooms {
  readonly files: Pick<NamedFiles, 'note'>;
}

export interface ImageAnswer {
  /** JSON. */
  readonly body: Uint8Array;
  readonly source: Source;
  readonly cost: Cost;
  readonly reason?: FallbackReason;
  /** In so many seconds svcd looks what became of it. */
  readonly looksAgainS?: number;
  /** Which default and why, in plain ASCII (`X-Svcd-Default`). */
  readonly chosen?: string;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean;
  /** Of the picture that `body` points at; undefined where that is not owned (yet). */
  readonly sha256?: string;
  /** How many bytes that has. */
  readonly size?: number;
  /** As what it is owned, and the very bytes of that; undefined of a default. */
  readonly ownedAs?: { readonly item: string; readonly asset: Asset };
}

interface Default extends Pick<Fallback, 'reason' | 'cost'> {
  readonly error?: Fallback['error'];
  readonly charged: keyof typeof CHARGED;
}

export type GenerateImage = (order: ImageOrder) => Promise<ImageAnswer>;

const CHARGED: Record<Fallback['charged'] | 'owned', string> = {
  owned: 'It is paid for, and its picture could not be fetched: ask again, for nothing.',
  no: 'Nothing was charged.',
  maybe: 'Whether it was charged is not known yet: see "svcd purchases".',
  'under way': 'It is still being made, and is owned as soon as it arrives.',
};

/** Generates images; errors as those of fetching a sticker. The prompt is sent and forgotten. */
export function createGenerateImage(sources: ImageSources): GenerateImage {
  const { owned, coordinator, savings } = sources;
  return async (order) => {
    requireDeclared(order.spender);
    const item = await imageItem(sources, order);
    let asset: Asset | undefined;
    try {
      asset = order.batch?.holds(item.name) === true ? undefined : await owned.find(item.name);
    } catch (error) {
      if (!isSvcdError(error, 'database_away')) throw error;
      const reason = fallbackReason(error, order.fallback);
      return defaultImage(order.size, { reason, charged: 'no', cost: 0 }, sources);
    }
    if (asset !== undefined) {
      savings.note(IMAGE_PRICE);
      const { spender } = order;
      const lacksPicture = order.answerAlone !== true && isPictureMissing(asset, sources);
      if (spender.kind === 'key') {
        const keeping = coordinator.keepLinkedFiles(item, asset, spender.key);
        // Whoever asks in the middle of a purchase gets the answer of those who joined it.
        const lacks = lacksPicture || coordinator.isBuying(item.name) ? await keeping : undefined;
        if (lacks !== undefined && lacksPicture && isPictureMissing(asset, sources)) {
          return withoutPicture(order, lacks, 0, sources);
        }
      } else if (lacksPicture) return withoutPicture(order, spender.error ?? missingKey(), 0, sources);
      return { ...served(asset, sources), source: 'owned', cost: 0, ownedAs: { item: item.name, asset } };
    }
    const outcome = await buyOrFallBack(sources, item, order);
    if (outcome.kind === 'fallback') return defaultImage(order.size, outcome, sources);
    const { asset: bought, cost, kept, lacks } = outcome;
    if (lacks !== undefined && order.answerAlone !== true && isPictureMissing(bought, sources)) {
      return withoutPicture(order, lacks, cost, sources);
    }
    return { ...served(bought, sources), source: 'remote', cost, kept, ownedAs: { item: item.name, asset: bought } };
  };
}

/** A kept answer as a client gets it: its addresses are ours, and those of owned pictures nobody can guess. */
function served(kept: Asset, sources: ImageSources): Pick<ImageAnswer, 'body' | 'sha256' | 'size'> {
  const short = putLongTextsAside(kept.bytes);
  const answer = JSON.parse(new TextDecoder().decode(short.bytes)) as { readonly url?: unknown };
  const { origin, files } = sources;
  const named = new Map<unknown, NamedPicture>();
  const ours = (text: string) => {
    const picture = findPicture(sources, text);
    if (picture !== undefined) named.set(text, picture);
    return picture?.address ?? relayAddress(text, OWN_ADDRESS, origin(), files.note);
  };
  const body = short.restore(JSON.stringify(mapTexts(answer, ours)));
  // A service may name a smaller form of the picture besides.
  const picture = answer.url === undefined ? named.values().next().value : named.get(answer.url);
  return { body, ...(picture !== undefined && { sha256: picture.sha256, size: picture.size }) };
}

/** Whether a kept answer names its picture, and that is not owned. */
function isPictureMissing(kept: Asset, { owned }: Pick<ImageSources, 'owned'>): boolean {
  const url = parseJsonRecord(putLongTextsAside(kept.bytes).bytes)?.['url'];
  const item = typeof url === 'string' ? pictureItemOf(url) : undefined;
  return item !== undefined && owned.describe(item) === undefined;
}

/**
 * In place of an answer whose picture is refused now: its address would be refused too. Paid is paid, so it is asked for again
 * for nothing. Throws the refusal where no default may stand in.
 */
function withoutPicture({ size, fallback }: ImageOrder, refusal: SvcdError, cost: Cost, sources: ImageSources) {
  const { code, fromRemote, retryAfterS } = refusal;
  const error = new SvcdError(code, `the image is paid for, but its picture cannot be had: ${refusal.message}`, {
    fromRemote,
    hint: 'Ask for it again: it is not paid for twice.',
    retryAfterS,
  });
  const reason = reasonOfMissing(error.with({ cost }), fallback);
  return defaultImage(size, { reason, charged: 'owned', cost }, sources);
}

function defaultImage(size: ImageSize, { reason, charged, cost, error }: Default, sources: Rooms): ImageAnswer {
  const why = `This is a default picture: the image could not be generated (${reason}).`;
  const answer = {
    size,
    ...dimensionsOf(size),
    requested_size: size,
    url: defaultPictureAddress(sources, size) ?? `${sources.origin()}/svcd/defaults/images/${size}.png`,
    notices: [{ code: 'default_image', message: `${why} ${CHARGED[charged]}` }],
  };
  const body = Buffer.from(JSON.stringify(answer));
  const chosen = `images/${size}.png; shipped, the picture of this size`;
  return { body, source: 'default', cost, reason, chosen, ...looksAgain(reason, error) };
}
