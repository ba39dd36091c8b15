// Many assets for one request: the price of all that has to be bought is reserved, or nothing begins; then each is had as a
// single request would have it, a few at a time and in order, and told of.

import { SvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import type { Permission, Spender } from '../../model/spender.js';
import { assetOf, type Asset, type Cost, type FallbackReason, type Source } from '../../model/asset.js';
import type { PrefetchEvent, PrefetchRequest } from '../../api/prefetch.js';
import { refusalOf } from '../../api/refusal.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import type { ImageRequest } from '../../contract/requests.js';
import { sleep } from '../../platform/sleep.js';
import { imageDigest, imageItem } from '../../purchases/image-item.js';
import type { Batch } from '../../purchases/batch.js';
import { itemOf, stickerItem, type PurchaseItem } from '../../purchases/item.js';
import type { Rooms } from '../rooms.js';
import { requireKey, type Terms } from './fallback-policy.js';
import type { FetchSticker } from './fetch.js';
import type { GenerateImage, ImageAnswer } from '../images/generate-image.js';

export interface PrefetchOrder extends PrefetchRequest {
  readonly spender: (need: Permission) => Spender;
  /** Tells callers apart, as for single stickers. */
  readonly caller: string;
  /** Whether the client closed its connection. */
  readonly isGone: () => boolean;
  /** Does what a request for one asset asks, and notes what came of it. */
  readonly report: <T extends ImageAnswer | Had>(
    kind: 'sticker' | 'image',
    id: string,
    work: () => Promise<T>,
  ) => Promise<T>;
  /** The error of ours that any error stands for. */
  readonly foresee: (error: unknown) => SvcdError;
}

export interface Prefetch {
  /** Gets all of them and tells of each; ends early once it is released. */
  run(tell: (event: PrefetchEvent) => void): Promise<void>;
  /** Begins nothing more, and gives back what was reserved for it. */
  release(): Promise<void>;
}

/** Reserves for all of an order, or throws what keeps the whole from being bought. */
export type PrefetchAssets = (order: PrefetchOrder) => Promise<Prefetch>;

interface PrefetchParts extends Rooms {
  readonly fetchSticker: FetchSticker;
  readonly generateImage: GenerateImage;
}

/** What is asked for, once, with the places it is asked for at. */
interface Item {
  readonly preset?: string;
  readonly image?: ImageRequest;
  readonly places: number[];
}

/** Who pays for what, asked once: a Key that comes meanwhile must not buy without the maximum. */
type Spenders = Readonly<Record<PurchaseItem['kind'], Spender>>;

/** What came of it. */
interface Had {
  readonly source: Source;
  readonly reason?: FallbackReason;
  readonly cost: Cost;
  readonly sha256: string;
  readonly size: number;
}

const AT_ONCE = 4;
const TELL_WAITING_MS = 1000;
/** Clients take an answer for dead of which nothing came for minutes, and an image may take five. */
const TELL_ALIVE_MS = 15_000;

export function createPrefetchAssets(parts: PrefetchParts): PrefetchAssets {
  const { coordinator } = parts;
  return async (order) => {
    requirePrice(order);
    const things = thingsOf(order);
    const of = order.presets.length + order.images.length;
    let released = false;
    const isGone = () => released || order.isGone();
    const wanted = (await Promise.all(things.map((thing) => findItem(parts, thing)))).filter(
      (one) => one !== undefined,
    );
    const spenders = { sticker: order.spender('stickers'), image: order.spender('images') };
    const batch = await reserve(coordinator, wanted, spenders, order, isGone);
    const { items, credits, byOthers } = batch?.reserved ?? { items: 0, credits: 0, byOthers: 0 };
    const release = async (): Promise<void> => {
      released = true;
      await batch?.release();
    };
    const run: Prefetch['run'] = async (tellClient) => {
      let toldAt = performance.now();
      const tell = (event: PrefetchEvent) => {
        toldAt = performance.now();
        tellClient(event);
      };
      tell({ event: 'begun', of, have: of - wanted.length + byOthers, buy: items, cost: credits });
      const teller = createTeller(of, tell);
      const over = new AbortController();
      void tellWaiting(parts, batch, () => performance.now() - toldAt, tell, over.signal);
      const queue = things.values();
      const work = async () => {
        for (const thing of queue) {
          if (isGone()) return;
          const terms = { fallback: order.fallback, deadlineMs: undefined, isGone, batch };
          await getOne(parts, order, spenders, terms, thing).then(
            (had) => teller.had(thing, had),
            (error: unknown) => teller.failed(thing, order.foresee(error)),
          );
        }
      };
      try {
        await Promise.all(Array.from({ length: AT_ONCE }, work));
      } finally {
        over.abort();
        await release();
      }
      tell(teller.ended());
    };
    return { run, release };
  };
}

/** Whoever was shown another price has not agreed to this one. */
function requirePrice({ price }: PrefetchOrder): void {
  if (price === undefined || price === STICKER_PRICE) return;
  throw new SvcdError('price_changed', `a sticker costs ${STICKER_PRICE}, not ${price}; nothing was bought`, {
    hint: 'Look at the price again, and decide anew.',
  });
}

/** The same thing twice is had once. */
function thingsOf({ presets, images }: PrefetchOrder): Item[] {
  const things = new Map<string, Item>();
  const add = (name: string, place: number, thing: Omit<Item, 'places'>) => {
    const known = things.get(name);
    if (known === undefined) things.set(name, { ...thing, places: [place] });
    else known.places.push(place);
  };
  for (const [place, preset] of presets.entries()) add(itemOf(preset), place, { preset });
  for (const [nth, image] of images.entries()) add(imageDigest(image), presets.length + nth, { image });
  return [...things.values()];
}

/** What has to be bought of the remote for it; undefined when nothing has to. */
async function findItem(parts: PrefetchParts, { preset, image }: Item): Promise<PurchaseItem | undefined> {
  if (image !== undefined) {
    const item = await imageItem(parts, { ...image, variant: undefined, fresh: false });
    return parts.owned.has(item.name) ? undefined : item;
  }
  if (preset === undefined || isOwnName(preset) || parts.owned.has(itemOf(preset))) return undefined;
  return parts.defaults.findSticker(preset) === undefined ? stickerItem(preset) : undefined;
}

/**
 * Also when nothing seems to be wanted, for what is owned may prove to be damaged: whoever can pay does so within the maximum.
 */
async function reserve(
  coordinator: Rooms['coordinator'],
  wanted: readonly PurchaseItem[],
  spenders: Spenders,
  { fallback, max_credits: maxCredits }: PrefetchOrder,
  isGone: () => boolean,
): Promise<Batch | undefined> {
  for (const { kind } of wanted) {
    const one = spenders[kind];
    if (one.kind === 'none' && (one.error !== undefined || !fallback)) requireKey(one);
  }
  const payer = [spenders.sticker, spenders.image].find((one) => one.kind === 'key');
  return payer && coordinator.reserve(wanted, payer, { maxCredits, isGone });
}

async function getOne(
  { fetchSticker, generateImage, defaults }: PrefetchParts,
  { caller, report }: PrefetchOrder,
  spenders: Spenders,
  terms: Omit<Terms, 'spender'>,
  { preset, image }: Item,
): Promise<Had> {
  if (image === undefined) {
    const name = preset ?? '';
    return report('sticker', name, async () => {
      const delivery = await fetchSticker({ ...terms, preset: name, caller, spender: spenders.sticker });
      return { ...delivery, size: delivery.bytes.byteLength };
    });
  }
  const options = { ...image, variant: undefined, fresh: false };
  const answer = await report('image', imageDigest(image), () =>
    generateImage({ ...options, ...terms, spender: spenders.image }),
  );
  const { sha256, size } = answer.source === 'default' ? await readDefault(defaults, image) : answer;
  if (sha256 !== undefined && size !== undefined) return { ...answer, sha256, size };
  throw new SvcdError('upstream_failure', 'the image was bought, but its picture could not be downloaded', {
    hint: 'Ask again: it costs nothing more.',
    cost: answer.cost,
  });
}

async function readDefault(defaults: PrefetchParts['defaults'], { size }: ImageRequest) {
  const { sha256, bytes }: Asset = assetOf(await defaults.readImage(size), 'image/png');
  return { sha256, size: bytes.byteLength };
}

/** Counts what was had, and puts it into words. */
function createTeller(of: number, tell: (event: PrefetchEvent) => void) {
  const failed: number[] = [];
  const uncertain: number[] = [];
  let [done, spent, defaults] = [0, 0, 0];
  const count = (place: number, cost: Cost) => {
    done += 1;
    if (cost === 'unknown') uncertain.push(place);
    else spent += cost;
  };
  /** Tells of each place; the thing was paid for at the first. */
  const each = (
    { preset, image, places }: Item,
    cost: Cost,
    event: (at: object & { place: number; cost: Cost }, isFirst: boolean) => PrefetchEvent,
  ) => {
    const what = image === undefined ? { preset } : { image: true };
    for (const [nth, place] of places.entries()) {
      const paid = nth === 0 ? cost : 0;
      count(place, paid);
      tell(event({ place, ...what, cost: paid }, nth === 0));
    }
  };
  return {
    had: (thing: Item, { source, reason, cost, sha256, size }: Had) =>
      each(thing, cost, (at, isFirst) => {
        if (source === 'default') defaults += 1;
        const from = sourceOf(source, thing, isFirst);
        return {
          event: 'asset',
          ...at,
          source: from,
          ...(reason !== undefined && { reason }),
          sha256,
          bytes: size,
          done,
          of,
        };
      }),
    failed: (thing: Item, error: SvcdError) =>
      each(thing, error.cost, (at) => {
        failed.push(at.place);
        return { event: 'failed', ...at, ...refusalOf(error), done, of };
      }),
    ended: (): PrefetchEvent => ({
      event: 'ended',
      cost: spent,
      uncertain: inOrder(uncertain),
      defaults,
      failed: inOrder(failed),
    }),
  };
}

function inOrder(places: readonly number[]): number[] {
  return places.toSorted((a, b) => a - b);
}

function sourceOf(source: Source, { preset }: Item, isFirst: boolean) {
  if (source === 'remote') return isFirst ? 'bought' : 'owned';
  if (source === 'default') return 'default';
  if (source === 'library') return 'shipped';
  return preset !== undefined && isOwnName(preset) ? 'own' : 'owned';
}

/** While nothing else is told: about every second that something waits for its turn, now and then that the remote is at work. */
async function tellWaiting(
  { remote }: Rooms,
  batch: Batch | undefined,
  quietFor: () => number,
  tell: (event: PrefetchEvent) => void,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(TELL_WAITING_MS, { signal, ref: false });
    const quietMs = signal.aborted ? 0 : quietFor();
    const why = quietMs < TELL_WAITING_MS * 0.9 ? undefined : batch?.whyWaiting();
    const seconds = Math.max(1, Math.ceil((remote?.heldForMs() ?? 0) / 1000));
    // Whether svcd or the service holds it back, it is the pace.
    if (why !== undefined) tell({ event: 'waiting', why: why.code === 'rate_limited' ? 'pace' : why.code, seconds });
    else if (quietMs >= TELL_ALIVE_MS) tell({ event: 'waiting', why: 'answer', seconds: 0 });
  }
}
