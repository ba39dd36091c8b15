// Candidates in an answer of the remote, whatever the shape: the document names `preset` and leaves the rest open.
// Reads; what becomes of them is for the library.

import { remotePresetProblem } from '../model/preset.js';
import type { Credit } from '../model/credit.js';
import type { Sticker } from '../model/sticker.js';
import { isRecord } from '../platform/json.js';
import {
  readAspect,
  readColor,
  readCount,
  readMilliseconds,
  readNumber,
  readSeconds,
  readSize,
  readText,
  readWords,
} from './read-field.js';

/** Why the remote listed a sticker, as far as it says. */
export interface ReadReason {
  readonly keyword: string;
  readonly field: string | undefined;
  readonly isSynonym: boolean;
}

export interface ReadCandidate {
  /** `title` is blank when the record has none. */
  readonly sticker: Sticker;
  /** The record as it came. */
  readonly original: Readonly<Record<string, unknown>>;
  readonly reasons: readonly ReadReason[];
}

export interface ReadAnswer {
  readonly candidates: readonly ReadCandidate[];
  /** How many match, as the remote says; undefined when it does not. */
  readonly total: number | undefined;
  /** Names and numbers that lead from the answer to the list. */
  readonly listPath: readonly string[];
  /** The same for the total. */
  readonly totalPath: readonly string[] | undefined;
}

const MAX_DEPTH = 6;
const MAX_NODES = 5000;
const TOTALS = spellings('total count total_count total_results found hits');

/** The longest list of objects with a `preset` in an answer; undefined when there is none. */
export function readCandidates(answer: unknown): ReadAnswer | undefined {
  const list = findList(answer);
  if (list === undefined) return undefined;
  const candidates = list.items.flatMap((item) => readCandidate(item) ?? []);
  const total = findTotal(answer, list.path);
  return { candidates, listPath: list.path, total: total?.count, totalPath: total?.path };
}

/** One record as a candidate; undefined when it has no preset, or one that cannot be the remote's. */
export function readCandidate(item: unknown): ReadCandidate | undefined {
  const fields = fieldsOf(item);
  const preset = fields?.['preset'];
  if (fields === undefined || typeof preset !== 'string' || remotePresetProblem(preset) !== undefined) return undefined;
  const sticker = readSticker(preset, fields);
  return { sticker, original: item as Record<string, unknown>, reasons: readReasons(fields) };
}

interface FoundList {
  readonly items: readonly unknown[];
  readonly path: readonly string[];
}

/** Breadth first, so that of two lists of one length the outer counts. */
function findList(answer: unknown): FoundList | undefined {
  let best: (FoundList & { readonly count: number }) | undefined;
  const queue: { value: unknown; path: readonly string[] }[] = [{ value: answer, path: [] }];
  for (let at = 0; at < queue.length && at < MAX_NODES; at++) {
    const { value, path } = queue[at]!;
    if (Array.isArray(value)) {
      const count = value.filter((item) => fieldsOf(item) !== undefined).length;
      if (count > (best?.count ?? 0)) best = { items: value, path, count };
    }
    if (typeof value !== 'object' || value === null || path.length >= MAX_DEPTH) continue;
    for (const [name, child] of Object.entries(value)) queue.push({ value: child, path: [...path, name] });
  }
  return best;
}

/** The fields of a record that has a preset, itself or one level down (`{"sticker":{…},"score":1}`). */
function fieldsOf(item: unknown): Record<string, unknown> | undefined {
  if (!isRecord(item)) return undefined;
  if (typeof item['preset'] === 'string') return item;
  const inner = Object.values(item).find((child) => isRecord(child) && typeof child['preset'] === 'string');
  return inner === undefined ? undefined : { ...item, ...(inner as Record<string, unknown>) };
}

function findTotal(answer: unknown, listPath: readonly string[]) {
  for (let depth = listPath.length - 1; depth >= 0; depth--) {
    const path = listPath.slice(0, depth);
    const holder = valueAt(answer, path);
    if (!isRecord(holder)) continue;
    for (const [name, inner] of [['', holder], ...Object.entries(holder)] as [string, unknown][]) {
      if (!isRecord(inner)) continue;
      const key = TOTALS.find((one) => readCount(inner[one]) !== undefined);
      const place = name === '' ? path : [...path, name];
      if (key !== undefined) return { count: readCount(inner[key]), path: [...place, key] };
    }
  }
  return undefined;
}

/** What lies at the end of a path of names. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (inner, name) => (typeof inner === 'object' && inner !== null ? Reflect.get(inner, name) : undefined),
    value,
  );
}

type Fields = Readonly<Record<string, unknown>>;

/** The first of these fields that can be read. */
function pick<T>(fields: Fields, names: readonly string[], read: (value: unknown) => T | undefined) {
  for (const name of names) {
    const value = fields[name] === undefined || fields[name] === null ? undefined : read(fields[name]);
    if (value !== undefined) return value;
  }
  return undefined;
}

const NAMES = {
  title: spellings('title title_zh name name_zh display_name label caption'),
  keywords: spellings('keywords keyword tags tag_list labels words'),
  seconds: spellings('duration duration_s duration_seconds seconds length'),
  milliseconds: spellings('duration_ms length_ms milliseconds'),
  aspect: spellings('aspect aspect_ratio ratio proportion'),
  size: spellings('dimensions dimension size resolution canvas'),
  width: spellings('width w'),
  height: spellings('height h'),
  color: spellings('color colour primary_color primary_colour main_color dominant_color theme_color colors'),
  fps: spellings('fps frame_rate framerate fr'),
  concept: spellings('concept'),
};

