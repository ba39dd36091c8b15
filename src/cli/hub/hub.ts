// svcd hub: one svcd with the Key, and the machines that use it.

import type { HealthRow } from '../../api/health.js';
import type {
  Audit,
  HubBudgets,
  HubBudgetView,
  HubStatus,
  InviteAnswer,
  MachineView,
  Recovered,
  WarmEvent,
} from '../../api/hub.js';
import { type Client, withClient } from '../connection/client.js';
import {
  type Bodies,
  choiceOption,
  command,
  group,
  type Entry,
  type GroupBody,
  switchOption,
  textOption,
  type CommandBody,
} from '../command.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { formatFields, formatMinute, formatTable, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument, parseSpan } from '../terminal/input.js';
import { describeAudit, describeBudgets, describeMachines } from './hub-tables.js';
import { listPurchases, report } from './hub-purchases.js';
import { chosenLanguage } from '../terminal/language.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { HUB_START_OPTIONS, startHub } from './start-hub.js';
import { PAY_OPTIONS } from '../terminal/options.js';
import { hubWords } from './words.js';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig, writeSetting } from '../../config/config.js';
import { findBelonging } from '../../config/membership.js';
import { isSvcdError, SvcdError, ERROR_CODES, type ErrorCode } from '../../model/errors.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { systemClock } from '../../platform/clock.js';
import { findPlace, noteBackup } from '../../purchases/sqlite/owned-backup.js';
import { agreeToPay } from '../terminal/terminal-input.js';
import { readEvents } from '../connection/read-events.js';
import { openProgress } from '../terminal/progress.js';
import { readPresets } from '../get/read-presets.js';
import { jsonQuestion } from '../connection/running-daemon.js';

const words = hubWords();
const PERIODS = ['request', 'day', 'month', 'total'] as const;
const USES_MAX = 100_000;

const hubGroup: GroupBody = {
  otherwise: 'status',
  commands: [
    command('start', words.start, { options: HUB_START_OPTIONS, examples: words.startExamples, run: startHub }),
    command('invite', words.invite, {
      options: {
        project: textOption(words.project),
        budget: textOption(words.budget),
        expires: textOption(words.expires),
        uses: textOption(words.uses),
        ephemeral: textOption(words.ephemeral),
        only: choiceOption(words.only, ['owned']),
        user: textOption(words.user),
      },
      examples: words.inviteExamples,
      run: invite,
    }),
    { usage: 'join <code>', what: words.join, load: () => import('./join.js') },
    { usage: 'leave', what: words.leave, load: () => import('./join.js') },
    group('machines', words.machines, {
      otherwise: 'list',
      commands: [
        command('list', words.machines, {
          options: { all: switchOption(words.all) },
          run: requestDaemon('GET /svcd/hub/machines', describeMachines, {
            query: (input) => ({ all: input.flag('all') === true ? '1' : undefined }),
          }),
        }),
        command('remove', words.removeMachines, {
          options: { unseen: textOption(words.unseen) },
          examples: words.removeExamples,
          run: requestDaemon(
            'DELETE /svcd/hub/machines',
            ({ removed }: { removed: { name: string; id: number }[] }) =>
              removed.length === 0
                ? words.noneUnseen
                : removed.map(({ name, id }) => words.revoked(sanitize(name), id)),
            { query: (input) => ({ unseen_s: readUnseen(input) }) },
          ),
        }),
      ],
    }),
    command('move <address>', words.move, { examples: words.moveExamples, run: moveHub }),
    command('revoke <machine>', words.revoke, {
      examples: words.revokeExamples,
      run: requestDaemon(
        'DELETE /svcd/hub/machines/{machine}',
        ({ revoked: { name, id } }: { revoked: { name: string; id: number } }) => words.revoked(sanitize(name), id),
      ),
    }),
    group('budget', words.budgets, {
      otherwise: 'show',
      commands: [
        command('show', words.showBudgets, {
          examples: words.budgetExamples,
          run: requestDaemon('GET /svcd/hub/budgets', describeBudgets),
        }),
        command('set <payer>', words.setBudget, {
          options: Object.fromEntries(PERIODS.map((period) => [period, textOption(words.periods[period])])),
          examples: words.budgetExamples,
          run: setBudgets,
        }),
      ],
    }),
    command('purchases', words.purchases, {
      options: {
        project: textOption(words.ofProject),
        user: textOption(words.ofUser),
        machine: textOption(words.ofMachine),
        state: textOption(words.ofState),
        since: textOption(words.since),
        limit: textOption(words.limit),
        csv: switchOption(words.csv),
        ndjson: switchOption(words.ndjson),
      },
      examples: words.purchasesExamples,
      run: listPurchases,
    }),
    command('report', words.report, {
      options: { month: textOption(words.month), by: textOption(words.by), csv: switchOption(words.csv) },
      examples: words.reportExamples,
      run: report,
    }),
    command('audit', words.audit, { examples: words.auditExamples, run: audit }),
    command('recover', words.recover, {
      run: requestDaemon('POST /svcd/hub/recover', ({ recovered }: Recovered) => words.recovered(recovered)),
    }),
    command('backup-done', words.backupDone, {
      run: async (input) => {
        const home = await input.home();
        const file = join(home, 'owned.db');
        const { hubDatabase } = await loadConfig({ home });
        if (hubDatabase === undefined && !(existsSync(file) && findPlace(file) !== undefined))
          throw new SvcdError('invalid_config', words.noDatabase(home), { hint: words.backUpFile });
        noteBackup(home, systemClock.now());
        return printAnswer(input, { home }, () => words.backupNoted);
      },
    }),
    command('warm <file>', words.warm, {
      options: { ...PAY_OPTIONS, project: textOption(words.warmProject) },
      examples: words.warmExamples,
      run: warmHub,
    }),
    command('status', words.status, {
      run: requestDaemon('GET /svcd/hub/status', describeStatus, {
        query: (input) => ({ lang: input.json ? 'en' : chosenLanguage() }),
      }),
    }),
  ],
};

