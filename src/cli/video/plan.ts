// svcd plan: what the slots of a video would get and cost. Nothing is bought.

import { resolve } from 'node:path';
import type { Plan } from '../../api/plan.js';
import { SvcdError } from '../../model/errors.js';
import { openPackage } from '../../video/template/open-package.js';
import { withClient } from '../connection/client.js';
import { type Bodies, command, type CommandBody, switchOption, textOption } from '../command.js';
import { describePlan } from './describe-plan.js';
import { formatCount } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { capabilitiesOf, makePlan } from '../../video/apply/plan-copy.js';
import { readCredits } from '../terminal/options.js';
import { printAnswer } from '../terminal/output.js';
import { nameOfCopy, readCopy } from '../../video/apply/read-copy.js';
import { tellStage } from './register-stage.js';
import { readPlan } from '../../video/apply/saved-plan.js';
import { writeTargetFile } from '../terminal/target-file.js';
import { planWords } from './plan-words.js';

const words = planWords();

const makeCommand: CommandBody = {
  options: {
    copy: textOption(words.copy),
    out: textOption(words.out),
    'fail-over': textOption(words.failOver),
    'max-credits': textOption(words.maxCredits),
    refresh: switchOption(words.refresh),
    'changed-on-purpose': switchOption(words.changedOnPurpose),
  },
  examples: [
    `svcd plan --copy copy.txt # ${words.exampleCopy}`,
    `svcd plan card.motion --copy copy.json --out plan.json # ${words.exampleTemplate}`,
    `svcd plan --copy copy.json --fail-over 0 --json # ${words.exampleFailOver}`,
    `svcd plan show plan.json # ${words.exampleShow}`,
  ],
  run: async (input) => {
    const failOver = readCredits(input, 'fail-over');
    const maxCredits = readCredits(input, 'max-credits');
    const copy = input.text('copy');
    if (copy === undefined) {
      throw invalidArgument(words.copyMissing, words.copyMissingHint);
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
      const message = words.costsTooMuch(formatCount(plan.cost, 'credit'), failOver);
      throw new SvcdError('budget', message);
    }
  },
};

const showCommand: CommandBody = {
  examples: [`svcd plan show plan.json # ${words.exampleShowOnly}`],
  run: async (input) => printAnswer({ json: input.json }, readPlan(input.word('file')), describePlan),
};

export const bodies: Bodies = {
  plan: {
    commands: [command('make [package]', words.make, makeCommand), command('show <file>', words.show, showCommand)],
    otherwise: 'make',
    examples: makeCommand.examples,
  },
};

/** Where to write. Throws `invalid_argument` for a file that is read. */
function findTarget(input: Input, read: readonly (string | undefined)[]): string | undefined {
  const out = input.text('out');
  if (out === undefined) return undefined;
  if (out === '' || out === '-') throw invalidArgument(words.outNeedsName, words.outHint);
  if (read.some((one) => one !== undefined && resolve(one) === resolve(out))) {
    throw invalidArgument(words.overwrites(out), words.nameAnother);
  }
  return out;
}

function write(file: string, plan: Plan): void {
  writeTargetFile(file, new TextEncoder().encode(`${JSON.stringify(plan, undefined, 2)}\n`));
}
