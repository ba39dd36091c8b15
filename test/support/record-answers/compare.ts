// Prints each difference between two recordings: `tsx compare.ts BEFORE AFTER [part of a key]`. Exit code 1 if there is any.

import { readFileSync } from 'node:fs';

type Recording = Readonly<Record<string, unknown>>;

const [before = '', after = '', part = ''] = process.argv.slice(2);
const [old, now] = [read(before), read(after)];
let different = 0;
for (const key of new Set([...Object.keys(old), ...Object.keys(now)])) {
  if (!key.includes(part)) continue;
  const lines = differences(old[key], now[key]);
  if (lines.length === 0) continue;
  different++;
  print(`## ${key}`, ...lines, '');
}
print(`${different} of ${Object.keys(old).length} answers before and ${Object.keys(now).length} after differ`);
process.exitCode = different === 0 ? 0 : 1;

function print(...lines: readonly string[]): void {
  process.stdout.write(`${lines.join('\n')}\n`);
}

function read(file: string): Recording {
  return JSON.parse(readFileSync(file, 'utf8')) as Recording;
}

/** A line for each value that differs, with where it stands in the answer. */
function differences(one: unknown, other: unknown, where = ''): string[] {
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  if (isLines(one) && isLines(other)) return changedLines(one, other).map((line) => `${where} ${line}`);
  if (!isObject(one) || !isObject(other)) return [`${where} - ${shown(one)}`, `${where} + ${shown(other)}`];
  const keys = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...keys].flatMap((key) => differences(one[key], other[key], where === '' ? key : `${where}.${key}`));
}

/** Lines that only one of them has. */
function changedLines(one: readonly string[], other: readonly string[]): string[] {
  const gone = one.filter((line) => !other.includes(line)).map((line) => `- ${line}`);
  const come = other.filter((line) => !one.includes(line)).map((line) => `+ ${line}`);
  return gone.length + come.length > 0 ? [...gone, ...come] : ['the same lines in another order, or another number'];
}

function isLines(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((line) => typeof line === 'string');
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function shown(value: unknown): string {
  const text = value === undefined ? '(nothing)' : JSON.stringify(value);
  return text.length > 600 ? `${text.slice(0, 600)}…` : text;
}
