// svcd apply and svcd fetch: the files of a video and the lock that names them, made once and brought back by it.

import { FORMS } from '../../model/verdict.js';
import type { LockedAsset } from '../../api/lock.js';
import type { PlanSlot } from '../../api/plan.js';
import { SvcdError } from '../../model/errors.js';
import { openPackage } from '../../template/open-package.js';
import { applyAssets, type Applied, type Proposal } from '../apply-assets.js';
import { withClient } from '../client.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { fetchLocked, type Fetched } from '../fetch-locked.js';
import { ASSETS_FOLDER } from '../find-lock.js';
import { formatCount, formatTable, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument, wrongValue } from '../invalid-argument.js';
import { readCredits } from '../options.js';
import { capabilitiesOf } from '../make-plan.js';
import { printAnswer, printNote } from '../output.js';
import { nameOfCopy, readCopy } from '../read-copy.js';
import { readPlan } from '../saved-plan.js';
import { tellStage } from '../register-stage.js';
import { refuseHome } from '../target-file.js';
import { agrees } from '../terminal-input.js';

const TITLE_MAX = 60;

const apply: CommandBody = {
  options: {
    copy: textOption('File with the copy: JSON, or a line of text for each slot; - for stdin.'),
    out: textOption(`Folder for the files and assets.lock.json [${ASSETS_FOLDER}].`),
    plan: textOption('Buy only what this saved plan says; fail if it would cost more.'),
    'max-credits': textOption('Buy nothing if it would cost more.'),
    yes: { ...switchOption('Buy without asking.'), alias: 'y' },
    strict: switchOption('Fail, and write no lock, if a default stands in for anything.'),
    update: textOption('Choose this slot anew; may be repeated.'),
    'replace-defaults': switchOption('Try again to get what defaults of the lock stand in for.'),
    'changed-on-purpose': switchOption('Take a package that is not as it was published.'),
    form: textOption(`Form of sticker files: ${FORMS.join(' or ')} [as before, else ${FORMS[0]}].`),
  },
  examples: [
    'svcd apply --copy copy.json # shows what it would cost, asks once, writes svcd-assets/',
    'svcd apply --copy copy.json --out public/svcd --yes --max-credits 20 --strict # in a script',
    'svcd apply --copy copy.json --update opening # another choice for one slot, the others stay',
  ],
  run: async (input) => {
    const out = input.text('out') ?? ASSETS_FOLDER;
    if (out === '') throw invalidArgument('--out needs the name of a folder');
    refuseHome(out, await input.home());
    const copyFile = input.text('copy');
    if (copyFile === undefined) throw invalidArgument('--copy FILE is missing', 'See "svcd apply --help".');
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
    locked: switchOption('By the lock: the very files it names, or nothing.'),
    lock: textOption('The lock [assets.lock.json in --out, else here, else in svcd-assets].'),
    out: textOption('Folder for the files [that of the lock].'),
    buy: switchOption('Buy stickers of the lock that are not owned here; needs --max-credits.'),
    'max-credits': textOption('Buy nothing if it would cost more.'),
  },
  examples: [
    'svcd fetch --locked # brings back files that are missing or damaged; buys nothing',
    'svcd fetch --locked --lock assets.lock.json --out public/svcd # on another machine, after "svcd owned import"',
  ],
  run: async (input) => {
    if (input.flag('locked') !== true) {
      throw invalidArgument(
        '--locked is missing',
        '"svcd fetch --locked" takes files by their lock; there is no other way yet.',
      );
    }
    const maxCredits = readCredits(input, 'max-credits');
    const buy = input.flag('buy') ?? false;
    if (buy && maxCredits === undefined) throw invalidArgument('--buy needs --max-credits N', 'Say what it may cost.');
    if (!buy && maxCredits !== undefined) throw invalidArgument('--max-credits is for --buy, which is missing');
    const out = input.text('out');
    if (out === '') throw invalidArgument('--out needs the name of a folder');
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
  throw wrongValue('--form', FORMS.join(' or '), typed);
}

/** Shows what would be done, and asks a person where it costs something. Throws `needs_consent` and `interrupted`. */
async function agree(proposal: Proposal, input: Input): Promise<void> {
  describeProposal(proposal).forEach(printNote);
  const { cost } = proposal;
  if (cost === 0 || input.flag('yes') === true) return;
  const price = formatCount(cost, 'credit');
  if (!process.stdin.isTTY) {
    throw new SvcdError('needs_consent', `it would cost ${price}, and there is no terminal to ask on`, {
      hint: 'Nothing was bought. Say --yes, and --max-credits N for the most it may cost.',
    });
  }
  if (!(await agrees(`Buy it for ${price}?`))) throw new SvcdError('interrupted', 'nothing was bought');
}

function describeProposal({ kept, planned, warnings, shortOf, cost }: Proposal): string[] {
  const rows = [
    ...planned.map(describePlanned),
    ...kept.map(({ id, asset }) => [id, wantedIn(asset), '', 'as locked']),
  ];
  const limit = shortOf === null ? '' : `, more than is left (${shortOf})`;
  return [
    ...formatTable(rows.map((row) => row.map((cell) => sanitize(cell)))),
    ...warnings.map(({ words, slot }) => sanitize(`${slot === undefined ? '' : `${slot}: `}${words}`)),
    `It costs ${formatCount(cost, 'credit')}${limit}.`,
  ];
}

function describePlanned(slot: PlanSlot): string[] {
  const price =
    slot.purchase !== undefined ? 'in doubt' : slot.have === 'no' ? formatCount(slot.cost, 'credit') : slot.have;
  if ('image' in slot) return [slot.id, `image ${slot.image.size}`, '', price];
  const title = Array.from(slot.title ?? '').slice(0, TITLE_MAX);
  return [slot.id, slot.preset ?? 'nothing was found', title.join(''), price];
}

function wantedIn(asset: LockedAsset): string {
  const wanted = asset.kind === 'sticker' ? asset.preset : `image ${asset.width}x${asset.height}`;
  return asset.source === 'default' ? `a default for ${wanted}` : wanted;
}

function describeApplied({ lock, cost, slots, defaults }: Applied): string[] {
  const files = new Set(slots.map(({ file }) => file)).size;
  const kept = slots.filter((slot) => slot.kept).length;
  const stayed = kept === 0 ? '' : `, ${formatCount(kept, 'slot')} as before`;
  return [
    ...defaults.flatMap(({ slot, reason, wanted, mend }) => [
      `${slot}: a default stands in for ${wanted} (${reason}).`,
      ...(mend === undefined ? [] : [`  ${mend}.`]),
    ]),
    `${lock}: ${formatCount(files, 'file')}${stayed}, ${formatCount(cost, 'credit')}.`,
    ...(defaults.length === 0 ? [] : [howOn(defaults)]),
  ].map((line) => sanitize(line));
}

/** Trying again does nothing for what is in doubt. */
function howOn(defaults: Applied['defaults']): string {
  const isMended = defaults.every(({ mend }) => mend !== undefined);
  const again = isMended ? 'then takes it' : 'tries again';
  return `"svcd apply --replace-defaults" ${again}; --strict makes this an error.`;
}

function describeFetched({ lock, out, kept, written, bought, cost }: Fetched): string[] {
  const paid =
    bought.length === 0 ? '' : `; ${formatCount(bought.length, 'sticker')} bought for ${formatCount(cost, 'credit')}`;
  return [
    sanitize(
      `${out}: ${formatCount(written.length, 'file')} written, ${kept.length} there already, by ${lock}${paid}.`,
    ),
  ];
}
