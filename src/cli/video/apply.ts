// svcd apply, svcd fetch and svcd verify: the files of a video and the lock that names them, made once, brought back by it, and
// compared with it.

import { dirname } from 'node:path';
import { filesOf, type LockedAsset } from '../../api/lock.js';
import { STILL_SIZE } from '../../api/library.js';
import { chosenIn, type PlanSlot } from '../../api/plan.js';
import { FORMS } from '../../model/asset.js';
import { applyAssets, type Applied, type Proposal } from '../../video/apply/apply.js';
import { fetchLocked, type Fetched } from '../../video/apply/fetch-locked.js';
import { capabilitiesOf } from '../../video/apply/plan-copy.js';
import { readPlan } from '../../video/apply/saved-plan.js';
import { ASSETS_FOLDER, lockFileOf } from '../../video/lock/find-lock.js';
import { readLock } from '../../video/lock/read-lock.js';
import { standInsOf } from '../../video/lock/stand-ins.js';
import { verifyFiles, type FileProblem } from '../../video/lock/verify-files.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { describeReason } from '../get/describe-reason.js';
import { agreeToPay } from '../terminal/terminal-input.js';
import { errorWords } from '../terminal/error-words.js';
import { formatCount, formatTable, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { readCredits } from '../terminal/options.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { openProgress, progressWords } from '../terminal/progress.js';
import { refuseHome } from '../terminal/target-file.js';
import { connectFor, COPY_OPTIONS, copyFileIn, leftOf, readInput } from './plan.js';
import { tellStage } from './register-stage.js';
import { describeStandIn, differing, requireNoStandIns } from './strict-lock.js';
import { TELLING } from './telling.js';
import { videoWords } from './words.js';

const { apply: words, fetch: fetchWords, verify: verifyWords, plan: planWords, ...common } = videoWords();

const TITLE_MAX = 60;

const apply: CommandBody = {
  options: {
    ...COPY_OPTIONS,
    out: textOption(words.out(ASSETS_FOLDER)),
    plan: textOption(words.plan),
    'max-credits': textOption(common.maxCredits),
    style: textOption(planWords.style),
    yes: { ...switchOption(words.yes), alias: 'y' },
    strict: switchOption(words.strict),
    update: textOption(words.update),
    'replace-defaults': switchOption(words.replaceDefaults),
    refresh: switchOption(words.refresh),
    select: switchOption(words.select),
    form: textOption(words.form(FORMS)),
    stills: textOption(words.stills),
  },
  examples: words.examples,
  run: async (input) => {
    const out = (await readOut(input)) ?? ASSETS_FOLDER;
    copyFileIn(input, 'apply');
    const planFile = input.text('plan');
    const maxCredits = readCredits(input, 'max-credits');
    const form = input.choice('form', FORMS);
    const { named, template } = await readInput(input, 'apply');
    const plan = planFile === undefined ? undefined : { file: planFile, plan: readPlan(planFile, TELLING.words) };
    const request = {
      named,
      template,
      out,
      home: await input.home(),
      plan,
      maxCredits,
      style: input.text('style'),
      form,
      stills: input.whole('stills', STILL_SIZE.min, STILL_SIZE.max),
      strict: input.flag('strict') ?? false,
      update: input.list('update'),
      replaceDefaults: input.flag('replace-defaults') ?? false,
      refresh: input.flag('refresh') ?? true,
      select: input.flag('select') ?? false,
      agree: (proposal: Proposal) => agree(proposal, input),
    };
    // Known issues and a newer version stand above what is asked.
    if (template !== undefined) {
      await tellStage(input, template, { stage: 'plan', materials: capabilitiesOf(named.copy.slots) });
    }
    return printAnswer(input, await applyAssets(request, connectFor(input, true), TELLING), describeApplied);
  },
};

const fetch: CommandBody = {
  options: {
    locked: switchOption(fetchWords.locked),
    lock: textOption(fetchWords.lock),
    out: textOption(fetchWords.out),
    buy: switchOption(fetchWords.buy),
    'max-credits': textOption(common.maxCredits),
  },
  examples: fetchWords.examples,
  run: async (input) => {
    const buyFor = readCredits(input, 'max-credits');
    const buy = input.flag('buy') ?? false;
    if (buy && buyFor === undefined) throw invalidArgument(fetchWords.buyNeedsMax, fetchWords.buyNeedsMaxHint);
    if (!buy && buyFor !== undefined) throw invalidArgument(fetchWords.maxWithoutBuy);
    const request = { lock: input.text('lock'), out: await readOut(input), home: await input.home(), buyFor };
    return printAnswer(input, await fetchLocked(request, connectFor(input, buy), TELLING), describeFetched);
  },
};

// Nothing is loaded for it that would need a home, a daemon or a network.
const verify: CommandBody = {
  options: { lock: textOption(verifyWords.lock), strict: switchOption(verifyWords.strict) },
  examples: verifyWords.examples,
  run: async (input) => {
    const file = lockFileOf(TELLING.words, input.text('lock'));
    const { lock } = readLock(file);
    const progress = openProgress(input.json);
    const problems = verifyFiles(lock, dirname(file), (...told) => progress.show(progressWords().slots(...told)));
    progress.end();
    const assets = Object.values(lock.assets);
    const files = new Set(assets.flatMap(filesOf).map((one) => one.file)).size;
    const answer = {
      lock: file,
      ok: problems.length === 0,
      slots: assets.length,
      files,
      defaults: assets.filter(({ source }) => source === 'default').length,
      stand_ins: standInsOf(lock),
      problems: problems.map(({ words: told, ...problem }) => ({ ...problem, message: `${problem.file} ${told}` })),
    };
    await printAnswer(input, answer, () => (answer.ok ? describeGood(answer) : problems.map(describeProblem)));
    if (answer.ok)
      return input.flag('strict') === true ? requireNoStandIns(answer.stand_ins, file, answer.slots) : undefined;
    throw differing(problems, assets.flatMap(filesOf), file);
  },
};

export const bodies: Bodies = { apply, fetch, verify };

/** The folder that was typed. Throws `invalid_argument` for none, and for a home. */
async function readOut(input: Input): Promise<string | undefined> {
  const out = input.text('out');
  if (out === '') throw invalidArgument(common.outNeedsName('folder'));
  if (out !== undefined) refuseHome(out, await input.home());
  return out;
}

/** Shows what would be done, and asks a person where it costs something. Throws `needs_consent` and `interrupted`. */
async function agree(proposal: Proposal, input: Input): Promise<void> {
  describeProposal(proposal).forEach(printNote);
  await agreeToPay(input, proposal.cost, [], 0);
}

function describeProposal({ kept, planned, warnings, shortOf, left, cost }: Proposal): string[] {
  const rows = [
    ...planned.map(describePlanned),
    ...kept.map(({ id, asset }) => [id, wantedIn(asset), '', words.asLocked]),
  ];
  const price = formatCount(cost, 'credit');
  return [
    ...formatTable(rows.map((row) => row.map((cell) => sanitize(cell)))),
    ...warnings.flatMap(({ code, words: told, slot }) =>
      code === 'over_budget'
        ? []
        : [sanitize(`${slot === undefined ? '' : `${slot}${common.colon}`}${errorWords().translated(told)}`)],
    ),
    shortOf === null ? words.costs(price) : words.costsMore(price, leftOf(shortOf, left)),
  ];
}

function describePlanned(slot: PlanSlot): string[] {
  const price =
    slot.purchase !== undefined
      ? common.inDoubt
      : slot.have === 'no'
        ? formatCount(slot.cost, 'credit')
        : common.have[slot.have];
  if ('image' in slot) return [slot.id, common.image(slot.image.size), '', price];
  const title = Array.from(slot.title ?? '').slice(0, TITLE_MAX);
  return [slot.id, chosenIn(slot) ?? common.nothingFound, title.join(''), price];
}

function wantedIn(asset: LockedAsset): string {
  if (asset.kind === 'music') return asset.title;
  const wanted = asset.kind === 'sticker' ? asset.preset : common.image(`${asset.width}x${asset.height}`);
  return asset.source === 'default' ? words.aDefaultFor(wanted) : wanted;
}

function describeApplied({ lock, cost, slots, defaults, stand_ins: standIns }: Applied): string[] {
  const kept = slots.filter((slot) => slot.kept).length;
  const count = formatCount(new Set(slots.flatMap(filesOf).map(({ file }) => file)).size, 'file');
  const credits = formatCount(cost, 'credit');
  // Defaults are told with what they replace.
  const guesses = standIns.filter(({ why }) => why !== 'default');
  const lines = [
    ...guesses.map(describeStandIn),
    ...defaults.flatMap(({ slot, reason, wanted, mend }) => [
      words.defaultFor(slot, wanted, describeReason(reason, undefined)),
      ...(mend === undefined ? [] : [`  ${TELLING.words.sentence(mend)}`]),
    ]),
    kept === 0
      ? words.applied(lock, count, credits)
      : words.appliedKept(lock, count, formatCount(kept, 'slot'), credits),
  ];
  if (defaults.length === 0) return [...lines, ...(guesses.length > 0 ? [words.chooses] : [])].map(sanitize);
  // Trying again does nothing for what is in doubt.
  const isMended = defaults.every(({ mend }) => mend !== undefined);
  return [...lines, isMended ? words.thenTakesIt : words.triesAgain].map(sanitize);
}

function describeFetched({ lock, out, kept, written, bought, cost }: Fetched): string[] {
  const paid =
    bought.length === 0 ? '' : fetchWords.bought(formatCount(bought.length, 'sticker'), formatCount(cost, 'credit'));
  return [sanitize(fetchWords.fetched(out, formatCount(written.length, 'file'), kept.length, lock, paid))];
}

function describeGood({ lock, files, defaults }: { lock: string; files: number; defaults: number }): string {
  const { good, goodWithDefaults } = verifyWords;
  const count = formatCount(files, 'file');
  return sanitize(defaults === 0 ? good(lock, count) : goodWithDefaults(lock, count, formatCount(defaults, 'slot')));
}

function describeProblem({ slot, file, code, words: told }: FileProblem): string {
  return sanitize(`${slot}${common.colon}${file} ${verifyWords.problems[code] ?? told}`);
}