function readSticker(preset: string, fields: Fields): Sticker {
  const size = pick(fields, NAMES.size, readSize);
  const width = pick(fields, NAMES.width, readNumber) ?? size?.width;
  const height = pick(fields, NAMES.height, readNumber) ?? size?.height;
  // Some call the shape "dimensions": "16:9" is no size in pixels, but says the aspect.
  const aspect = pick(fields, NAMES.aspect, readAspect);
  const isPixels = (width ?? 0) > 32 || (height ?? 0) > 32;
  const shape = aspect ?? (width !== undefined && height !== undefined ? width / height : undefined);
  const duration = pick(fields, NAMES.milliseconds, readMilliseconds) ?? pick(fields, NAMES.seconds, readSeconds);
  const title = pick(fields, NAMES.title, readText) ?? '';
  const told = {
    width: isPixels ? width : undefined,
    height: isPixels ? height : undefined,
    aspect: shape,
    duration,
    fps: pick(fields, NAMES.fps, readNumber),
    color: pick(fields, NAMES.color, readColor),
    concept: pick(fields, NAMES.concept, readText),
    ...readCredit(fields, title),
  };
  const known = Object.fromEntries(Object.entries(told).filter(([, value]) => value !== undefined));
  return { preset, title, keywords: pick(fields, NAMES.keywords, readWords) ?? [], ...known };
}

/** Names under which an answer may tell why and how well; both belong to the question, not to the sticker. */
export const REASON_NAMES = spellings('reasons reason match_reasons matched why explanations');
export const SCORE_NAMES = spellings('score ranking_score rank_score relevance similarity');
export const REASON_FIELDS = {
  keyword: spellings('keyword word matched_keyword term query text'),
  field: spellings('field metadata_field matched_field in'),
  source: spellings('source type kind match_type via'),
};

/** Names as a service may spell them: each with underscores, then with capitals inside. */
function spellings(names: string): readonly string[] {
  return names
    .split(' ')
    .flatMap((name) => [...new Set([name, name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())])]);
}

function readReasons(fields: Fields): ReadReason[] {
  const name = REASON_NAMES.find((one) => Array.isArray(fields[one]));
  const reasons = name === undefined ? [] : (fields[name] as unknown[]);
  return reasons.filter(isRecord).flatMap((reason) => {
    const keyword = pick(reason, REASON_FIELDS.keyword, readText);
    const source = pick(reason, REASON_FIELDS.source, readText) ?? '';
    const field = pick(reason, REASON_FIELDS.field, readText);
    return keyword === undefined ? [] : [{ keyword, field, isSynonym: /syn|同义|近义/i.test(source) }];
  });
}

/** Where a record may tell of its licence: the document names no such field, so any usual one is read. */
const LICENCE = ['licence', 'license', 'licence_name', 'license_name', 'licenceName', 'licenseName', 'rights'];
const LINE = 'attribution attribution_text attributionText credit credits credit_line creditLine'.split(' ');
const AUTHOR = 'author artist creator author_name authorName by'.split(' ');
const ASKED = 'attribution_required attributionRequired requires_attribution requiresAttribution'.split(' ');
/** Names of what an object has to say. */
const INSIDE = ['text', 'line', 'name', 'title', 'spdx', 'spdx_id', 'id', 'short', 'code'];

/** Licences by their names that ask for a line. */
const ASKS = /\bcc[\s-]?by\b|attribution/i;
const ASKS_NOT = /no attribution|attribution[- ]?free|without attribution/i;
const LONGEST = 500;

/** The licence and the credit line of a record of this title, as far as it tells them. */
export function readCredit(fields: Fields, title: string): Credit {
  const licence = firstText(fields, LICENCE);
  const line = firstText(fields, LINE);
  const asked = ASKED.map((name) => fields[name]).find((value) => typeof value === 'boolean');
  const asks =
    asked ?? (line !== undefined || (licence !== undefined && ASKS.test(licence) && !ASKS_NOT.test(licence)));
  const attribution = asks ? (line ?? lineOf(fields, title, licence)) : undefined;
  return { ...(licence !== undefined && { licence }), ...(attribution !== undefined && { attribution }) };
}

/** A line made of title, author and licence, the parts that Creative Commons recommends to name. */
function lineOf(fields: Fields, title: string, licence: string | undefined): string | undefined {
  const author = firstText(fields, AUTHOR);
  const parts = [title === '' ? undefined : `“${title}”`, author && `by ${author}`, licence && `(${licence})`];
  const line = parts.filter((part) => part !== undefined && part !== '').join(' ');
  return line === '' ? undefined : line;
}

function firstText(fields: Fields, names: readonly string[]): string | undefined {
  for (const name of names) {
    const text = textOf(fields[name]);
    if (text !== undefined) return text;
  }
  return undefined;
}

/** A text, that of an object, or those of a list; on one line. */
function textOf(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const line = value.replace(/\s+/g, ' ').trim().slice(0, LONGEST);
    return line === '' ? undefined : line;
  }
  if (Array.isArray(value)) {
    const texts = value.map(textOf).filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : texts.join(', ').slice(0, LONGEST);
  }
  return isRecord(value) ? firstText(value, INSIDE) : undefined;
}