export const bodies: Bodies = { hub: { ...hubGroup, commands: hubGroup.commands.map(guarded) } };

/** The same, which refuses a home that is no hub; but for the start of one. */
function guarded(one: Entry): Entry {
  // Joining and leaving are for other homes.
  if ('load' in one) return one;
  if ('commands' in one) return { ...one, commands: one.commands.map(guarded) };
  return one.run === startHub ? one : { ...one, run: atHub((input) => one.run(input)) };
}

const askInvite = requestDaemon('POST /svcd/hub/invites', describeInvite, { body: readInvite, bare: true });

async function invite(input: Input): Promise<void> {
  const before = input.text('budget') === undefined || input.json ? [] : await readBudgets(input);
  await askInvite(input);
  const now = input.limit('budget');
  for (const { payer, period, credits } of before) {
    if (period !== 'total' || credits === now || !readProjects(input).includes(payer.replace(/^project:/, '')))
      continue;
    printNote(sanitize(words.budgetChanged(payer, credits, now ?? null)));
  }
}

async function readBudgets(input: Input): Promise<readonly HubBudgetView[]> {
  return (await withClient(input, (client) => client.ask<HubBudgets>('GET', '/svcd/hub/budgets'))).budgets;
}

function readProjects(input: Input): string[] {
  return [...new Set(input.list('project').flatMap((text) => text.split(',').map((one) => one.trim())))];
}

function describeInvite({ code, expires_at: until, uses_left: uses }: InviteAnswer, input: Input): string {
  if (!input.json) {
    const day = until === null ? words.never : formatMinute(until);
    printNote(words.invited(day, uses === null ? words.anyNumber : words.someMachines(uses)));
    printNote(words.keepSecret);
  }
  return code;
}

function readInvite(input: Input): object {
  const projects = readProjects(input);
  if (projects.length === 0) throw invalidArgument(words.needsProject);
  return {
    projects,
    budget: input.limit('budget'),
    expires_in_s: readSeconds(input, 'expires'),
    uses: input.whole('uses', 1, USES_MAX),
    ephemeral_s: readSeconds(input, 'ephemeral'),
    only: input.choice('only', ['owned']),
    user: input.text('user'),
  };
}

