// Handlers of svcd's own paths about a hub, for who looks after it: whom it lets in, what they may spend, what was spent.

import type { Language } from '../../api/health.js';
import type {
  Audit,
  HubPurchaseView,
  HubStatus,
  Recovered,
  InviteAnswer,
  InviteView,
  MachineView,
} from '../../api/hub.js';
import type { WarmHub } from './warm-hub.js';
import { payerOfMachine } from '../../auth/live-machines.js';
import { writeCode } from '../register/invite-code.js';
import type { Invite, MachineRegister, MachineState } from '../register/machines.js';
import { SvcdError } from '../../model/errors.js';
import type { HubFacts } from '../../operations/health/place.js';
import type { Log } from '../../platform/log.js';
import type { HubBooks, PayerSum } from '../books/hub-books.js';
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
    listHubBudgets: async () => ({ budgets: await stores().books.showBudgets() }),
    setHubBudget: async ({ body: { payer, period, credits } }) => {
      const { books } = stores();
      await books.setBudget(payer, period, credits);
      log.info('a budget of the hub was changed', { payer, period, limit: credits ?? 'none' });
      return { budgets: await books.showBudgets() };
    },
    listHubPurchases: async ({ query: { limit, project, user, machine, state } }) => {
      const payers = [
        ...(project === undefined ? [] : [`project:${project}`]),
        ...(user === undefined ? [] : [`user:${user}`]),
        ...(machine === undefined ? [] : [payerOfMachine(machine)]),
      ];
      if (payers.length > 1) throw new SvcdError('invalid_request', 'name one of project, user and machine');
      return { purchases: await stores().books.listPurchases({ limit, payer: payers[0], state }) };
    },
    auditHub: async () => {
      const { books } = stores();
      const unknown = await books.listPurchases({ limit: MOST_UNKNOWN, state: 'unknown' });
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
    spent,
    reserved,
  };
}

function instantOf(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
