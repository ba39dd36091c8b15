// Handlers of svcd's own paths about a hub, for who looks after it: whom it lets in, what they may spend, what was spent.

import type { Language } from '../../api/health.js';
import type {
  Audit,
  HubBudgets,
  HubPurchaseView,
  HubReport,
  HubStatus,
  Recovered,
  InviteAnswer,
  InviteView,
  MachineView,
  Reported,
} from '../../api/hub.js';
import type { WarmHub } from './warm-hub.js';
import { payerOfMachine } from '../../auth/live-machines.js';
import { writeCode } from '../register/invite-code.js';
import type { Invite, MachineRegister, MachineState } from '../register/machines.js';
import { SvcdError } from '../../model/errors.js';
import type { HubFacts } from '../../operations/health/place.js';
import type { Log } from '../../platform/log.js';
import type { HubBooks, MonthOfPurchases, PayerSum } from '../books/hub-books.js';
import { foreseen } from '../../http/answer.js';
import { eventLines, linesOf } from '../../http/json-lines.js';
import { watchClient } from '../../http/read-request.js';
import type { Handlers } from '../../http/router.js';
import { ALL_PAYERS } from '../../purchases/budget.js';

export interface HubParts {
  readonly stores: () => { readonly books: HubBooks; readonly machines: MachineRegister };
  /** What only a hub that listens has; undefined in a daemon that is none. */
  readonly listening: HubListening | undefined;
}

export interface HubListening {
  readonly scope: string;
  readonly pin: string;
  readonly receiptKey: string;
  readonly addresses: () => readonly string[];
  readonly showStatus: (language: Language) => Promise<HubStatus>;
  readonly findFacts: () => Promise<HubFacts>;
  readonly recover: () => Promise<Recovered>;
  readonly warmHub: WarmHub;
}

/** An invite that names no end is good for a day. */
const DEFAULT_LIFE_S = 24 * 60 * 60;
const MOST_UNKNOWN = 10_000;
const NOTHING: PayerSum = { spent: 0, reserved: 0 };

export function createHubHandlers({ stores, listening }: HubParts, closing: AbortSignal, log: Log) {
  const getListening = (): HubListening => {
    if (listening !== undefined) return listening;
    throw new SvcdError('not_running', 'no hub runs on this home', {
      hint: 'Start one with "svcd hub start"; a daemon that runs already, with "svcd stop" before it.',
    });
  };
  return {
    showHub: ({ query }) => getListening().showStatus(query.lang ?? 'en'),
    listInvites: async () => ({ invites: (await stores().machines.listInvites()).map(inviteView) }),
    invite: async ({ body }) => {
      const { scope, pin, receiptKey, addresses } = getListening();
      const { projects, budget, expires_in_s: expiresInS = DEFAULT_LIFE_S, ephemeral_s: machineLivesS = null } = body;
      const { books, machines } = stores();
      const { secret, invite } = await machines.invite({
        projects,
        only: body.only ?? null,
        user: body.user ?? null,
        uses: body.uses ?? null,
        expiresInS,
        machineLivesS,
      });
      if (budget !== undefined) {
        for (const project of projects) await books.setBudget(`project:${project}`, 'total', budget);
      }
      log.info('an invite was made', { invite: invite.id, projects: projects.join(', ') });
      const code = writeCode({ addresses: addresses(), pin, secret, receiptKey, scope });
      const answer: InviteAnswer = { code, ...inviteView(invite), addresses: [...addresses()] };
      return Response.json(answer, { status: 201, headers: { 'Cache-Control': 'no-store' } });
    },
    listMachines: async ({ query }) => {
      const { books, machines } = stores();
      const [listed, sums] = await Promise.all([machines.list(query.all ?? false), books.sumsOf('machine')]);
      return { machines: listed.map((one) => machineView(one, sums.get(payerOfMachine(one.id)) ?? NOTHING)) };
    },
    revokeMachine: async ({ c }) => {
      const { id, name } = await stores().machines.revoke(c.req.param('machine') ?? '', 'owner');
      log.info('a machine was revoked', { machine: id, name });
      return { revoked: { id, name } };
    },
    removeMachines: async ({ query: { unseen_s: unseenS } }) => {
      const removed = (await stores().machines.revokeUnseen(unseenS * 1000, 'owner')).map(({ id, name }) => ({
        id,
        name,
      }));
      log.info('machines that were not seen were removed', { machines: removed.length, unseen_s: unseenS });
      return { removed };
    },
    listHubBudgets: () => showBudgets(stores()),
    setHubBudget: async ({ body: { payer, period, credits } }) => {
      await stores().books.setBudget(payer, period, credits);
      log.info('a budget of the hub was changed', { payer, period, limit: credits ?? 'none' });
      return showBudgets(stores());
    },
    listHubPurchases: async ({ query: { project, user, machine, ...filter } }) => {
      const payers = [
        ...(project === undefined ? [] : [`project:${project}`]),
        ...(user === undefined ? [] : [`user:${user}`]),
        ...(machine === undefined ? [] : [payerOfMachine(machine)]),
      ];
      return { purchases: await stores().books.listPurchases({ ...filter, payers }) };
    },
    reportHub: async ({ query: { month, by } }) => reportOf(await stores().books.ofMonth(month), by),
    auditHub: async () => {
      const { books } = stores();
      const unknown = await books.listPurchases({ limit: MOST_UNKNOWN, state: 'unknown', payers: [] });
      return { ...(await books.audit()), unknown_of: sumsOf(unknown) };
    },
    recoverHub: async () => {
      const told = await getListening().recover();
      log.info('what the database had forgotten was put back', { purchases: told.recovered });
      return told;
    },
    warmHub: ({ c, body: { presets, max_credits: maxCredits, project } }) => {
      const isGone = watchClient(c);
      let isOver = false;
      const run = getListening().warmHub({
        presets,
        maxCredits,
        project,
        isGone: () => isOver || isGone() || closing.aborted,
      });
      const foresee = (error: unknown) => foreseen(error, 'POST', log);
      return linesOf(eventLines({ run, foresee, onOver: () => void (isOver = true) }));
    },
  } satisfies Partial<Handlers>;
}

