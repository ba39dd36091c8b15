// A plan as a person reads it, on lines of at most 80 columns: a table of the slots, the money, what to know besides.

import type { Plan, PlanSlot } from '../../api/plan.js';
import { fitTable, type Saving } from '../terminal/fit-table.js';
import { formatCount, openPaint, sanitize, terminalWidth } from '../terminal/format.js';
import { wrapText } from '../terminal/text-width.js';
import { planWords } from './plan-words.js';

/** Also for a program: it is read in logs of CI. */
const WIDTH = 80;
const COLUMNS = ['slot', 'title', 'preset', 'fit', 'price'] as const;
const REASONS = 2;

/** Lines for a plan, new or read from a file. */
export function describePlan(plan: Plan): string[] {
  const paint = openPaint();
  const width = Math.min(WIDTH, terminalWidth());
  const below = (row: number) =>
    reasonsOf(plan.slots[row]).flatMap((line) => wrap(line, width, '  ', '  ').map(paint.faint));
  const { head } = planWords();
  const savings: readonly Saving[] = [
    [head.title, 10],
    [head.slot, 10],
    [head.title, 'nothing'],
  ];
  const table = { head: COLUMNS.map((name) => head[name]), rows: plan.slots.map(rowOf), savings, below };
  const money = moneyOf(plan).flatMap(([name, value]) => wrap(`${name}${planWords().colon}${value}`, width));
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
  if ('image' in slot) return [id, planWords().image, sanitize(slot.image.size), '', priceOf(slot)];
  if (slot.preset === null) return [id, planWords().nothingFound, '', '', ''];
  const { title = '', preset, fit } = slot;
  const suits = fit === undefined ? '' : planWords().fits[fit];
  return [id, sanitize(title), sanitize(preset), suits, priceOf(slot)];
}

function priceOf({ have, cost, price, purchase }: PlanSlot): string {
  if (purchase !== undefined) return planWords().inDoubt;
  if (have !== 'no') return planWords().have[have];
  return cost === 0 && price > 0 ? planWords().paidAbove : formatCount(cost, 'credit');
}

/** Why this one, and what else there is. */
function reasonsOf(slot: PlanSlot | undefined): string[] {
  if (slot === undefined || 'image' in slot) return [];
  const words = planWords();
  const others = slot.others.map(({ title, have }) => (have === 'owned' ? words.titleOwned(title) : title));
  const parts = [slot.why.slice(0, REASONS).join(words.join), ...(others.length === 0 ? [] : [words.or(others)])];
  const line = parts.filter((part) => part !== '').join(words.joinParts);
  return line === '' ? [] : [sanitize(line)];
}

const LIMITS = ['request', 'day', 'month', 'token', 'account'] as const;

function moneyOf({ cost, left, fits, short_of: shortOf, would_fit: wouldFit }: Plan): [string, string][] {
  const words = planWords();
  const known = LIMITS.flatMap((limit) => {
    const credits = left?.[limit];
    return typeof credits === 'number' ? [words.limits[limit](credits)] : [];
  });
  const told = left?.account_as_of ?? undefined;
  const asOf = told === undefined ? '' : words.toldAt(sanitize(told));
  return [
    [words.cost, formatCount(cost, 'credit')],
    ...(known.length === 0 ? [] : [[words.left, known.join(words.join) + asOf] as [string, string]]),
    ...(fits ? [] : [[words.doesNotFit, shortOf === null ? words.nothingNow : sanitize(shortOf)] as [string, string]]),
    ...(wouldFit.length === 0 ? [] : [[words.wouldFit, wouldFit.map(sanitize).join(words.join)] as [string, string]]),
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
