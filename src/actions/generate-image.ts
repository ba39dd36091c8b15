// An image for a prompt: owned, else bought and kept with the picture it points at, else a plain default.

import type { Asset, Cost, FallbackReason, Source } from '../model/asset.js';
import { dimensionsOf } from '../contract/requests.js';
import { IMAGE_PRICE, type ImageSize } from '../contract/limits.js';
import { imageItem, type ImageNames, type ImageOptions } from '../purchases/image-item.js';
import type { OwnedStore } from '../purchases/owned-store.js';
import type { PurchaseCoordinator } from '../purchases/purchase-coordinator.js';
import type { Savings } from '../purchases/savings.js';
import type { NamedFiles } from '../purchases/named-files.js';
import { mapTexts, OWN_ADDRESS, relayAddress } from '../upstream/relay-address.js';
import { buyOrFallBack, type Fallback, type Terms } from './fallback-policy.js';
import { defaultPictureAddress, pictureAddress, type PictureSources } from './show-picture.js';

export type ImageOrder = ImageOptions & Terms;

export interface ImageSources extends ImageNames, PictureSources {
  readonly owned: Pick<OwnedStore, 'find' | 'findNewestOf' | 'contentTypeOf'>;
  readonly coordinator: PurchaseCoordinator;
  readonly savings: Pick<Savings, 'note'>;
  readonly files: Pick<NamedFiles, 'note'>;
}

export interface ImageAnswer {
  /** JSON. */
  readonly body: string;
  readonly source: Source;
  readonly cost: Cost;
  readonly reason?: FallbackReason;
  /** Which default and why, in plain ASCII (`X-Svcd-Default`). */
  readonly chosen?: string;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean;
  /** Of what is owned; addresses in `body` differ from it. */
  readonly sha256?: string;
}

export type GenerateImage = (order: ImageOrder) => Promise<ImageAnswer>;

const CHARGED: Record<Fallback['charged'], string> = {
  no: 'Nothing was charged.',
  maybe: 'Whether it was charged is not known yet: see "svcd purchases".',
  'under way': 'It is under way, and is owned when it comes.',
};

/** Generates images; errors as those of fetching a sticker. The prompt is sent and forgotten. */
export function createGenerateImage(sources: ImageSources): GenerateImage {
  const { owned, coordinator, savings } = sources;
  return async (order) => {
    const item = await imageItem(sources, order);
    const asset = await owned.find(item.name);
    if (asset !== undefined) {
      savings.note(IMAGE_PRICE);
      if (order.spender.kind === 'key') {
        const keeping = coordinator.keepLinkedFiles(item, asset, order.spender.key);
        // Whoever asks in the middle of a purchase gets the answer of those who joined it.
        if (coordinator.isBuying(item.name)) await keeping;
      }
      return { body: served(asset, sources), source: 'owned', cost: 0, sha256: asset.sha256 };
    }
    const outcome = await buyOrFallBack(coordinator, item, order);
    if (outcome.kind === 'fallback') return defaultImage(order.size, outcome, sources);
    const { asset: bought, cost, kept } = outcome;
    return { body: served(bought, sources), source: 'remote', cost, kept, sha256: bought.sha256 };
  };
}

/** A kept answer as a client gets it: its addresses are ours, and those of owned pictures nobody can guess. */
function served(kept: Asset, sources: ImageSources): string {
  const answer: unknown = JSON.parse(new TextDecoder().decode(kept.bytes));
  const { origin, files } = sources;
  const ours = (text: string) => pictureAddress(sources, text) ?? relayAddress(text, OWN_ADDRESS, origin(), files.note);
  return JSON.stringify(mapTexts(answer, ours));
}

function defaultImage(size: ImageSize, { reason, charged, cost }: Fallback, sources: PictureSources): ImageAnswer {
  const why = `This is a default picture: the image could not be generated (${reason}).`;
  const body = JSON.stringify({
    size,
    ...dimensionsOf(size),
    requested_size: size,
    url: defaultPictureAddress(sources, size) ?? `${sources.origin()}/svcd/defaults/images/${size}.png`,
    notices: [{ code: 'default_image', message: `${why} ${CHARGED[charged]}` }],
  });
  const chosen = `images/${size}.png; shipped, the picture of this size`;
  return { body, source: 'default', cost, reason, chosen };
}