/** Limits, and projects without one: those that machines and invites name, and those that bought something. */
async function showBudgets({ books, machines }: ReturnType<HubParts['stores']>): Promise<HubBudgets> {
  const [budgets, sums, joined, invites] = await Promise.all([
    books.showBudgets(),
    books.sumsOf('project'),
    machines.list(false),
    machines.listInvites(),
  ]);
  const named = [...joined, ...invites].flatMap(({ projects }) => projects.map((project) => `project:${project}`));
  const limited = new Set(budgets.map(({ payer }) => payer));
  const free = [...new Set([...sums.keys(), ...named])].filter((payer) => !limited.has(payer)).toSorted();
  return { budgets, unlimited: free.map((payer) => ({ payer, ...(sums.get(payer) ?? NOTHING) })) };
}

function reportOf({ month, sums }: MonthOfPurchases, by: readonly Reported[]): HubReport {
  const rows = new Map<string, HubReport['rows'][number]>();
  for (const { payers, state, purchases, credits } of sums) {
    const nameOf = (kind: Reported) =>
      by.includes(kind) ? (payers.find((one) => one.startsWith(`${kind}:`))?.slice(kind.length + 1) ?? null) : null;
    const who = { project: nameOf('project'), user: nameOf('user'), machine: nameOf('machine') };
    const key = JSON.stringify(by.map((kind) => who[kind] ?? ''));
    const row = rows.get(key) ?? { ...who, purchases: 0, credits: 0, unknown: 0, unknown_credits: 0 };
    const more =
      state === 'paid'
        ? { purchases: row.purchases + purchases, credits: row.credits + credits }
        : { unknown: row.unknown + purchases, unknown_credits: row.unknown_credits + credits };
    rows.set(key, { ...row, ...more });
  }
  return { month, by: [...by], rows: [...rows].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row) };
}

/** Purchases by the project that pays for them. */
function sumsOf(purchases: readonly HubPurchaseView[]): Audit['unknown_of'] {
  const sums = new Map<string, Audit['unknown_of'][number]>();
  for (const { payers, price } of purchases) {
    const payer = payers.find((one) => one.startsWith('project:')) ?? ALL_PAYERS;
    const { purchases: count, credits } = sums.get(payer) ?? { purchases: 0, credits: 0 };
    sums.set(payer, { payer, purchases: count + 1, credits: credits + price });
  }
  return [...sums.values()].toSorted((a, b) => b.credits - a.credits);
}

function inviteView({ id, projects, only, user, usesLeft, machineLivesS, createdAt, expiresAt }: Invite): InviteView {
  return {
    id,
    projects: [...projects],
    only,
    user,
    uses_left: usesLeft,
    ephemeral_s: machineLivesS,
    expires_at: instantOf(expiresAt),
    created_at: new Date(createdAt).toISOString(),
  };
}

function machineView(machine: MachineState, { spent, reserved }: PayerSum): MachineView {
  const { id, name, projects, user, only, joinedAt, expiresAt, revokedAt, lastSeenAt } = machine;
  const { clonedAt, replacedAt } = machine;
  return {
    id,
    name,
    projects: [...projects],
    user,
    only,
    joined_at: new Date(joinedAt).toISOString(),
    expires_at: instantOf(expiresAt),
    revoked_at: instantOf(revokedAt),
    last_seen_at: instantOf(lastSeenAt),
    cloned_at: instantOf(clonedAt),
    replaced_at: instantOf(replacedAt),
    spent,
    reserved,
  };
}

function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
