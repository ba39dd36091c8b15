// Values as text for people: safe for a terminal, in columns, in color where that is allowed.

import { refusesColor } from '../../config/environment.js';
import { fitTable, type Room, type Saving } from './fit-table.js';
import { namingHome } from './home-option.js';
import { countWords, type Noun } from './counts-words.js';

export { displayWidth } from './text-width.js';

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
  return sanitize(typeof value === 'string' ? value : JSON.stringify(value));
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
