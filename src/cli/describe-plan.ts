// A plan as a person reads it, on lines of at most 80 columns: a table of the slots, the money, what to know besides.

import type { Plan, PlanSlot } from '../api/plan.js';
import { displayWidth, formatCount, formatTableWithHead, openPaint, sanitize } from './format.js';
import { planWords } from './words/plan.js';

const WIDTH = 80;
const SLOT_WIDTH = 12;
const TITLE_WIDTH = 14;
const COLUMNS = ['slot', 'title', 'preset', 'fit', 'price'] as const;
const PRESET = COLUMNS.indexOf('preset');
const GAPS = 2 * (COLUMNS.length - 1);
const REASONS = 2;

/** Lines for a plan, new or read from a file. */
export function describePlan(plan: Plan): string[] {
  const paint = openPaint();
  const [head = '', ...rows] = formatTableWithHead(headOf(), narrow(plan.slots.map(rowOf)));
  const table = rows.flatMap((row, i) => [row, ...reasonsOf(plan.slots[i]).map(paint.faint)]);
  const money = moneyOf(plan).flatMap(([name, value]) => wrap(`${name}${planWords().colon}${value}`, '  '));
  const warnings = groupWarnings(plan).flatMap((line) => wrap(line, '  '));
  return [head, ...table, '', ...money, ...(warnings.length === 0 ? [] : ['', ...warnings])];
}

/** The same rows, the presets cut to what the other columns leave. */
function narrow(rows: readonly string[][]): string[][] {
  const widthOf = (column: number) => Math.max(...[headOf(), ...rows].map((row) => displayWidth(row[column] ?? '')));
  const others = COLUMNS.reduce((sum: number, _, column) => (column === PRESET ? sum : sum + widthOf(column)), GAPS);
  return rows.map((row) => row.with(PRESET, cut(row[PRESET] ?? '', WIDTH - others)));
}

function headOf(): string[] {
  return COLUMNS.map((name) => planWords().head[name]);
}

function rowOf(slot: PlanSlot): string[] {
  const id = cut(slot.id, SLOT_WIDTH);
  if ('image' in slot) return [id, planWords().image, sanitize(slot.image.size), '', priceOf(slot)];
  if (slot.preset === null) return [id, planWords().nothingFound, '', '', ''];
  const { title = '', preset, fit } = slot;
  const suits = fit === undefined ? '' : planWords().fits[fit];
  return [id, cut(title, TITLE_WIDTH), sanitize(preset), suits, priceOf(slot)];
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
  return line === '' ? [] : [`  ${cut(line, WIDTH - 2)}`];
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

/** Text that takes at most `width` columns. */
function cut(text: string, width: number): string {
  const clean = sanitize(text);
  if (displayWidth(clean) <= width) return clean;
  let kept = '';
  for (const character of clean) {
    if (displayWidth(kept + character) > width - 1) break;
    kept += character;
  }
  return `${kept}…`;
}

/** Lines of at most 80 columns, broken between words; those after the first are indented. */
function wrap(text: string, indent: string): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && displayWidth(`${line} ${word}`) > WIDTH) {
      lines.push(line);
      line = indent + word;
    } else {
      line = line === '' ? word : `${line} ${word}`;
    }
  }
  return [...lines, line];
}
