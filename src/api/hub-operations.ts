// Rows of the table for a hub: those of who looks after it, on its own machine, and those of the machines' listener, which
// has a table of its own. Elsewhere no path of these is answered.

import { libraryLineSchema } from './answer-lines.js';
import * as answers from './answers.js';
import { healthQuerySchema } from './health.js';
import * as hub from './hub.js';
import { anybody, machine, owner } from './operation.js';

const NDJSON = 'application/x-ndjson';

/** On loopback, for the owner of the home. */
export const HUB_OPERATIONS = {
  showHub: owner.get('/svcd/hub/status', hub.hubStatusSchema, 'What the hub has, whom it serves, and what is wrong.', {
    query: healthQuerySchema,
  }),
  listInvites: owner.get('/svcd/hub/invites', hub.invitesSchema, 'Invites that still let machines in.'),
  invite: owner.post(
    '/svcd/hub/invites',
    hub.inviteAnswerSchema,
    'Makes a code that lets machines in, told this once.',
    {
      body: hub.inviteRequestSchema,
      status: 201,
    },
  ),
  listMachines: owner.get(
    '/svcd/hub/machines',
    hub.machinesSchema,
    'Machines that joined; with `all` also the ended.',
    {
      query: hub.machinesQuerySchema,
    },
  ),
  revokeMachine: owner.remove(
    '/svcd/hub/machines/{machine}',
    hub.machineRevokedSchema,
    'Ends the token of a machine at once, for what waits for its turn too.',
  ),
  removeMachines: owner.remove(
    '/svcd/hub/machines',
    hub.machinesRemovedSchema,
    'Ends the tokens of machines that were not seen for so many seconds.',
    { query: hub.unseenQuerySchema },
  ),
  listHubBudgets: owner.get(
    '/svcd/hub/budgets',
    hub.hubBudgetsSchema,
    'Limits of the studio, projects, users, machines.',
  ),
  setHubBudget: owner.put('/svcd/hub/budgets', hub.hubBudgetsSchema, 'Sets or removes such a limit.', {
    body: hub.hubBudgetChangeSchema,
  }),
  listHubPurchases: owner.get('/svcd/hub/purchases', hub.hubPurchasesSchema, 'Purchases, and who asked for them.', {
    query: hub.hubPurchasesQuerySchema,
  }),
  reportHub: owner.get('/svcd/hub/report', hub.reportSchema, 'What a month cost, by project, user or machine.', {
    query: hub.reportQuerySchema,
  }),
  auditHub: owner.get('/svcd/hub/audit', hub.auditSchema, 'Every budget line beside what the journal comes to.'),
  recoverHub: owner.post(
    '/svcd/hub/recover',
    hub.recoveredSchema,
    'Puts back what a restored database forgot and this hub had noted, as unknown.',
    { repeatable: true },
  ),
  warmHub: owner.post('/svcd/hub/warm', NDJSON, 'Buys a list of presets in the background, with an event a line.', {
    repeatable: true,
    body: hub.warmRequestSchema,
    maxBodyBytes: hub.WARM_MAX_BYTES,
    line: hub.warmEventSchema,
    cost: 'unknown',
  }),
} as const;

/** On the machines' listener, beside the paths of the service's own document. */
export const MACHINE_OPERATIONS = {
  joinHub: anybody.post('/svcd/hub/join', hub.joinAnswerSchema, 'Exchanges the secret of an invite for a token.', {
    body: hub.joinRequestSchema,
    status: 201,
  }),
  showHubFacts: machine.get('/svcd/hub', hub.hubFactsSchema, 'Which hub this is, and as whom it knows the machine.'),
  showLimits: machine.get('/svcd/hub/limits', hub.machineLimitsSchema, 'What its project, its user and it may spend.', {
    query: hub.limitsQuerySchema,
  }),
  leaveHub: machine.post('/svcd/hub/leave', hub.leftSchema, "Ends the machine's own token.", { repeatable: true }),
  showAsk: machine.get('/svcd/hub/asks/{id}', hub.requestOutcomeSchema, 'What became of the request of this number.'),
  copyLibrary: machine.get('/svcd/hub/library', NDJSON, 'The library as lines of JSON.', { line: libraryLineSchema }),
  listLacking: machine.get(
    '/svcd/hub/returned',
    hub.lackingSchema,
    'What was paid for and is lost here, to be given back.',
  ),
  returnOwned: machine.post(
    '/svcd/hub/returned',
    answers.ownedReport,
    'Takes back what receipts of the hub prove that it had bought.',
    { repeatable: true, upload: NDJSON },
  ),
} as const;
