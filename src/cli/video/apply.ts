// svcd apply and svcd fetch: the files of a video and the lock that names them, made once and brought back by it.

import { FORMS } from '../../model/asset.js';
import type { LockedAsset } from '../../api/lock.js';
import type { PlanSlot } from '../../api/plan.js';
import { SvcdError } from '../../model/errors.js';
import { openPackage } from '../../video/template/open-package.js';
import { applyAssets, type Applied, type Proposal } from '../../video/apply/apply.js';
import { withClient } from '../connection/client.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { fetchLocked, type Fetched } from '../../video/apply/fetch-locked.js';
import { ASSETS_FOLDER } from '../../video/lock/find-lock.js';
import { formatCount, formatTable, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument, wrongValue } from '../terminal/invalid-argument.js';
import { readCredits } from '../terminal/options.js';
import { capabilitiesOf } from '../../video/apply/plan-copy.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { nameOfCopy, readCopy } from '../../video/apply/read-copy.js';
import { readPlan } from '../../video/apply/saved-plan.js';
import { tellStage } from './register-stage.js';
import { refuseHome } from '../terminal/target-file.js';
import { agrees } from '../terminal/terminal-input.js';
import { applyWords } from './apply-words.js';

const words = applyWords();

const TITLE_MAX = 60;

const apply: CommandBody = {
  options: {
    copy: textOption(words.copy),
    out: textOption(words.applyOut(ASSETS_FOLDER)),
    plan: textOption(words.plan),
    'max-credits': textOption(words.maxCredits),
    yes: { ...switchOption(words.yes), alias: 'y' },
    strict: switchOption(words.strict),
    update: textOption(words.update),
    'replace-defaults': switchOption(words.replaceDefaults),
    'changed-on-purpose': switchOption(words.changedOnPurpose),
    form: textOption(words.form(FORMS)),
  },
  examples: [
    `svcd apply --copy copy.json # ${words.applyExample}`,
    `svcd apply --copy copy.json --out public/svcd --yes --max-credits 20 --strict # ${words.applyExampleScript}`,
    `svcd apply --copy copy.json --update opening # ${words.applyExampleUpdate}`,
  ],
  run: async (input) => {
    const out = input.text('out') ?? ASSETS_FOLDER;
    if (out === '') throw invalidArgument(words.outNeedsName);
    refuseHome(out, await input.home());
    const copyFile = input.text('copy');
    if (copyFile === undefined) throw invalidArgument(words.copyMissing, words.copyMissingHint);
    const planFile = input.text('plan');
    const maxCredits = readCredits(input, 'max-credits');
    const form = formOf(input);
    const { copy, sha256 } = await readCopy(copyFile);
    const plan = planFile === undefined ? undefined : { file: planFile, plan: readPlan(planFile) };
    const packaged = input.findWord('package');
    const changedOnPurpose = input.flag('changed-on-purpose') ?? false;
    const template =
      packaged === undefined ? undefined : await openPackage(packaged, { changedOnPurpose, command: 'svcd apply' });
    const request = {
      copy,
      copyName: nameOfCopy(copyFile),
      copySha256: sha256,
      template,
      out,
      plan,
      maxCredits,
      strict: input.flag('strict') ?? false,
      update: input.list('update'),
      replaceDefaults: input.flag('replace-defaults') ?? false,
      form,
      agree: (proposal: Proposal) => agree(proposal, input),
    };
    // Known issues and a newer version stand above what is asked.
    if (template !== undefined) await tellStage(input, template, { stage: 'plan', materials: capabilitiesOf(copy) });
    const applied = await applyAssets(request, (work) => withClient({ ...input, spends: true }, work));
    return printAnswer(input, applied, describeApplied);
  },
};

