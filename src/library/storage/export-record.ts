// Reads and writes the lines of an exported library: a header, one sticker a line, what the remote listed for words, its
// synonyms, and an end. The file, its compression and its transport are for others.

import { describe } from '../../contract/json-body.js';
import { remotePresetProblem } from '../../model/preset.js';
import { TITLE_LANGUAGES, type Sticker, type Titles } from '../../model/sticker.js';
import { readCandidate } from '../../contract/read-candidates.js';
import { readCount, readWords } from '../../contract/read-field.js';
import { boundsProblem, isRecord, parseJson, type JsonBounds } from '../../platform/json.js';
import { shortenLists } from '../../platform/shorten-lists.js';

export const EXPORT_FORMAT = 'svcd-library';
export const EXPORT_VERSION = 1;

/** As many items of a list are read: of keywords 64 are taken, of what words brought 50. */
const MAX_ITEMS = 1000;
/** A line is worked on in one go. */
const LINE: JsonBounds = { depth: 64, tokens: 16_384 };

export interface ExportHeader {
  readonly format: typeof EXPORT_FORMAT;
  readonly version: number;
  /** The remote that the stickers belong to. */
  readonly scope: string;
  /** ISO 8601. */
  readonly exported_at: string;
  readonly stickers: number;
  /** Whether it holds practically all that the remote has. */
  readonly complete: boolean;
}

/** When the remote listed a sticker, and when it said that it is gone; milliseconds since the epoch. */
export interface SeenTimes {
  readonly first: number;
  readonly last: number;
  readonly gone: number | undefined;
}

export interface ExportedRemoteResults {
  readonly kind: 'recall';
  readonly words: string;
  readonly presets: readonly string[];
  /** Whether the words were asked alone, so that the order is theirs. */
  readonly isWhole: boolean;
}

export type ExportRecord =
  | { readonly kind: 'header'; readonly header: ExportHeader }
  | {
      readonly kind: 'sticker';
      readonly sticker: Sticker;
      readonly seen: SeenTimes;
      readonly originals: Readonly<Record<string, unknown>>;
      /** Keywords that it lists and that are not taken: beyond 64, repeated, or too long. */
      readonly droppedKeywords: number;
    }
  | ExportedRemoteResults
  | { readonly kind: 'synonym'; readonly word: string; readonly finds: string }
  | { readonly kind: 'end'; readonly stickers: number }
  | { readonly kind: 'bad'; readonly why: string };

/**
 * What a line says. A sticker of a file with our header (`isOurs`) is taken as it stands; of others any line will do
 * that has one in it, in any form in which services describe stickers.
 */
export function readExportRecord(text: string | undefined, isOurs: boolean): ExportRecord {
  if (text === undefined) return bad('the line is too long');
  const { bytes, left } = shortenLists(Buffer.from(text), MAX_ITEMS);
  const value = parseJson(bytes, LINE);
  if (!isRecord(value)) return bad(boundsProblem(bytes, LINE) ?? 'it is not a JSON object');
  if ('format' in value) return readHeader(value);
  if (value['end'] === true) return { kind: 'end', stickers: readCount(value['stickers']) ?? 0 };
  if (typeof value['recall'] === 'string') return readRemoteResults(value['recall'], value);
  if (typeof value['synonym'] === 'string') return readSynonym(value['synonym'], value['finds']);
  return readSticker(value, isOurs, left);
}

/** The line of a sticker, with a line feed. */
export function stickerLine(sticker: Sticker, seen: SeenTimes, originals: Record<string, unknown>): string {
  const { first, last, gone } = seen;
  const times = { first, last, ...(gone !== undefined && { gone }) };
  const given = Object.keys(originals).length > 0 ? { originals: withoutSecrets(originals) } : {};
  return exportRecord({ ...sticker, ...(last > 0 && { seen: times }), ...given });
}

/** A value as a line, with a line feed. */
export function exportRecord(value: object): string {
  return `${JSON.stringify(value)}\n`;
}

/** A copy in which no address carries a query, a name or a password: these may be a right to download. */
function withoutSecrets(value: unknown): unknown {
  if (typeof value === 'string') return withoutAccess(value);
  if (Array.isArray(value)) return value.map(withoutSecrets);
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, withoutSecrets(item)]));
}

function withoutAccess(text: string): string {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return text;
  const url = new URL(text);
  if (url.search === '' && url.username === '' && url.password === '' && url.hash === '') return text;
  [url.search, url.username, url.password, url.hash] = ['', '', '', ''];
  return url.href;
}

