// How a person reads what the sandbox's control surface answers: every answer by its fields, a list as a table of them.

import { describeFields, describeValue } from '../terminal/describe-fields.js';
import { formatTable, formatTableWithHead } from '../terminal/format.js';
import { sandboxWords } from './words.js';

type Fields = Readonly<Record<string, unknown>>;

/** Numbers that are typed again as they are, and not counted. */
const NAMES = new Set(['id', 'seed']);

/** Lines of names and values; of a list its rows by `columns` (`more` for all other fields), then what stands beside it. */
export function describeAnswer(answer: object, list = '', columns: readonly string[] = []): string[] {
  const { [list]: rows, ...rest } = answer as Fields;
  const lines = describeFields(asTyped(rest), sandboxWords().labels);
  return [...(Array.isArray(rows) ? tableOf(rows as Fields[], columns) : []), ...formatTable(lines)];
}

function tableOf(rows: readonly Fields[], columns: readonly string[]): string[] {
  const { labels, empty } = sandboxWords();
  if (rows.length === 0) return [empty];
  const cellsOf = (row: Fields) => {
    const more = Object.fromEntries(Object.entries(row).filter(([name]) => !columns.includes(name)));
    return columns.map((name) => cellOf(asTyped({ more, ...row })[name]));
  };
  return formatTableWithHead(
    columns.map((name) => labels[name] ?? name.replaceAll('_', ' ')),
    rows.map(cellsOf),
  );
}

/** Empty for what is not there; of a list of names how many they are. */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'object') return describeValue(value);
  if (!Array.isArray(value)) {
    const set = describeFields(value, sandboxWords().labels).filter((_, at) => Object.values(value)[at] !== null);
    return set.map((pair) => pair.join(' ')).join(', ');
  }
  const isList = value.some((one) => typeof one === 'object');
  return isList
    ? value.map((one: Fields) => Object.values(one).map(describeValue).join(' ')).join('; ')
    : `${value.length}`;
}

/** Numbers as they are typed again; of a Key that came with a purchase itself alone. */
function asTyped(fields: Fields): Fields {
  const told = Object.entries(fields).map(([name, value]) => {
    if (name === 'key' && typeof value === 'object') return [name, (value as { key: string }).key];
    return [name, NAMES.has(name) ? String(value) : value];
  });
  return Object.fromEntries(told) as Fields;
}
