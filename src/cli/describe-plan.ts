// A plan as a person reads it, on lines of at most 80 columns: a table of the slots, the money, what to know besides.

import type { Plan, PlanSlot } from '../api/plan.js';
import { fitTable, type Saving } from './fit-table.js';
import { formatCount, openPaint, sanitize, terminalWidth } from './format.js';
import { wrapText } from './text-width.js';

/** Also for a program: it is read in logs of CI. */
const WIDTH = 80;
const HEAD = ['slot', 'title', 'preset', 'fit', 'price'];
const SAVINGS: readonly Saving[] = [
  ['title', 10],
  ['slot', 10],
  ['title', 'nothing'],
];
const REASONS = 2;

/** Lines for a plan, new or read from a file. */
export function describePlan(plan: Plan): string[] {
  const paint = openPaint();
  const width = Math.min(WIDTH, terminalWidth());
  const below = (row: number) =>
    reasonsOf(plan.slots[row]).flatMap((line) => wrap(line, width, '  ', '  ').map(paint.faint));
  const table = { head: HEAD, rows: plan.slots.map(rowOf), savings: SAVINGS, below };
  const money = moneyOf(plan).flatMap(([name, value]) => wrap(`${name}: ${value}`, width));
  const warnings = groupWarnings(plan).flatMap((line) => wrap(line, width));
  return [
    ...fitTable(table, { width, faint: paint.faint }),
    '',
    ...money,
    ...(warnings.length === 0 ? [] : ['', ...warnings]),
  ];
}

function rowOf(slot: PlanSlot): string[] {
  const id = sanitize(slot.id);
  if ('image' in slot) return [id, 'image', sanitize(slot.image.size), '', priceOf(slot)];
  if (slot.preset === null) return [id, 'nothing found', '', '', ''];
  const { title = '', preset, fit = '' } = slot;
  return [id, sanitize(title), sanitize(preset), fit, priceOf(slot)];
}

function priceOf({ have, cost, price, purchase }: PlanSlot): string {
  if (purchase !== undefined) return 'in doubt';
  if (have !== 'no') return { owned: 'owned', own: 'yours', shipped: "svcd's own" }[have];
  return cost === 0 && price > 0 ? 'paid above' : formatCount(cost, 'credit');
}

/** Why this one, and what else there is. */
function reasonsOf(slot: PlanSlot | undefined): string[] {
  if (slot === undefined || 'image' in slot) return [];
  const others = slot.others.map(({ title, have }) => (have === 'owned' ? `${title} (owned)` : title));
  const parts = [slot.why.slice(0, REASONS).join(', '), ...(others.length === 0 ? [] : [`or ${others.join(', ')}`])];
  const line = parts.filter((part) => part !== '').join('; ');
  return line === '' ? [] : [sanitize(line)];
}

function moneyOf({ cost, left, fits, short_of: shortOf, would_fit: wouldFit }: Plan): [string, string][] {
  const limits: [string, number | null | undefined][] = [
    ['in one request', left?.request],
    ['today', left?.day],
    ['this month', left?.month],
    ['for this token', left?.token],
    ['in the account', left?.account],
  ];
  const known = limits.flatMap(([name, credits]) => (typeof credits === 'number' ? [`${credits} ${name}`] : []));
  const told = left?.account_as_of ?? undefined;
  const asOf = told === undefined ? '' : ` (told ${sanitize(told)})`;
  return [
    ['Cost', formatCount(cost, 'credit')],
    ...(known.length === 0 ? [] : [['Left', known.join(', ') + asOf] as [string, string]]),
    ...(fits
      ? []
      : [['Does not fit', shortOf === null ? 'nothing can be bought now' : sanitize(shortOf)] as [string, string]]),
    ...(wouldFit.length === 0 ? [] : [['Would fit', wouldFit.map(sanitize).join(', ')] as [string, string]]),
  ];
}

/** A line for each thing to know, with all slots that it holds for. */
function groupWarnings({ warnings }: Plan): string[] {
  const slots = new Map<string, string[]>();
  for (const { words, slot } of warnings)
    slots.set(words, [...(slots.get(words) ?? []), ...(slot === undefined ? [] : [slot])]);
  return [...slots].map(([words, ids]) => `! ${ids.length === 0 ? '' : `${ids.join(', ')}: `}${words}`).map(sanitize);
}

/** Lines of at most so many columns, those after the first indented. */
function wrap(text: string, width: number, indent = '  ', first = ''): string[] {
  return wrapText(text, width - indent.length).map((line, i) => (i === 0 ? first : indent) + line);
}
