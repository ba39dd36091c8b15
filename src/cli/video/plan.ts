// svcd plan: what the slots of a video would get and cost. Nothing is bought. A person reads it on lines of at most 80 columns: a
// table of the slots, the money, what to know besides.

import { resolve } from 'node:path';
import { chosenIn, type Plan, type PlanSlot } from '../../api/plan.js';
import type { Projects } from '../../api/collections.js';
import type { Copy } from '../../api/slot.js';
import { SvcdError } from '../../model/errors.js';
import { STYLE_KINDS } from '../../model/sticker.js';
import type { Connect } from '../../video/apply/asker.js';
import { capabilitiesOf, makePlan } from '../../video/apply/plan-copy.js';
import { type NamedCopy, readCopy } from '../../video/apply/read-copy.js';
import { readPlan } from '../../video/apply/saved-plan.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { type Bodies, command, choiceOption, type CommandBody, switchOption, textOption } from '../command.js';
import { withClient } from '../connection/client.js';
import { fitTable, type Saving, wrapText } from '../terminal/fit-table.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, inLocalTime, openPaint, sanitize, terminalWidth } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { readCredits } from '../terminal/options.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { noteFilling } from '../terminal/progress.js';
import { writeTargetFile } from '../terminal/target-file.js';
import { readStdinBytes } from '../terminal/terminal-input.js';
import { tellStage } from './register-stage.js';
import { TELLING } from './telling.js';
import { videoWords } from './words.js';

const { plan: words, ...common } = videoWords();

export const COPY_OPTIONS = {
  copy: textOption(common.copy),
  project: textOption(common.project),
  'changed-on-purpose': switchOption(common.changedOnPurpose),
};

const ENOUGH = ['strong', 'fair'] as const;