const fetch: CommandBody = {
  options: {
    locked: switchOption(words.locked),
    lock: textOption(words.lock),
    out: textOption(words.fetchOut),
    buy: switchOption(words.buy),
    'max-credits': textOption(words.maxCredits),
  },
  examples: [
    `svcd fetch --locked # ${words.fetchExample}`,
    `svcd fetch --locked --lock assets.lock.json --out public/svcd # ${words.fetchExampleElsewhere}`,
  ],
  run: async (input) => {
    if (input.flag('locked') !== true) {
      throw invalidArgument(words.lockedMissing, words.lockedMissingHint);
    }
    const maxCredits = readCredits(input, 'max-credits');
    const buy = input.flag('buy') ?? false;
    if (buy && maxCredits === undefined) throw invalidArgument(words.buyNeedsMax, words.buyNeedsMaxHint);
    if (!buy && maxCredits !== undefined) throw invalidArgument(words.maxWithoutBuy);
    const out = input.text('out');
    if (out === '') throw invalidArgument(words.outNeedsName);
    if (out !== undefined) refuseHome(out, await input.home());
    const request = { lock: input.text('lock'), out, buyFor: maxCredits };
    const fetched = await fetchLocked(request, (work) => withClient({ ...input, spends: buy }, work));
    return printAnswer(input, fetched, describeFetched);
  },
};

export const bodies: Bodies = { apply, fetch };

function formOf(input: Input) {
  const typed = input.text('form');
  const form = FORMS.find((one) => one === typed);
  if (typed === undefined || form !== undefined) return form;
  throw wrongValue('--form', words.formIs(FORMS), typed);
}

/** Shows what would be done, and asks a person where it costs something. Throws `needs_consent` and `interrupted`. */
async function agree(proposal: Proposal, input: Input): Promise<void> {
  describeProposal(proposal).forEach(printNote);
  const { cost } = proposal;
  if (cost === 0 || input.flag('yes') === true) return;
  const price = formatCount(cost, 'credit');
  if (!process.stdin.isTTY) {
    throw new SvcdError('needs_consent', words.noTerminal(price), { hint: words.noTerminalHint });
  }
  if (!(await agrees(words.agree(price)))) throw new SvcdError('interrupted', words.nothingBought);
}

function describeProposal({ kept, planned, warnings, shortOf, cost }: Proposal): string[] {
  const rows = [
    ...planned.map(describePlanned),
    ...kept.map(({ id, asset }) => [id, wantedIn(asset), '', words.asLocked]),
  ];
  return [
    ...formatTable(rows.map((row) => row.map((cell) => sanitize(cell)))),
    ...warnings.map(({ words: told, slot }) => sanitize(`${slot === undefined ? '' : `${slot}${words.colon}`}${told}`)),
    shortOf === null ? words.costs(formatCount(cost, 'credit')) : words.costsMore(formatCount(cost, 'credit'), shortOf),
  ];
}

function describePlanned(slot: PlanSlot): string[] {
  const price =
    slot.purchase !== undefined
      ? words.inDoubt
      : slot.have === 'no'
        ? formatCount(slot.cost, 'credit')
        : words.have[slot.have];
  if ('image' in slot) return [slot.id, words.image(slot.image.size), '', price];
  const title = Array.from(slot.title ?? '').slice(0, TITLE_MAX);
  return [slot.id, slot.preset ?? words.nothingFound, title.join(''), price];
}

function wantedIn(asset: LockedAsset): string {
  const wanted = asset.kind === 'sticker' ? asset.preset : words.image(`${asset.width}x${asset.height}`);
  return asset.source === 'default' ? words.aDefaultFor(wanted) : wanted;
}

function describeApplied({ lock, cost, slots, defaults }: Applied): string[] {
  const files = new Set(slots.map(({ file }) => file)).size;
  const kept = slots.filter((slot) => slot.kept).length;
  const [count, credits] = [formatCount(files, 'file'), formatCount(cost, 'credit')];
  return [
    ...defaults.flatMap(({ slot, reason, wanted, mend }) => [
      words.defaultFor(slot, wanted, reason),
      ...(mend === undefined ? [] : [`  ${words.sentence(mend)}`]),
    ]),
    kept === 0
      ? words.applied(lock, count, credits)
      : words.appliedKept(lock, count, formatCount(kept, 'slot'), credits),
    ...(defaults.length === 0 ? [] : [howOn(defaults)]),
  ].map((line) => sanitize(line));
}

/** Trying again does nothing for what is in doubt. */
function howOn(defaults: Applied['defaults']): string {
  const isMended = defaults.every(({ mend }) => mend !== undefined);
  return isMended ? words.thenTakesIt : words.triesAgain;
}

function describeFetched({ lock, out, kept, written, bought, cost }: Fetched): string[] {
  const paid =
    bought.length === 0 ? '' : words.bought(formatCount(bought.length, 'sticker'), formatCount(cost, 'credit'));
  return [sanitize(words.fetched(out, formatCount(written.length, 'file'), kept.length, lock, paid))];
}
