// What the service says about an account, as labels and values for a person: its fields are only partly documented.

import { formatNumber, formatValue, sanitize } from './format.js';
import { pairsOf, wordsBeside } from './language.js';

type Labels = Readonly<Record<string, string>>;

/** A row for each value; a list of plain values is one row. Labels are by the path of a field, or by one name of it. */
export function describeFields(
  fields: object | null,
  labels: Labels = fieldWords().labels,
): [label: string, value: string][] {
  return fields === null ? [] : rowsOf([], fields, labels);
}

/** A value of the service in words, where svcd knows them. */
export function describeValue(value: unknown): string {
  const { none, yes, no, values } = fieldWords();
  if (value === null || value === undefined || value === '') return none;
  if (typeof value === 'number') return formatNumber(value);
  if (typeof value === 'boolean') return value ? yes : no;
  return (typeof value === 'string' ? values[value] : undefined) ?? formatValue(value);
}

type Path = readonly (string | number)[];

function rowsOf(path: Path, value: unknown, labels: Labels): [string, string][] {
  if (Array.isArray(value)) {
    if (value.some(isNested)) return value.flatMap((one, i) => rowsOf([...path, i + 1], one, labels));
    const { join, none } = fieldWords();
    return [[labelOf(path, labels), value.length === 0 ? none : join(value.map(describeValue))]];
  }
  if (isNested(value)) return Object.entries(value).flatMap(([name, one]) => rowsOf([...path, name], one, labels));
  return [[labelOf(path, labels), value === null && isLimit(path) ? fieldWords().noLimit : describeValue(value)]];
}

function isNested(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function isLimit(path: Path): boolean {
  return path.some((part) => /limit|cap$|monthly_remaining/.test(String(part)));
}

/** Its documented label, else the names on the way to it as words: `rewards, no. 1, released at`. */
function labelOf(path: Path, labels: Labels): string {
  const { numbered, join } = fieldWords();
  const nameOf = (part: string) => labels[part] ?? sanitize(part.replaceAll('_', ' '));
  return labels[path.join('.')] ?? join(path.map((part) => (typeof part === 'number' ? numbered(part) : nameOf(part))));
}

const pairs = pairsOf({
  numbered: (number: number) => [`no. ${number}`, `第 ${number} 项`],
  join: (parts: readonly string[]) => [parts.join(', '), parts.join('，')],
  none: ['none', '无'],
  noLimit: ['no limit', '不限'],
  yes: ['yes', '是'],
  no: ['no', '否'],
  /** By the path of the field. */
  labels: {
    'key.kind': ['kind of Key', 'Key 的种类'],
    'key.status': ['state of the Key', 'Key 的状态'],
    'key.limits.per_request': ['limit of the Key per request', 'Key 每次请求的上限'],
    'key.limits.daily': ['limit of the Key per day', 'Key 每天的上限'],
    'key.limits.monthly': ['limit of the Key per month', 'Key 每月的上限'],
    'key.permissions': ['permissions of the Key', 'Key 的权限'],
    'key.monthly_cap': ['limit of the Key per month', 'Key 每月的上限'],
    'key.monthly_remaining': ['left of it this month', '本月剩余'],
    balance: ['balance of the account', '账户余额'],
    pending_credits: ['credits that are not released yet', '尚未发放的积分'],
  },
});

const en = {
  values: {} as Readonly<Record<string, string>>,
};

const zh: typeof en = {
  values: {
    general: '通用',
    package: '模板包',
    active: '有效',
    disabled: '已停用',
    available: '可用',
    beta: '测试版',
    planned: '计划中',
  },
};

const fieldWords = wordsBeside(pairs, { en, zh });
