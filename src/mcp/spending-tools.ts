// The tools that spend: within max_credits, within every budget, and only what a person agreed to before this server was
// started. What a model says is never a person's yes.

import * as v from 'valibot';
import type { Plan } from '../api/plan.js';
import type { PrefetchRequest } from '../api/prefetch.js';
import { IMAGE_PRICE, IMAGE_SIZES } from '../contract/limits.js';
import { SvcdError } from '../model/errors.js';
import { refusalIn, SILENT, toRefusal } from '../video/apply/asker.js';
import { buyAssets, placeOf, takeByDigest, type Place } from '../video/apply/take-assets.js';
import { nameFiles } from '../video/lock/name-files.js';
import { pictureFacts } from '../video/lock/picture-facts.js';
import { openFolder, putFile } from './folder.js';
import { credits } from './free-tools.js';
import { tool, type World } from './tool.js';

const terms = { max_credits: credits, folder: v.optional(v.string(), 'svcd-assets') };
const RULES =
  'Calling again for the same never charges twice. Give max_credits; nothing is bought if it would cost more. folder is in the working folder. source default is not what was asked for: say so.';

export const getStickers = tool(
  'get_stickers',
  `Get sticker files. 1 credit each unless owned. ${RULES}`,
  v.strictObject({ presets: v.pipe(v.array(v.string()), v.minLength(1), v.maxLength(50)), ...terms }),
  async (args, world) => {
    const presets = [...new Set(args.presets)];
    const slots = presets.map((preset, at) => ({ id: `sticker-${at + 1}`, preset }));
    const { bought, folder, leftAfter } = await buyWithin(world, args, slots, { presets, images: [] });
    if (bought.places.every(({ event }) => event === 'failed')) placeOf(bought, 0, presets[0] ?? '', SILENT.words);
    // What of one could not be had does not lose the others.
    const keepOne = (place: Place, at: number) =>
      keep(world, folder, presets[at] ?? '', place).catch(({ code, message }: SvcdError) => {
        return { preset: presets[at], failed: code, message, cost: place.cost };
      });
    const items = await Promise.all(bought.places.map(keepOne));
    return { folder, cost: bought.cost, ...leftAfter, items };
  },
  true,
);

export const generateImage = tool(
  'generate_image',
  `Make an image from a prompt: ${IMAGE_PRICE} credits unless owned, up to a minute. ${RULES}`,
  v.strictObject({ prompt: v.string(), size: v.picklist(IMAGE_SIZES), ...terms }),
  async ({ prompt, size, ...args }, world) => {
    const image = { prompt, size };
    const slots = [{ id: 'image', want: 'image', ...image }];
    const { bought, folder, leftAfter } = await buyWithin(world, args, slots, { presets: [], images: [image] });
    const made = await keep(world, folder, size, placeOf(bought, 0, 'the image', SILENT.words));
    return { folder, ...leftAfter, ...made };
  },
  true,
);

/** Buys all of it at the price it has now, or nothing. Throws `budget`, `needs_consent` and `no_folder` before that. */
async function buyWithin(
  world: World,
  { max_credits: most, folder: typed }: { max_credits: number; folder: string },
  slots: readonly object[],
  things: Pick<PrefetchRequest, 'presets' | 'images'>,
) {
  const { asker, budget } = world;
  const { cost, left } = await asker.ask<Plan>('POST', '/svcd/plan', { slots });
  const price = `it costs ${cost} ${cost === 1 ? 'credit' : 'credits'} now`;
  const nothing = 'nothing was bought';
  if (cost > most) throw refusalIn([`${price}, and max_credits is ${most}; ${nothing}`, 'Ask the user.'], 'budget');
  if (cost > 0 && budget === undefined) {
    const hint = `A person says yes beforehand, by what starts this server: svcd mcp --budget ${Math.max(5, cost)}`;
    throw refusalIn([`${price}, and no person agreed to spend any; ${nothing}`, hint], 'needs_consent');
  }
  const folder = openFolder(typed, world);
  // The daemon reserves the whole sum of it within every budget, or nothing starts.
  const bought = await buyAssets(asker, { ...things, max_credits: cost, fallback: true }, SILENT);
  const after = (now: number | null = null) => now && now - bought.cost;
  return { bought, folder, leftAfter: { budget_left: after(left?.token), balance: after(left?.account) } };
}

/** Writes what was had into the folder, and says what it is. */
async function keep({ asker }: World, folder: string, what: string, place: Place) {
  if (place.event === 'failed') throw toRefusal(place);
  const { sha256, source, reason, preset, cost } = place;
  const taken = await takeByDigest(asker, sha256, preset);
  if (taken === undefined) throw new SvcdError('not_owned', 'svcd no longer has it');
  const { extension = 'json', width, height } = (place.image && pictureFacts(taken.bytes)) ?? {};
  const [name = ''] = nameFiles([{ what, isDefault: source === 'default', sha256, extension }]);
  return { preset, source, reason, cost, file: putFile(folder, name, taken.bytes), width, height };
}