/** How the file of a plan begins, which a new one replaces. */
const PLAN = /^\{\s*"plan":/;

const make: CommandBody = {
  options: {
    ...COPY_OPTIONS,
    out: textOption(words.out),
    'fail-over': textOption(words.failOver),
    'max-credits': textOption(words.maxCredits),
    refresh: switchOption(words.refresh),
    'fit-at-least': choiceOption(words.fitAtLeast, ENOUGH),
    style: textOption(words.style),
    'style-kind': choiceOption(words.styleKind, STYLE_KINDS),
  },
  run: async (input) => {
    const failOver = readCredits(input, 'fail-over');
    const maxCredits = readCredits(input, 'max-credits');
    const out = findTarget(input, [copyFileIn(input, 'plan'), input.findWord('package')]);
    const { named, template } = await readInput(input, 'plan');
    const question = {
      named,
      template,
      maxCredits,
      refresh: input.flag('refresh'),
      fitAtLeast: input.choice('fit-at-least', ENOUGH),
      style: input.text('style'),
      styleKind: input.choice('style-kind', STYLE_KINDS),
    };
    let notes: string[] = [];
    const plan = await withClient({ ...input, spends: true }, async (client) => {
      const made = await makePlan(client, question, TELLING.words);
      if (!input.json) notes = noteFilling((await client.status()).library);
      return made;
    });
    if (out !== undefined) {
      writeTargetFile(out, new TextEncoder().encode(`${JSON.stringify(plan, undefined, 2)}\n`), PLAN);
    }
    // Known issues and a newer version stand above the plan.
    if (template !== undefined) {
      await tellStage(input, template, { stage: 'plan', materials: capabilitiesOf(named.copy.slots) });
    }
    await printAnswer(input, plan, (made) => describePlan(made, notes.length > 0));
    notes.forEach(printNote);
    if (failOver !== undefined && plan.cost > failOver) {
      throw new SvcdError('budget', words.costsTooMuch(formatCount(plan.cost, 'credit'), failOver));
    }
  },
};

const show: CommandBody = {
  run: async (input) =>
    printAnswer({ json: input.json }, readPlan(input.word('file'), TELLING.words), (plan) => describePlan(plan)),
};

export const bodies: Bodies = {
  plan: {
    commands: [command('make [package]', words.make, make), command('show <file>', words.show, show)],
    otherwise: 'make',
    examples: words.make.examples,
  },
};

/** Where to write. Throws `invalid_argument` for a file that is read. */
function findTarget(input: Input, read: readonly (string | undefined)[]): string | undefined {
  const out = input.text('out');
  if (out === undefined) return undefined;
  if (out === '' || out === '-') throw invalidArgument(common.outNeedsName('file'), words.outHint);
  if (read.some((one) => one !== undefined && resolve(one) === resolve(out))) {
    throw invalidArgument(words.overwrites(out), words.nameAnother);
  }
  return out;
}

/** Also for a program: it is read in logs of CI. */
const WIDTH = 80;
const COLUMNS = ['slot', 'title', 'preset', 'fit', 'price'] as const;
const REASONS = 2;

/** Lines for a plan, new or read from a file; with `isNoted` what is said beside it of the library is left out. */
function describePlan(plan: Plan, isNoted = false): string[] {
  const paint = openPaint();
  const width = Math.min(WIDTH, terminalWidth());
  const below = (row: number) =>
    reasonsOf(plan.slots[row]).flatMap((line) => wrap(line, width, '  ', '  ').map(paint.faint));
  const { head } = words;
  const savings: readonly Saving[] = [
    [head.title, 10],
    [head.slot, 10],
    [head.title, 'nothing'],
  ];
  const table = { head: COLUMNS.map((name) => head[name]), rows: plan.slots.map(rowOf), savings, below };
  const money = moneyOf(plan).flatMap(([name, value]) => wrap(`${name}${common.colon}${value}`, width));
  const warnings = groupWarnings(plan, isNoted).flatMap((line) => wrap(line, width));
  return [
    ...fitTable(table, { width, faint: paint.faint }),
    '',
    ...money,
    ...(warnings.length === 0 ? [] : ['', ...warnings]),
  ];
}

function rowOf(slot: PlanSlot): string[] {
  const id = sanitize(slot.id);
  if ('image' in slot) return [id, words.image, sanitize(slot.image.size), '', priceOf(slot)];
  const chosen = chosenIn(slot);
  if (chosen === null) return [id, common.nothingFound, '', '', ''];
  const suits = 'track' in slot || slot.fit === undefined ? '' : words.fits[slot.fit];
  return [id, sanitize(slot.title ?? ''), sanitize(chosen), suits, priceOf(slot)];
}

function priceOf({ have, cost, price, purchase }: PlanSlot): string {
  if (purchase !== undefined) return common.inDoubt;
  if (have !== 'no') return common.have[have];
  return cost === 0 && price > 0 ? words.paidAbove : formatCount(cost, 'credit');
}

/** Why this one, and what else there is. */
function reasonsOf(slot: PlanSlot | undefined): string[] {
  if (slot === undefined || 'image' in slot) return [];
  const others = slot.others.map((one) =>
    'have' in one && one.have === 'owned' ? words.titleOwned(one.title) : one.title,
  );
  const parts = [
    ('track' in slot ? [] : slot.why.map(errorWords().translated)).slice(0, REASONS).join(common.join),
    ...(others.length === 0 ? [] : [words.or(others.join(common.join))]),
  ];
  const line = parts.filter((part) => part !== '').join(words.joinParts);
  return line === '' ? [] : [sanitize(line)];
}

const LIMITS = ['request', 'day', 'month', 'token', 'account'] as const;

function moneyOf({ cost, left, fits, short_of: shortOf, would_fit: wouldFit }: Plan): [string, string][] {
  const known = LIMITS.flatMap((limit) => {
    const credits = left?.[limit];
    return typeof credits === 'number' ? [words.limits[limit](credits)] : [];
  });
  const told = left?.account_as_of ?? undefined;
  const asOf = told === undefined ? '' : words.toldAt(sanitize(inLocalTime(told)));
  return [
    [words.cost, formatCount(cost, 'credit')],
    ...(known.length === 0 ? [] : [[words.left, known.join(common.join) + asOf] as [string, string]]),
    ...(fits
      ? []
      : [[words.doesNotFit, shortOf === null ? words.nothingNow : leftOf(shortOf, left)] as [string, string]]),
    ...(wouldFit.length === 0 ? [] : [[words.wouldFit, wouldFit.map(sanitize).join(common.join)] as [string, string]]),
  ];
}

/** What is left by a limit. */
export function leftOf(shortOf: string, left: Plan['left']): string {
  const limit = LIMITS.find((one) => one === shortOf);
  return limit === undefined ? '--max-credits' : words.limits[limit](left?.[limit] ?? 0);
}

/** A line for each thing to know, with all slots that it holds for. */
function groupWarnings({ warnings }: Plan, isNoted: boolean): string[] {
  const slots = new Map<string, string[]>();
  // What is over a limit is told with the cost.
  for (const { code, words: told, slot } of warnings)
    if (code !== 'over_budget' && !(isNoted && code === 'library_incomplete'))
      slots.set(told, [...(slots.get(told) ?? []), ...(slot === undefined ? [] : [slot])]);
  return [...slots]
    .map(
      ([told, ids]) =>
        `! ${ids.length === 0 ? '' : `${ids.join(', ')}${common.colon}`}${errorWords().translated(told)}`,
    )
    .map(sanitize);
}

/** Lines of at most so many columns, those after the first indented. */
function wrap(text: string, width: number, indent = '  ', first = ''): string[] {
  return wrapText(text, width - indent.length).map((line, i) => (i === 0 ? first : indent) + line);
}

/** The name of the file of copy. Throws `invalid_argument`. */
export function copyFileIn(input: Input, verb: string): string {
  const file = input.text('copy') ?? input.text('project');
  if (file === undefined) throw invalidArgument(common.copyMissing, common.copyMissingHint(verb));
  return file;
}

/** The copy and the package that were named. Throws `invalid_argument`, and what opening a package throws. */
export async function readInput(
  input: Input,
  verb: string,
): Promise<{ named: NamedCopy; template: TemplatePackage | undefined }> {
  const project = input.text('project');
  if (project !== undefined && input.text('copy') !== undefined) throw invalidArgument(common.copyOrProject);
  const named =
    project === undefined
      ? await readCopy(copyFileIn(input, verb), () => readStdinBytes(common.theCopy), TELLING.words)
      : await readProject(project, input);
  const path = input.findWord('package');
  const changedOnPurpose = input.flag('changed-on-purpose') ?? false;
  const options = { changedOnPurpose, command: `svcd ${verb}` };
  return { named, template: path === undefined ? undefined : await openPackage(path, options) };
}

/** A script that the page keeps. Throws `invalid_argument`. */
async function readProject(name: string, input: Input): Promise<NamedCopy> {
  return withClient(input, async (client) => {
    const { projects } = await client.ask<Projects>('GET', '/svcd/projects');
    const [found, other] = projects.filter((one) => (one.name !== '' && one.name === name) || one.id === name);
    if (found !== undefined && other === undefined) {
      return { name, copy: await client.ask<Copy>('GET', `/svcd/projects/${found.id}/copy`) };
    }
    const names = projects.map((one) => one.name || one.id).join(common.join);
    const hint = names === '' ? undefined : common.nameAnother(names);
    throw invalidArgument(found === undefined ? common.noProject(name) : common.twoProjects(name), hint);
  });
}

/** Asks the daemon, or the same app in this process. */
export function connectFor(input: Input, spends: boolean): Connect {
  return (work) => withClient({ ...input, spends }, work);
}