/** A time such as 90s, 20m, 2h or 3d, in seconds. Throws `invalid_argument`. */
function readSeconds(input: Input, name: string): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const seconds = Math.round((parseSpan(text) ?? 0) / 1000);
  if (seconds > 0) return seconds;
  throw invalidArgument(words.wrongTime(name, JSON.stringify(text)));
}

function readUnseen(input: Input): number {
  const seconds = readSeconds(input, 'unseen');
  if (seconds === undefined) throw invalidArgument(words.needsUnseen);
  return seconds;
}

async function moveHub(input: Input): Promise<void> {
  const home = await input.home();
  const typed = input.word('address');
  writeSetting(home, 'hubNextUrl', typed === 'none' ? undefined : typed);
  const { hubNextUrl: next = null } = await loadConfig({ home });
  return printAnswer(input, { next, home }, () => (next === null ? words.movesNowhere : words.moves(next)));
}

async function setBudgets(input: Input): Promise<void> {
  const limits = PERIODS.flatMap((period) => {
    const credits = input.limit(period);
    return credits === undefined ? [] : [{ period, credits }];
  });
  if (limits.length === 0) throw invalidArgument(words.needsLimit);
  const payer = input.word('payer');
  const answer = await withClient(input, async (client) => {
    let last: HubBudgets = { budgets: [], unlimited: [] };
    if (!input.json && !(await isKnownPayer(client, payer))) printNote(words.unknownPayer(sanitize(payer)));
    for (const limit of limits) last = await client.ask('PUT', '/svcd/hub/budgets', { payer, ...limit });
    return last;
  });
  return printAnswer(input, answer, describeBudgets);
}

/** Whether a machine or an invite is of this payer: a limit for any other may be a slip of the finger. */
async function isKnownPayer(client: Client, payer: string): Promise<boolean> {
  if (!/^(?:machine|project):/.test(payer)) return true;
  const { machines } = await client.ask<{ machines: readonly MachineView[] }>('GET', '/svcd/hub/machines?all=1');
  const { invites } = await client.ask<{ invites: readonly { projects: string[] }[] }>('GET', '/svcd/hub/invites');
  const projects = [...machines, ...invites].flatMap((one) => one.projects.map((name) => `project:${name}`));
  return [...projects, ...machines.map(({ id }) => `machine:${id}`)].includes(payer);
}

async function audit(input: Input): Promise<void> {
  const answer = await withClient(input, (client) => client.ask<Audit>('GET', '/svcd/hub/audit'));
  await printAnswer(input, answer, describeAudit);
  if (!answer.right) process.exitCode = EXIT_CODE_OF.internal;
}

function describeStatus(status: HubStatus): string[] {
  const { fields } = words;
  const { certificate, machines, invites, purchases, spent } = status;
  return [
    sanitize(words.hubAt(status.url)),
    '',
    ...formatFields({
      [fields.addresses]: sanitize(status.addresses.join(', ')),
      [fields.certificate]: words.certificateUntil(certificate.own, certificate.expires_at.slice(0, 10)),
      [fields.remote]: sanitize(status.scope),
      [fields.database]: sanitize(status.database),
      ...(machines && { [fields.machines]: words.joinedSeen(machines.joined, machines.seen) }),
      ...(invites !== null && { [fields.invites]: words.open(invites) }),
      [fields.waiting]: words.requests(status.waiting),
      ...(purchases && { [fields.purchases]: words.openUnknown(purchases.open, purchases.unknown) }),
      ...(spent && { [fields.spent]: words.spentDayMonth(spent.day, spent.month) }),
    }),
    ...describeTrouble(status.checks),
  ];
}

function describeTrouble(checks: readonly HealthRow[]): string[] {
  const bad = checks.filter(({ status }) => status === 'bad');
  const rows = bad.map(({ name, words: said }) => ['✗', words.checks[name] ?? name, sanitize(said)]);
  const mends = bad.flatMap(({ hint, command: mend }) => [
    ...(hint === null ? [] : [hint]),
    ...(mend === null ? [] : [words.run(mend)]),
  ]);
  // On a terminal both go on below themselves.
  return [...formatTable(rows), ...formatTable(mends.map((one) => [sanitize(one)]))];
}

