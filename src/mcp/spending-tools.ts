// The tools that get what is named: within max_credits, within every budget, and only what a person agreed to.

import * as v from 'valibot';
import type { Plan } from '../api/plan.js';
import type { PrefetchRequest } from '../api/prefetch.js';
import { IMAGE_PRICE, IMAGE_SIZES } from '../contract/limits.js';
import { SvcdError } from '../model/errors.js';
import { SILENT, toRefusal } from '../video/apply/asker.js';
import { buyAssets, placeOf, takeByDigest, type Bought, type Place } from '../video/apply/take-assets.js';
import { nameFiles } from '../video/lock/name-files.js';
import { pictureFacts } from '../video/lock/picture-facts.js';
import { leftAfter, requireYes } from './consent.js';
import { inFolder, placeFor, putFile } from './folder.js';
import { credits } from './free-tools.js';
import { tool, type Call, type World } from './tool.js';

export const terms = { max_credits: credits, folder: v.optional(v.string(), 'svcd-assets') };
export const RULES =
  'Calling again for the same never charges twice. Give max_credits; nothing is bought if it would cost more. folder is in the working folder. source default is not what was asked for: say so.';

export const getStickers = tool(
  'get_stickers',
  `Get sticker files. 1 credit each unless owned. ${RULES}`,
  v.strictObject({ presets: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(50)), ...terms }),
  async (args, world, call) => {
    const presets = [...new Set(args.presets)];
    const slots = presets.map((preset, at) => ({ id: `sticker-${at + 1}`, preset }));
    const what = { things: presets, order: { presets, images: [] } };
    return buyWithin(world, call, args, slots, what, async (bought, folder) => {
      if (bought.places.every(({ event }) => event === 'failed')) placeOf(bought, 0, presets[0] ?? '', SILENT.words);
      // What of one could not be had does not lose the others.
      const keepOne = (place: Place, at: number) =>
        keep(world, folder, presets[at] ?? '', place).catch(({ code, message }: SvcdError) => {
          return { preset: presets[at], failed: code, message, cost: place.cost };
        });
      return { items: await Promise.all(bought.places.map(keepOne)) };
    });
  },
  'spend',
);

export const generateImage = tool(
  'generate_image',
  `Make an image from a prompt: ${IMAGE_PRICE} credits unless owned, up to a minute. ${RULES}`,
  v.strictObject({ prompt: v.string(), size: v.picklist(IMAGE_SIZES), ...terms }),
  async ({ prompt, size, ...args }, world, call) => {
    const image = { prompt, size };
    const slots = [{ id: 'image', want: 'image', ...image }];
    const what = { things: [`${size}: ${prompt}`], order: { presets: [], images: [image] } };
    return buyWithin(world, call, args, slots, what, (bought, folder) =>
      keep(world, folder, size, placeOf(bought, 0, 'the image', SILENT.words)),
    );
  },
  'spend',
);

/** Buys all of it at the price it has now, or nothing. Throws `no_folder` and what `requireYes` throws before that. */
async function buyWithin(
  world: World,
  call: Call,
  { max_credits: most, folder: typed }: { max_credits: number; folder: string },
  slots: readonly object[],
  { things, order }: { things: readonly string[]; order: Pick<PrefetchRequest, 'presets' | 'images'> },
  keepIn: (bought: Bought, folder: string | undefined) => Promise<object>,
) {
  const { asker } = world;
  const { cost, left, would_fit: ids, slots: planned } = await asker.ask<Plan>('POST', '/svcd/plan', { slots });
  const dear = planned.flatMap((one, at) => {
    const title = 'title' in one ? one.title : undefined;
    return one.cost > 0 ? [title ?? things[at] ?? one.id] : [];
  });
  const wouldFit = things.filter((_, at) => ids.includes(planned[at]?.id ?? ''));
  // Before a person is asked: what cannot be kept need not be agreed to.
  if (world.origin === undefined) placeFor(typed, world);
  requireYes({ cost, most, things: dear, left, wouldFit }, world, call);
  const buy = async (folder?: string) => {
    // The daemon reserves the whole sum of it within every budget, or nothing starts.
    const bought = await buyAssets(asker, { ...order, max_credits: cost, fallback: true }, SILENT);
    const kept = await keepIn(bought, folder);
    return { folder, cost: bought.cost, ...(await leftAfter(world)), ...kept };
  };
  return world.origin === undefined ? inFolder(typed, world, buy) : buy();
}

/** Writes what was had into the folder, if there is one, and says what it is. */
async function keep({ asker, origin }: World, folder: string | undefined, what: string, place: Place) {
  if (place.event === 'failed') throw toRefusal(place);
  const { sha256, source, reason, preset, cost } = place;
  const taken = await takeByDigest(asker, sha256, preset);
  if (taken === undefined) throw new SvcdError('not_owned', 'svcd no longer has it');
  const { extension = 'json', width, height } = (place.image && pictureFacts(taken.bytes)) ?? {};
  const [name = ''] = nameFiles([{ what, isDefault: source === 'default', sha256, extension }]);
  const at =
    folder === undefined
      ? { url: `${origin}/svcd/owned/by-digest/${sha256}` }
      : { file: putFile(folder, name, taken.bytes) };
  return { preset, source, reason, cost, ...at, width, height };
}
