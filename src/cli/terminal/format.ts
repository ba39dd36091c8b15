// Values as text for people: safe for a terminal, in columns, in color where that is allowed.

import { shellWord } from '../../platform/files/shell-word.js';
import { refusesColor } from '../../config/environment.js';
import { fitTable, type Room, type Saving } from './fit-table.js';
import { wordsIn } from './language.js';

/** Text from elsewhere, safe for a terminal: a title must not be able to move the cursor. */
export function sanitize(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
}

const FOREIGN_MAX = 60;

/** Words that the service or a template sends, safe for a terminal and short: they must not pass for words of svcd. */
export function formatForeign(text: string): string {
  const characters = Array.from(sanitize(text).trim());
  return characters.length > FOREIGN_MAX ? `${characters.slice(0, FOREIGN_MAX).join('')}…` : characters.join('');
}

/** A number with a comma at each thousand. */
export function formatNumber(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun: `1 credit`, `2 credits`. */
export function formatCount(count: number, noun: Noun): string {
  return countWords().count(formatNumber(count), noun, count === 1);
}

/** An instant in the time of this machine, as `ls -l`: `2026-11-22 08:00:00`. */
export function formatTime(instant: string): string {
  const at = new Date(instant);
  if (Number.isNaN(at.getTime())) return instant;
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The same to the minute. */
export function formatMinute(instant: string): string {
  return formatTime(instant).slice(0, -3);
}

/** A text in which each instant is in the time of this machine. */
export function inLocalTime(text: string): string {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z/g, formatTime);
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** `1 credit`, or that it is not known what it cost. */
export function formatCost(cost: number | null): string {
  return cost === null ? countWords().costUnknown : formatCount(cost, 'credit');
}

/** Milliseconds in their largest unit, rounded down: `3 minutes`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  return formatCount(Math.floor(seconds / length), unit);
}

/** A value of any JSON type on one line, safe for a terminal; empty for null. */
export function formatValue(value: unknown): string {
  if (value === undefined || value === null) return '';
  return sanitize(inLocalTime(typeof value === 'string' ? value : JSON.stringify(value)));
}

/** Lines of a table, each column as wide as its widest cell; on a terminal the last column goes on below itself. */
export function formatTable(rows: readonly (readonly string[])[]): string[] {
  return fitTable({ rows: rows.map((row) => row.map(namingHome)) }, terminalRoom());
}

/** The same below a faint head. On a terminal that is too narrow the columns give way as `savings` say, in their order. */
export function formatTableWithHead(
  head: readonly string[],
  rows: readonly (readonly string[])[],
  savings: readonly Saving[] = [],
  below?: (row: number) => readonly string[],
): string[] {
  return fitTable({ head, rows, savings, ...(below !== undefined && { below }) }, terminalRoom());
}

/** Of what a program reads nothing is cut. */
export function terminalWidth(): number {
  return process.stdout.isTTY && process.stdout.columns > 0 ? process.stdout.columns : Infinity;
}

function terminalRoom(): Room {
  return { width: terminalWidth(), faint: openPaint().faint };
}

/** Lines of names and values, indented; values are made safe. */
export function formatFields(fields: Readonly<Record<string, string>>): string[] {
  return formatTable(Object.entries(fields).map(([name, value]) => [`  ${openPaint().faint(name)}`, sanitize(value)]));
}

export interface Paint {
  strong(this: void, text: string): string;
  faint(this: void, text: string): string;
  /** A block of this color (`#rrggbb`); the color's name where there are no colors. */
  swatch(this: void, color: string | undefined): string;
}

/** The paint for stdout: colors only on a terminal, and never when NO_COLOR is set. */
export function openPaint(): Paint {
  const colored = process.stdout.isTTY && !refusesColor();
  const style = (code: number) => (text: string) => (colored && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text);
  return { strong: style(1), faint: style(2), swatch: (color) => swatch(color, colored) };
}

function swatch(color: string | undefined, colored: boolean): string {
  const [, red = '', green = '', blue = ''] = /^#(\w\w)(\w\w)(\w\w)$/.exec(color ?? '') ?? [];
  if (red === '' || !colored) return red === '' ? '' : `#${red}${green}${blue}`;
  const parts = [red, green, blue].map((part) => Number.parseInt(part, 16));
  return `\u001B[48;2;${parts.join(';')}m  \u001B[0m`;
}

/** What is counted, with the word that Chinese puts behind the number. */
const NOUNS = {
  asset: ' 个素材',
  character: ' 个字符',
  credit: ' 积分',
  day: ' 天',
  'embedded picture': ' 张内嵌图片',
  fallback: ' 次替代',
  'fault rule': ' 条故障规则',
  file: ' 个文件',
  hour: ' 小时',
  keyframe: ' 个关键帧',
  keyword: ' 个关键词',
  'known issue': ' 个已知问题',
  layer: ' 个图层',
  line: ' 行',
  list: ' 个列表',
  minute: ' 分钟',
  movement: ' 笔变动',
  'new sticker': ' 个新贴纸',
  'other command': ' 个其他命令',
  'owned file': ' 个已拥有的文件',
  purchase: ' 笔购买',
  'registered default': ' 个已登记的替代素材',
  request: ' 个请求',
  second: ' 秒',
  slot: ' 个位置',
  sticker: ' 个贴纸',
  tip: ' 条提示',
  'valid line': ' 个有效行',
} as const;

export type Noun = keyof typeof NOUNS;

const countEn = {
  count: (number: string, noun: Noun, isOne: boolean) => `${number} ${noun}${isOne ? '' : 's'}`,
  costUnknown: 'cost not known yet',
  none: 'none',
};

const countZh: typeof countEn = {
  count: (number, noun) => `${number}${NOUNS[noun]}`,
  costUnknown: '费用尚不清楚',
  none: '无',
};

const countWords = wordsIn<typeof countEn>({ en: countEn, zh: countZh });

let typed: string | undefined;

/** Remembers the `--home` of a command line; the last one counts, as for the parser. */
export function rememberHome(args: readonly string[]): void {
  const end = args.indexOf('--');
  const own = end === -1 ? args : args.slice(0, end);
  typed = own
    .flatMap((arg, i) => (arg === '--home' ? (own[i + 1] ?? []) : (/^--home=(.+)$/s.exec(arg)?.[1] ?? [])))
    .at(-1);
}

/** ` --home DIR` for a command line to paste, where it was typed; else nothing. */
export function homeOption(): string {
  if (typed === undefined) return '';
  return ` --home ${shellWord(typed)}`;
}

/** A text in which each command of svcd in quotation marks names the home, where one was typed. */
export function namingHome(text: string): string {
  const option = homeOption();
  if (option === '') return text;
  return text
    .split('\n')
    .map((line) => namingIn(line, option))
    .join('\n');
}

/** What follows these words is to be run elsewhere, where the hub or its machines are, on a home that is not known here. */
const AT_HUB = /(?:\b(?:on|at) the hub|在集线器上|在每台机器上)[:, ]?.*?(?=; here|$)/i;

function namingIn(line: string, option: string): string {
  const elsewhere = AT_HUB.exec(line);
  if (elsewhere !== null) {
    const [said] = elsewhere;
    const end = elsewhere.index + said.length;
    return namingIn(line.slice(0, elsewhere.index), option) + said + namingIn(line.slice(end), option);
  }
  return line.replace(/(["“])(svcd (?!--|completion|help)[^"“”\n]*)(["”])/g, (quoted, open, command: string, close) => {
    if (/ --(?:home|help)\b/.test(command)) return quoted;
    // What follows is for the command that svcd runs.
    const [own = '', ...rest] = command.split(/(?= -- )/);
    return `${open}${own}${option}${rest.join('')}${close}`;
  });
}
