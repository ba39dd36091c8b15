// svcd plan: what the slots of a video would get and cost. Nothing is bought.

import { resolve } from 'node:path';
import type { Plan } from '../../api/plan.js';
import { SvcdError } from '../../model/errors.js';
import { openPackage } from '../../template/open-package.js';
import { withClient } from '../client.js';
import { type Bodies, command, type CommandBody, switchOption, textOption } from '../command.js';
import { describePlan } from '../describe-plan.js';
import { formatCount } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { capabilitiesOf, makePlan } from '../make-plan.js';
import { readCredits } from '../options.js';
import { printAnswer } from '../output.js';
import { nameOfCopy, readCopy } from '../read-copy.js';
import { tellStage } from '../register-stage.js';
import { readPlan } from '../saved-plan.js';
import { openTargetFile } from '../target-file.js';

const makeCommand: CommandBody = {
  options: {
    copy: textOption('File with the copy: JSON, or a line of text for each slot; - for stdin.'),
    out: textOption('Also write the plan to this file.'),
    'fail-over': textOption('Exit with 11 when it costs more credits than this.'),
    'max-credits': textOption('Plan with at most so many credits.'),
    refresh: switchOption('Ask the service for the balance and for matches first; free.'),
    'changed-on-purpose': switchOption('Take a package that is not as it was published.'),
  },
  examples: [
    'svcd plan --copy copy.txt # what each line gets and costs',
    'svcd plan card.motion --copy copy.json --out plan.json # for a template, saved',
    'svcd plan --copy copy.json --fail-over 0 --json # in CI: everything must be owned',
    'svcd plan show plan.json # a saved plan, without a daemon',
  ],
  run: async (input) => {
    const failOver = readCredits(input, 'fail-over');
    const maxCredits = readCredits(input, 'max-credits');
    const copy = input.text('copy');
    if (copy === undefined) {
      throw invalidArgument('--copy is missing', 'Name a file with the copy, or - for stdin. See "svcd plan --help".');
    }
    const path = input.findWord('package');
    const out = findTarget(input, [copy, path]);
    const read = await readCopy(copy);
    const changedOnPurpose = input.flag('changed-on-purpose') ?? false;
    const template =
      path === undefined ? undefined : await openPackage(path, { changedOnPurpose, command: 'svcd plan' });
    const question = { read, copyName: nameOfCopy(copy), template, maxCredits, refresh: input.flag('refresh') };
    const plan = await withClient({ ...input, spends: true }, (client) => makePlan(client, question));
    if (out !== undefined) write(out, plan);
    // Known issues and a newer version stand above the plan.
    if (template !== undefined)
      await tellStage(input, template, { stage: 'plan', materials: capabilitiesOf(read.copy) });
    await printAnswer(input, plan, describePlan);
    if (failOver !== undefined && plan.cost > failOver) {
      const message = `the plan costs ${formatCount(plan.cost, 'credit')}, and --fail-over allows ${failOver}`;
      throw new SvcdError('budget', message);
    }
  },
};

const showCommand: CommandBody = {
  examples: ['svcd plan show plan.json # what was planned, without a daemon'],
  run: async (input) => printAnswer({ json: input.json }, readPlan(input.word('file')), describePlan),
};

export const bodies: Bodies = {
  plan: {
    commands: [
      command('make [package]', 'Plan for a file of copy; "make" may be left out.', makeCommand),
      command('show <file>', 'Print a saved plan. Needs no daemon.', showCommand),
    ],
    otherwise: 'make',
    examples: makeCommand.examples,
  },
};

/** Where to write. Throws `invalid_argument` for a file that is read. */
function findTarget(input: Input, read: readonly (string | undefined)[]): string | undefined {
  const out = input.text('out');
  if (out === undefined) return undefined;
  if (out === '' || out === '-') throw invalidArgument('--out needs the name of a file', '--json prints to stdout.');
  if (read.some((one) => one !== undefined && resolve(one) === resolve(out))) {
    throw invalidArgument(`--out ${out} would overwrite what the plan is made of`, 'Name another file.');
  }
  return out;
}

function write(file: string, plan: Plan): void {
  const target = openTargetFile(file);
  try {
    target.commit(new TextEncoder().encode(`${JSON.stringify(plan, undefined, 2)}\n`));
  } finally {
    target.abandon();
  }
}