/**
 * A command for the home of a hub, which is looked up before anything of svcd is opened there: a home that is none stays as it
 * is. What the hub refuses in a field of the request is named as it was typed.
 */
function atHub(run: (input: Input) => Promise<void>): CommandBody['run'] {
  return async (input) => {
    await requireHub(input);
    try {
      await run(input);
    } catch (error) {
      if (!isSvcdError(error, 'invalid_request')) throw error;
      const message = error.message
        .replace(/^payer: /, 'PAYER ')
        .replace(
          /^(projects(?=\.)|project|user|state|machine|limit|budget)(?:\.\d+)?: /,
          (_, field: string) => `--${field === 'projects' ? 'project' : field} `,
        );
      throw new SvcdError(error.code, message, { cause: error, hint: error.hint });
    }
  };
}

/** Throws `not_running` for a home that was never started as a hub. One that is stopped still tells what it has. */
async function requireHub(input: Pick<Input, 'home'>): Promise<void> {
  const home = await input.home();
  const belonging = findBelonging(home);
  if (belonging.kind === 'hub') {
    const { addresses, machine } = belonging.membership;
    const message = words.isMachine(home, addresses[0] ?? '');
    throw new SvcdError('not_running', message, { hint: words.askAtHub(machine.name) });
  }
  const { hubListen } = await loadConfig({ home });
  // Its certificate, or where it listened: what it was started with need not stand in a setting.
  const wasHub = existsSync(join(home, 'hub')) || findRuntime(home)?.hub !== undefined;
  if (hubListen === undefined && !wasHub)
    throw new SvcdError('not_running', words.noHub(home), { hint: words.startHub });
}

type Ended = Extract<WarmEvent, { event: 'ended' }>;
type Begun = Extract<WarmEvent, { event: 'begun' }>;
type Failure = { event: 'error'; code: 'internal'; message: string; hint?: string };

/** The price first, then the purchases, with progress on a terminal and an event a line for a program. */
async function warmHub(input: Input): Promise<void> {
  const list = { presets: await readPresets(input.word('file')), project: input.text('project') };
  let failedCode: ErrorCode | undefined;
  const end = await withClient({ ...input, spends: true }, async (client) => {
    let price: Begun | undefined;
    await follow(client, list, (event) => {
      if (event.event === 'begun') price = event;
    });
    if (price === undefined) throw cutShort();
    await agreeToPay(input, price.buy, [words.warmPrice(price.of, price.have, price.buy)]);
    const progress = openProgress(input.json);
    let last: Ended | undefined;
    await follow(client, { ...list, max_credits: price.buy }, (event) => {
      if (event.event === 'ended') last = event;
      if (event.event === 'failed') failedCode = ERROR_CODES.find((code) => code === event.code);
      if (event.event !== 'kept' && event.event !== 'failed') return;
      progress.show(words.warmed(event.done, event.of));
      if (event.event === 'failed' && !input.json) printNote(sanitize(words.warmFailed(event.preset, event.message)));
    }).finally(() => progress.end());
    if (last === undefined) throw cutShort();
    return last;
  });
  const { event: _, ...answer } = end;
  await printAnswer(input, answer, () => [
    words.warmEnd(end.cost, end.failed, end.left),
    ...(end.uncertain.length === 0 ? [] : [words.warmUncertain(end.uncertain.length)]),
  ]);
  if (end.failed + end.left > 0) process.exitCode = EXIT_CODE_OF[failedCode ?? 'internal'];
}

/** Sends a list and hands on its events. Throws the refusal, and an error among the events. */
async function follow(client: Client, body: object, note: (event: WarmEvent) => void): Promise<void> {
  const answer = await client.stream('POST', '/svcd/hub/warm', jsonQuestion(body));
  for await (const event of readEvents<WarmEvent | Failure>(answer)) {
    if (event.event !== 'error') note(event);
    else throw new SvcdError(event.code, event.message, { hint: event.hint });
  }
}

function cutShort(): SvcdError {
  return new SvcdError('not_running', 'svcd stopped in the middle', { hint: 'Start it, and run the command again.' });
}