function readHeader(value: Record<string, unknown>): ExportRecord {
  const { format, version, scope, exported_at: at, stickers, complete } = value;
  if (format !== EXPORT_FORMAT) return bad(`it is of another format: ${JSON.stringify(format)}`);
  const header = {
    format: EXPORT_FORMAT,
    version: readCount(version) ?? 0,
    scope: typeof scope === 'string' ? scope : '',
    exported_at: typeof at === 'string' ? at : '',
    stickers: readCount(stickers) ?? 0,
    complete: complete === true,
  } as const;
  return { kind: 'header', header };
}

function readRemoteResults(words: string, { presets, whole }: Record<string, unknown>): ExportRecord {
  if (!Array.isArray(presets)) return bad('"presets" is not a list');
  return {
    kind: 'recall',
    words,
    presets: presets.filter((one) => typeof one === 'string' && remotePresetProblem(one) === undefined),
    isWhole: whole === true,
  };
}

function readSynonym(word: string, finds: unknown): ExportRecord {
  const isWord = (text: unknown) => typeof text === 'string' && /^[^\s#>]{1,64}$/.test(text);
  if (!isWord(word) || !isWord(finds)) return bad('a synonym is one word for another');
  return { kind: 'synonym', word, finds: finds as string };
}

function readSticker(value: Record<string, unknown>, isOurs: boolean, leftOut: number): ExportRecord {
  const { preset } = value;
  const problem = typeof preset === 'string' ? remotePresetProblem(preset) : undefined;
  if (problem !== undefined) return bad(`its preset ${problem}, got ${describe(preset)}`);
  const candidate = readCandidate(value);
  if (candidate === undefined) return bad('it has no preset');
  const sticker = isOurs ? readOwnSticker(value) : candidate.sticker;
  if (sticker === undefined) return bad('a field is not of its kind');
  const seen = isRecord(value['seen']) ? value['seen'] : {};
  const originals = isRecord(value['originals']) ? value['originals'] : {};
  const times = {
    first: readCount(seen['first']) ?? 0,
    last: readCount(seen['last']) ?? 0,
    gone: readCount(seen['gone']),
  };
  const length = Array.isArray(value['keywords']) ? value['keywords'].length : 0;
  const listed = length < MAX_ITEMS ? length : length + leftOut;
  const droppedKeywords = Math.max(0, listed - sticker.keywords.length);
  return { kind: 'sticker', sticker, seen: times, originals, droppedKeywords };
}

const NUMBERS = ['width', 'height', 'aspect', 'duration', 'fps'] as const;
const TEXTS = ['color', 'concept', 'licence', 'attribution'] as const;
/** What need not be known of a sticker. */
export const OPTIONAL = [...NUMBERS, ...TEXTS] as const;

/** Undefined when a field is not of its kind. */
function readOwnSticker(value: Record<string, unknown>): Sticker | undefined {
  const { preset, title, keywords } = value;
  if (typeof preset !== 'string' || typeof title !== 'string' || !isTexts(keywords)) return undefined;
  const given = OPTIONAL.filter((name) => value[name] !== undefined);
  const isNumber = (one: unknown) => typeof one === 'number' && one > 0 && Number.isFinite(one);
  const isSound = given.every((name) =>
    TEXTS.some((text) => text === name) ? typeof value[name] === 'string' : isNumber(value[name]),
  );
  if (!isSound) return undefined;
  const titles = readTitles(value['titles']);
  // A sticker with thousands of keywords would stall every search: the first 64 are kept, as of any answer.
  return {
    preset,
    title,
    keywords: readWords(keywords) ?? [],
    ...Object.fromEntries(given.map((name) => [name, value[name]])),
    ...(titles !== undefined && { titles }),
  };
}

const TITLE_MAX = 200;

/** Those in languages that svcd knows. */
function readTitles(value: unknown): Titles | undefined {
  if (!isRecord(value)) return undefined;
  const isTitle = (one: unknown) => typeof one === 'string' && one.trim() !== '' && one.length <= TITLE_MAX;
  const known = TITLE_LANGUAGES.filter((language) => isTitle(value[language]));
  return known.length === 0 ? undefined : Object.fromEntries(known.map((one) => [one, value[one] as string]));
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((one) => typeof one === 'string');
}

function bad(why: string): ExportRecord {
  return { kind: 'bad', why };
}
