// One field of a foreign candidate, in whatever way a service may write it. The names of fields are read-candidates.ts.

import { isRecord } from '../platform/json.js';

const MAX_TEXT = 300;
const MAX_KEYWORDS = 64;
const MAX_KEYWORD = 64;
/** As many parts of a text or list are looked at. */
const MAX_PARTS = 1000;
/** A bare duration beyond this is told in milliseconds: no sticker plays for five minutes. */
const LONGEST_S = 300;

/** A text, trimmed and bounded; of texts by language the Chinese one first. Undefined for a blank. */
export function readText(value: unknown): string | undefined {
  if (isRecord(value)) {
    const chosen = value['zh'] ?? value['zh_cn'] ?? value['zh-CN'] ?? value['cn'] ?? value['text'];
    return readText(chosen ?? Object.values(value).find((one) => typeof one === 'string'));
  }
  const text = typeof value === 'string' ? value.trim() : '';
  return text === '' ? undefined : Array.from(text).slice(0, MAX_TEXT).join('');
}

/** Words: an array of texts or of objects with a text, or one text with separators. */
export function readWords(value: unknown): string[] | undefined {
  const parts = typeof value === 'string' ? splitWords(value) : Array.isArray(value) ? value.slice(0, MAX_PARTS) : undefined;
  if (parts === undefined) return undefined;
  const words = parts.map(wordOf).filter((word) => word !== '' && word.length <= MAX_KEYWORD);
  return [...new Set(words)].slice(0, MAX_KEYWORDS);
}

function splitWords(text: string): string[] {
  const byMark = text.split(/[,，、;；|\n\t]+/, MAX_PARTS);
  return byMark.length > 1 ? byMark : text.split(/\s+/, MAX_PARTS);
}

function wordOf(part: unknown): string {
  if (typeof part === 'string') return part.trim();
  if (!isRecord(part)) return '';
  const text = part['keyword'] ?? part['word'] ?? part['name'] ?? part['text'] ?? part['label'] ?? part['tag'];
  return typeof text === 'string' ? text.trim() : '';
}

/** A number over 0, also when it is written as a text. */
export function readNumber(value: unknown): number | undefined {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  return typeof number === 'number' && number > 0 && Number.isFinite(number) ? number : undefined;
}

/** A count: a whole number from 0, or one inside an object (`{"value":12}`). */
export function readCount(value: unknown): number | undefined {
  if (isRecord(value)) return readCount(value['value'] ?? value['count'] ?? value['total']);
  const number = typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) && number >= 0 ? number : undefined;
}

/** Seconds: `1.4`, `"1.4s"`, `"1400ms"`, `1400`, `"00:01.4"`. */
export function readSeconds(value: unknown): number | undefined {
  if (typeof value === 'string') {
    const [, amount = '', unit = ''] = /^([\d.]+)\s*(ms|s|sec|secs|seconds?|秒|毫秒)$/i.exec(value.trim()) ?? [];
    if (unit !== '') return inSeconds(readNumber(amount), /^(ms|毫秒)$/i.test(unit));
    const [, minutes, seconds] = /^(\d+):(\d+(?:\.\d+)?)$/.exec(value.trim()) ?? [];
    if (minutes !== undefined) return readNumber(Number(minutes) * 60 + Number(seconds));
  }
  const number = readNumber(value);
  return inSeconds(number, (number ?? 0) > LONGEST_S);
}

/** Seconds of what is told in milliseconds. */
export function readMilliseconds(value: unknown): number | undefined {
  return inSeconds(readNumber(value), true);
}

function inSeconds(number: number | undefined, isMs: boolean): number | undefined {
  if (number === undefined) return undefined;
  return isMs ? Math.round(number) / 1000 : number;
}

/** Width and height: `{"width":512,"height":512}`, `[512, 512]`, `"512x512"`. */
export function readSize(value: unknown): { width: number; height: number } | undefined {
  const pair = readPair(value);
  return pair && { width: pair[0], height: pair[1] };
}

/** Width divided by height: `1.78`, `"16:9"`, `"1920x1080"`, `"16/9"`. */
export function readAspect(value: unknown): number | undefined {
  if (typeof value === 'string' && /^(square|正方形|方形)$/i.test(value.trim())) return 1;
  const number = readNumber(value);
  if (number !== undefined) return number;
  const pair = readPair(value);
  return pair && Math.round((pair[0] / pair[1]) * 10_000) / 10_000;
}

function readPair(value: unknown): [number, number] | undefined {
  if (typeof value === 'string') {
    const [, one, other] = /^\s*([\d.]+)\s*(?:px)?\s*[x×X*:/,]\s*([\d.]+)\s*(?:px)?\s*$/.exec(value) ?? [];
    return pairOf(one, other);
  }
  if (Array.isArray(value)) return value.length === 2 ? pairOf(value[0], value[1]) : undefined;
  if (!isRecord(value)) return undefined;
  return pairOf(value['width'] ?? value['w'], value['height'] ?? value['h']);
}

function pairOf(one: unknown, other: unknown): [number, number] | undefined {
  const [width, height] = [readNumber(one), readNumber(other)];
  return width === undefined || height === undefined ? undefined : [width, height];
}

/** A color as `#rrggbb`: from `#rgb`, `#rrggbb`, `#rrggbbaa` with or without `#`, `rgb(…)`, `[r,g,b]` or an object. */
export function readColor(value: unknown): string | undefined {
  if (Array.isArray(value)) return isColor(value[0]) ? readColor(value[0]) : fromChannels(value);
  if (isRecord(value)) return readColor(value['hex'] ?? value['value'] ?? [value['r'], value['g'], value['b']]);
  if (typeof value !== 'string') return undefined;
  const text = value.trim().toLowerCase();
  const [, hex] = /^#?([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{8})$/.exec(text) ?? [];
  if (hex !== undefined) {
    return `#${hex.length === 3 ? hex.replace(/./g, '$&$&') : hex.slice(0, 6)}`;
  }
  const [, channels] = /^rgba?\(([^)]*)\)$/.exec(text) ?? [];
  return channels === undefined ? undefined : fromChannels(channels.split(/[\s,/]+/).map(Number));
}

function isColor(value: unknown): boolean {
  return typeof value === 'string' && readColor(value) !== undefined;
}

function fromChannels(channels: readonly unknown[]): string | undefined {
  const three = channels.slice(0, 3);
  const areBytes = three.every((one) => typeof one === 'number' && one >= 0 && one <= 255);
  if (three.length < 3 || !areBytes) return undefined;
  return `#${three
    .map((one) =>
      Math.round(one as number)
        .toString(16)
        .padStart(2, '0'),
    )
    .join('')}`;
}
