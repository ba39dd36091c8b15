// Several stickers, each to a file of its own: the price first, then all of them in one purchase, then the files. What goes
// wrong with one does not lose the others.

import { accessSync, constants, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { PREFETCH_MAX } from '../../api/prefetch.js';
import { findBelonging } from '../../config/membership.js';
import { STICKER_PRICE } from '../../contract/limits.js';
import type { Coloring } from '../../lottie/recolor.js';
import type { ColorWish } from '../../model/color-wish.js';
import { colored, colorings } from './color.js';
import { foldName, withoutDevice } from '../../video/lock/name-files.js';
import type { FallbackReason, Form } from '../../model/asset.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import type { Client } from '../connection/client.js';
import { agreeToPay } from '../terminal/terminal-input.js';
import { formatCount, formatNumber } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { hintOf } from '../search/near-presets.js';
import { listFree } from '../search/sticker-columns.js';
import { openStickerForms, type StickerForms } from '../../video/apply/sticker-forms.js';
import { buyAssets, takeByDigest, type Place } from '../../video/apply/take-assets.js';
import { TELLING } from '../video/telling.js';
import { asFileError, contentOf, lookAt, refuseHome, writeTargetFile } from '../terminal/target-file.js';
import { getWords } from './words.js';

export interface GetRequest {
  readonly presets: readonly string[];
  readonly folder: string;
  readonly form: Form | undefined;
  /** Other colors. */
  readonly wish: ColorWish | undefined;
  readonly strict: boolean;
  readonly overwrite: boolean;
}

interface Refused {
  readonly code: SvcdError['code'];
  readonly message: string;
  readonly hint?: string | undefined;
}

/** What one preset came to. */
export type Got = { readonly preset: string; readonly file: string } & (
  | ({ readonly status: 'failed'; readonly cost: Place['cost'] } & Refused)
  | {
      readonly status: 'written' | 'already_there';
      readonly source: Extract<Place, { event: 'asset' }>['source'];
      readonly reason?: FallbackReason | undefined;
      readonly cost: Place['cost'];
      /** Of what came from a hub: whether the hub had it already, so that nothing was paid. */
      readonly hub?: AtHub | undefined;
      readonly bytes: number;
      readonly sha256: string;
    }
);

export type AtHub = 'owned' | 'bought';

/** Whether the home is that of a machine of a hub: by its file, since a purchase that was interrupted leaves nobody to ask. */
export async function isMachine(input: Pick<Input, 'home'>): Promise<boolean> {
  return findBelonging(await input.home()).kind === 'hub';
}

/** What a hub had to do for what came from it; undefined where it is not known whether that was charged. */
export function atHub(cost: number | 'unknown' | null): AtHub | undefined {
  return typeof cost === 'number' ? (cost === 0 ? 'owned' : 'bought') : undefined;
}

export interface GotAll {
  readonly folder: string;
  readonly cost: number;
  readonly results: readonly Got[];
}

/** How many refusals are looked into for what may have been meant: each is a search. */
const EXPLAINED = 5;

/** Gets them. Throws, before anything is bought, for what can be seen before. */
export async function getStickers(client: Client, request: GetRequest, input: Input): Promise<GotAll> {
  const words = getWords();
  const presets = [...new Set(request.presets)];
  if (presets.length > PREFETCH_MAX) {
    throw invalidArgument(words.tooMany(formatNumber(presets.length), PREFETCH_MAX), words.inParts);
  }
  await checkFolder(request.folder, input);
  const files = new Map(nameFiles(presets).map((name, i) => [presets[i] ?? '', join(request.folder, name)]));
  const fileOf = (preset: string) => files.get(preset) ?? '';
  const coloringOf = await colorings(client, presets, request.wish);
  const free = await listFree(client, presets);
  // Bought first, it might prove to be a file that must not be replaced.
  const mayBlock = (preset: string) => !request.overwrite && !free.has(preset) && lookAt(fileOf(preset)) !== undefined;
  const blocked = new Set(presets.filter(mayBlock));
  const wanted = presets.filter((preset) => !blocked.has(preset));
  const cost = wanted.filter((preset) => !free.has(preset)).length * STICKER_PRICE;
  const here = formatNumber(wanted.filter((preset) => free.has(preset)).length);
  const price = words.cost(formatCount(wanted.length, 'sticker'), here, formatCount(cost, 'credit'));
  await agreeToPay(input, cost, [price]);
  guard(request.folder, () => mkdirSync(request.folder, { recursive: true }));
  const order = { presets: wanted, images: [], max_credits: cost, fallback: !request.strict };
  const bought = wanted.length === 0 ? { places: [], cost: 0 } : await buyAssets(client, order, TELLING);
  const isOfHub = await isMachine(input);
  const forms = openStickerForms(TELLING);
  const results: Got[] = [];
  let explained = 0;
  try {
    for (const preset of presets) {
      const file = fileOf(preset);
      const place = bought.places[wanted.indexOf(preset)];
      const fail = (paid: Place['cost'], error: Refused): Got => ({
        preset,
        file,
        status: 'failed',
        cost: paid,
        ...error,
      });
      if (place === undefined) {
        const held = {
          code: 'invalid_argument',
          message: words.unsureHoldsOther(file),
          hint: words.overwriteIt,
        } as const;
        results.push(fail(0, blocked.has(preset) ? held : { code: 'internal', message: words.gone }));
      } else if (place.event === 'failed') {
        const { code, message, hint } = place;
        const near = code === 'unknown_preset' && explained++ < EXPLAINED ? await hintOf(client, preset) : undefined;
        results.push(fail(place.cost, { code: code as SvcdError['code'], message, hint: near ?? hint }));
      } else {
        results.push(
          await write(
            client,
            { ...request, preset, file, isOfHub, coloring: coloringOf.get(preset) },
            place,
            forms,
          ).catch((error: unknown) => {
            if (!isSvcdError(error)) throw error;
            return fail(place.cost, { code: error.code, message: error.message, hint: error.hint });
          }),
        );
      }
    }
  } finally {
    forms.close();
  }
  return { folder: request.folder, cost: bought.cost, results };
}

interface OneRequest {
  readonly preset: string;
  readonly file: string;
  readonly isOfHub: boolean;
  readonly coloring: Coloring | undefined;
}

/** Puts what was had into its file, unless it holds that already. */
async function write(
  client: Client,
  { preset, file, form, overwrite, isOfHub, coloring }: GetRequest & OneRequest,
  { sha256, source, reason, cost }: Extract<Place, { event: 'asset' }>,
  forms: StickerForms,
): Promise<Got> {
  const words = getWords();
  const taken = await takeByDigest(client, sha256, preset);
  if (taken === undefined) throw new SvcdError('not_owned', words.gone);
  const made = form === undefined ? taken : await forms.make(taken.bytes, form);
  const bytes = colored(made.bytes, coloring, source);
  const hub = isOfHub && source === 'bought' ? atHub(cost) : undefined;
  const got = { preset, file, source, reason, cost, hub, bytes: bytes.byteLength, sha256: sha256Hex(bytes) };
  if (lookAt(file) !== undefined) {
    if (contentOf(file)?.equals(bytes) === true) return { ...got, status: 'already_there' };
    if (!overwrite) throw invalidArgument(words.holdsOther(file), words.overwriteIt);
  }
  writeTargetFile(file, bytes);
  return { ...got, status: 'written' };
}

/** Throws `invalid_argument` for what no files can be put into. */
async function checkFolder(folder: string, input: Input): Promise<void> {
  refuseHome(folder, await input.home());
  const found = lookAt(folder);
  if (found === undefined) return;
  if (!found.isDirectory()) throw invalidArgument(getWords().severalNeedFolder(folder), getWords().nameFolder);
  guard(folder, () => accessSync(folder, constants.W_OK));
}

function guard(folder: string, work: () => void): void {
  try {
    work();
  } catch (cause) {
    throw asFileError(cause, folder, 'written');
  }
}

/** A name for each preset, whatever their order: its last part, and more of it where others would have the same. */
export function nameFiles(presets: readonly string[]): string[] {
  const isOnly = (name: string, names: readonly string[]) =>
    names.filter((other) => foldName(other) === foldName(name)).length === 1;
  const short = presets.map((preset) => safeName(preset.split('/').findLast((part) => part !== '') ?? ''));
  const clashing = presets.filter((_, i) => !isOnly(short[i] ?? '', short));
  const long = clashing.map((preset) => safeName(preset.replaceAll('/', '-')));
  const names = presets.map((preset, i) => {
    const clash = clashing.indexOf(preset);
    if (clash === -1) return short[i] ?? '';
    const name = long[clash] ?? '';
    return isOnly(name, [...short, ...long]) ? name : `${name}.${sha256Hex(preset).slice(0, 8)}`;
  });
  return names.map((name) => `${name}.json`);
}

const NAME_BYTES = 200;

/** A text as the name of a file, safe on any system; without an extension. */
function safeName(text: string): string {
  let name = '';
  for (const character of text
    .normalize('NFC')
    .replace(/[^\p{L}\p{N}._-]+/gu, '-')
    .replace(/^[.-]+/, '')) {
    if (Buffer.byteLength(name + character) > NAME_BYTES) break;
    name += character;
  }
  name = name.replace(/[. ]+$/, '');
  return name === '' ? 'sticker' : withoutDevice(name);
}
