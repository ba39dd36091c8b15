// svcd hub: one svcd with the Key, and the machines that use it.

import type { HealthRow } from '../../api/health.js';
import type { Audit, HubBudgetView, HubStatus, InviteAnswer, MachineView, Recovered } from '../../api/hub.js';
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
} from '../command.js';
import { doctorCommand } from '../doctor/doctor.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { formatFields, formatTable, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { describeBudgets as describeLines, describeMachines, describePurchases, timeOf } from './hub-tables.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { chosenLanguage } from '../terminal/language.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { atHub } from './require-hub.js';
import { HUB_START_OPTIONS, startHub } from './start-hub.js';
import { warmHub } from './warm-hub.js';
import { getWords } from '../get/words.js';
import { hubWords } from './words.js';

const words = hubWords();
const PERIODS = ['request', 'day', 'month', 'total'] as const;
const MACHINE_MAX = 999_999_999;
const USES_MAX = 100_000;
const LISTED_MAX = 10_000;

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
    command('machines', words.machines, {
      options: { all: switchOption(words.all) },
      examples: words.machinesExamples,
      run: requestDaemon('GET /svcd/hub/machines', describeMachines, {
        query: (input) => ({ all: input.flag('all') === true ? '1' : undefined }),
      }),
    }),
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
        limit: textOption(words.limit),
      },
      examples: words.purchasesExamples,
      run: requestDaemon('GET /svcd/hub/purchases', describePurchases, {
        query: (input) => ({
          project: input.text('project'),
          user: input.text('user'),
          machine: input.whole('machine', 1, MACHINE_MAX),
          state: input.text('state'),
          limit: input.whole('limit', 1, LISTED_MAX),
        }),
      }),
    }),
    command('audit', words.audit, { examples: words.auditExamples, run: audit }),
    command('recover', words.recover, {
      examples: words.recoverExamples,
      run: requestDaemon('POST /svcd/hub/recover', ({ recovered }: Recovered) => words.recovered(recovered)),
    }),
    command('warm <file>', words.warm, {
      options: {
        'max-credits': textOption(getWords().maxCredits),
        project: textOption(words.warmProject),
        yes: { ...switchOption(getWords().yes), alias: 'y' },
      },
      examples: words.warmExamples,
      run: warmHub,
    }),
    command('status', words.status, {
      examples: words.statusExamples,
      run: requestDaemon('GET /svcd/hub/status', describeStatus, {
        query: (input) => ({ lang: input.json ? 'en' : chosenLanguage() }),
      }),
    }),
    command('doctor', words.doctor, { ...doctorCommand, examples: words.doctorExamples }),
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
  const ask = (client: Client) => client.ask<{ budgets: readonly HubBudgetView[] }>('GET', '/svcd/hub/budgets');
  return (await withClient(input, ask)).budgets;
}

function readProjects(input: Input): string[] {
  return [...new Set(input.list('project').flatMap((text) => text.split(',').map((one) => one.trim())))];
}

function describeInvite({ code, expires_at: until, uses_left: uses }: InviteAnswer, input: Input): string {
  if (!input.json) {
    const day = until === null ? words.never : timeOf(until);
    printNote(words.invited(day, uses === null ? words.anyNumber : words.someMachines(uses)));
    printNote(words.keepSecret);
  }
  return code;
}

function readInvite(input: Input): object {
  const projects = readProjects(input);
  if (projects.length === 0) throw invalidArgument(words.needsProject);
  const only = input.text('only');
  if (only !== undefined && only !== 'owned') throw invalidArgument(words.onlyOwned(JSON.stringify(only)));
  return {
    projects,
    budget: input.limit('budget'),
    expires_in_s: readSeconds(input, 'expires'),
    uses: input.whole('uses', 1, USES_MAX),
    ephemeral_s: readSeconds(input, 'ephemeral'),
    only,
    user: input.text('user'),
  };
}

const SECONDS = { s: 1, m: 60, h: 60 * 60, d: 24 * 60 * 60 } as const;

/** A time such as 90s, 20m, 2h or 3d, in seconds. Throws `invalid_argument`. */
function readSeconds(input: Input, name: string): number | undefined {
  const text = input.text(name);
  if (text === undefined) return undefined;
  const [, count = '', unit = ''] = /^(\d{1,7})\s*([smhd])$/.exec(text.trim()) ?? [];
  const seconds = Number(count) * (SECONDS[unit as keyof typeof SECONDS] ?? 0);
  if (seconds > 0) return seconds;
  throw invalidArgument(words.wrongTime(name, JSON.stringify(text)));
}

function describeBudgets({ budgets }: { budgets: readonly HubBudgetView[] }): string | string[] {
  if (budgets.length === 0) return words.noBudgets;
  return describeLines(budgets);
}

async function setBudgets(input: Input): Promise<void> {
  const limits = PERIODS.flatMap((period) => {
    const credits = input.limit(period);
    return credits === undefined ? [] : [{ period, credits }];
  });
  if (limits.length === 0) throw invalidArgument(words.needsLimit);
  const payer = input.word('payer');
  const answer = await withClient(input, async (client) => {
    let last: { budgets: readonly HubBudgetView[] } = { budgets: [] };
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

function describeAudit({ right, lines, charged, unknown, purchases, unknown_of: of }: Audit): string[] {
  const wrong = lines.filter((line) => !line.right);
  const figures = ({ spent, reserved }: { spent: number; reserved: number }) => words.figures(spent, reserved);
  return [
    ...(right ? [words.auditRight(lines.length)] : []),
    ...wrong.map((line) => sanitize(words.auditWrong(line.payer, line.day, figures(line), figures(line.journal)))),
    words.auditCharged(charged, purchases.paid),
    words.auditUnknown(unknown, purchases.unknown),
    ...of.map((one) => sanitize(words.unknownOf(one.payer, one.purchases, one.credits))),
    ...(purchases.unknown === 0 ? [] : [words.seeUnknown]),
  ];
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
  const mends = bad.flatMap(({ hint, command: mend }) => [hint, mend].filter((one) => one !== null));
  // On a terminal both go on below themselves.
  return [...formatTable(rows), ...formatTable(mends.map((one) => [sanitize(one)]))];
}
