// What is owned as lines, for another machine: every item with its digest and the remote that sold it, and the user's collections.

import { COLLECTED_MAX, PROJECT_ID, projectContentSchema } from '../api/collections.js';
import { sha256Hex } from '../model/hash.js';
import { mayFollow } from '../api/path-reading.js';
import { describe, parseWith } from '../contract/json-body.js';
import { readWords } from '../contract/read-field.js';
import { hasControlCharacters } from '../model/lenient-path.js';
import { presetProblem, remotePresetProblem } from '../model/preset.js';
import { isOwnName, type Sticker } from '../model/sticker.js';
import type { CarriedCollection } from './sqlite/collections.js';
import type { CarriedProject } from './sqlite/projects.js';
import { isSvcdError } from '../model/errors.js';
import { lottieProblem } from '../lottie/judge-lottie.js';
import { gunzipOrNothing } from '../platform/compressed-forms.js';
import { isRecord, parseJsonRecord } from '../platform/json.js';
import { ownTurn } from '../platform/steps.js';

export const OWNED_FORMAT = 'svcd-owned';

export const VERSION = 1;

/** `image/png`, `application/json; charset=utf-8`: it becomes a header. */
const MEDIA_TYPE = /^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(?:;[\t\x20-\x7e]*)?$/;

export type OwnedOutcome =
  | { readonly kind: 'added' | 'mended' | 'unchanged' | 'header' }
  | { readonly kind: 'end'; readonly items: number }
  | { readonly kind: 'bad'; readonly why: string };

export interface OwnedCarrier {
  /**
   * One line each, with a line feed: a header, the items of every remote, the collections and projects (only items of these
   * digests), an end.
   */
  lines(only?: ReadonlySet<string>, withProjects?: boolean): AsyncIterable<string>;
  /**
   * Keeps the item of a line, unless its file is larger than `maxFileBytes`; with `isProven`, only one whose receipt proves it,
   * and nothing else. Throws only when the disk does.
   */
  take(text: string | undefined, maxFileBytes: number, isProven?: IsProven): Promise<OwnedOutcome>;
}

/** Whether a receipt proves that these bytes of an item were bought. */
export type IsProven = (one: {
  readonly scope: string;
  readonly item: string;
  readonly sha256: string;
  readonly receipt: string;
}) => boolean;

export interface CarriedOwn {
  readonly sticker: Sticker;
  readonly bytes: Uint8Array;
  readonly addedAt: number;
}

export interface PackedFile {
  /** Base64. */
  readonly gzip: string;
  readonly sha256: unknown;
  readonly kind: string | undefined;
}

export interface OwnedItem {
  readonly scope: string;
  readonly item: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly keptAt: number;
  readonly bytes: Uint8Array;
  /** What proves that a hub paid for it. */
  readonly receipt?: string;
}

/** What a line carries, checked by its digest and for being playable. */
export async function readItem(
  text: string | undefined,
  maxBytes: number,
): Promise<OwnedItem | CarriedOwn | CarriedCollection | CarriedProject | OwnedOutcome> {
  if (text === undefined) return bad('the line is too long');
  const value = parseJsonRecord(text);
  if (value === undefined) return bad('it is not a JSON object');
  if ('format' in value) return readHeader(value);
  if (value['end'] === true) return { kind: 'end', items: Number(value['items']) };
  if ('own' in value) return readOwn(value, maxBytes);
  const { scope, item, content_type: contentType, sha256, kept_at: keptAt, gzip, receipt } = value;
  const texts = [scope, item, contentType, sha256, keptAt, gzip];
  if (!texts.every((one) => typeof one === 'string' && one !== '')) return bad('a field is missing');
  const problem = itemProblem(item as string, contentType as string);
  if (problem !== undefined) return bad(problem);
  const packed = { gzip: gzip as string, sha256, kind: (item as string).split(':', 1)[0] };
  const bytes = await readBytes(packed, maxBytes);
  if (typeof bytes === 'string') return bad(bytes);
  const at = Date.parse(keptAt as string);
  if (Number.isNaN(at)) return bad('"kept_at" is not a time');
  return {
    scope,
    item,
    contentType,
    sha256,
    keptAt: at,
    bytes,
    ...(typeof receipt === 'string' && { receipt }),
  } as OwnedItem;
}

async function readOwn(value: Record<string, unknown>, maxBytes: number): Promise<CarriedOwn | OwnedOutcome> {
  const { own, sha256, added_at: added, gzip } = value;
  const preset = isRecord(own) ? own['preset'] : undefined;
  const problem = typeof preset === 'string' ? presetProblem(preset) : undefined;
  if (problem !== undefined) return bad(`its preset ${problem}, got ${describe(preset)}`);
  if (!isOwnSticker(own) || typeof gzip !== 'string') return bad('it is not a sticker of your own');
  const bytes = await readBytes({ gzip, sha256, kind: 'sticker' }, maxBytes);
  if (typeof bytes === 'string') return bad(bytes);
  const at = typeof added === 'string' ? Date.parse(added) : NaN;
  return Number.isNaN(at)
    ? bad('"added_at" is not a time')
    : { sticker: { ...own, keywords: readWords(own.keywords) ?? [] }, bytes, addedAt: at };
}

/** Why a line may not be kept under its name, or served as what it says it is. */
function itemProblem(item: string, contentType: string): string | undefined {
  const [kind, name] = [item.slice(0, item.indexOf(':')), item.slice(item.indexOf(':') + 1)];
  if (!MEDIA_TYPE.test(contentType)) return `its content type is not valid: ${describe(contentType)}`;
  if (!['sticker', 'image', 'file'].includes(kind) || name === '') return 'it is not a sticker, image or file';
  if (kind === 'image') return hasControlCharacters(name) ? `its name is not valid: ${describe(name)}` : undefined;
  if (kind === 'file') return mayFollow(name) ? undefined : `its address is not that of a file: ${describe(name)}`;
  const problem = remotePresetProblem(name);
  return problem && `its preset ${problem}, got ${describe(name)}`;
}

/** The bytes of a line, or why they cannot be kept. */
async function readBytes({ gzip, sha256, kind }: PackedFile, maxBytes: number): Promise<Buffer | string> {
  // Each of these takes some milliseconds of a large file: others are answered in between.
  await ownTurn();
  const packed = Buffer.from(gzip, 'base64');
  await ownTurn();
  const bytes = await gunzipOrNothing(packed, maxBytes);
  if (bytes === undefined) return `its bytes cannot be unpacked, or to more than ${maxBytes} (setting maxFileBytes)`;
  await ownTurn();
  if (sha256Hex(bytes) !== sha256) return 'its bytes do not match their digest';
  await ownTurn();
  if (kind === 'image') return parseJsonRecord(bytes) === undefined ? 'it is not the JSON object of an image' : bytes;
  const problem = kind === 'sticker' ? await lottieProblem(bytes) : undefined;
  return problem === undefined ? bytes : `it is not a playable Lottie file: ${problem}`;
}

function isOwnSticker(value: unknown): value is Sticker {
  if (!isRecord(value)) return false;
  const { preset, title, keywords } = value;
  if (typeof preset !== 'string' || !isOwnName(preset)) return false;
  const areTexts = Array.isArray(keywords) && keywords.every((one) => typeof one === 'string');
  return areTexts && typeof title === 'string' && title.trim() !== '';
}

function readHeader(value: Record<string, unknown>): CarriedCollection | CarriedProject | OwnedOutcome {
  const { format, version } = value;
  if (format !== OWNED_FORMAT) return bad(`the file is of another format: ${JSON.stringify(format)}`);
  if (version !== VERSION) return bad('the file was written by a newer svcd');
  if ('project' in value) return readProject(value);
  return 'collection' in value ? readCollection(value) : { kind: 'header' };
}

function readCollection(value: Record<string, unknown>): CarriedCollection | OwnedOutcome {
  const { scope, collection, presets, changed_at: changed } = value;
  const texts = [scope, collection];
  if (!texts.every((one) => typeof one === 'string' && one !== '')) return bad('a field is missing');
  if (!Array.isArray(presets) || presets.length > COLLECTED_MAX)
    return bad('"presets" is no list that a collection holds');
  const wrong = presets.find((one) => typeof one !== 'string' || presetProblem(one) !== undefined) as unknown;
  if (wrong !== undefined) return bad(`its presets: ${describe(wrong)} is none`);
  const at = typeof changed === 'string' ? Date.parse(changed) : NaN;
  if (Number.isNaN(at)) return bad('"changed_at" is not a time');
  return { scope, name: collection, presets, changedAt: at } as CarriedCollection;
}

function readProject(value: Record<string, unknown>): CarriedProject | OwnedOutcome {
  const { scope, project, content, changed_at: changed } = value;
  const changedAt = typeof changed === 'string' ? Date.parse(changed) : NaN;
  if (typeof scope !== 'string' || typeof project !== 'string' || !PROJECT_ID.test(project))
    return bad('a field is missing');
  if (Number.isNaN(changedAt)) return bad('"changed_at" is not a time');
  return orBad(
    () => ({ scope, project, content: parseWith(projectContentSchema, content), changedAt }),
    'its project: ',
  );
}

/** What comes of it; a bad line where what it carries is refused. */
export function orBad<T>(work: () => T, what = ''): T | OwnedOutcome {
  try {
    return work();
  } catch (error) {
    if (isSvcdError(error, 'invalid_request')) return bad(what + error.message);
    throw error;
  }
}

export function bad(why: string): OwnedOutcome {
  return { kind: 'bad', why };
}

export function line(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
