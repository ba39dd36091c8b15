// The app for machines that joined the hub: the service's own paths on the hub's Key, and what a machine and its hub have to
// say to each other. Every request but the joining itself is one of a machine that is known.

import type { Context } from 'hono';
import { MACHINE_OPERATIONS } from '../../api/hub-operations.js';
import { type JoinAnswer, machineTermsSchema } from '../../api/hub.js';
import { OPERATIONS } from '../../api/operations.js';
import type { ShareLibrary } from './share-library.js';
import { bearerOf, type Caller } from '../../auth/authorization.js';
import { callerOf, requireProject } from './machine-authorization.js';
import { readHeaders } from '../../contract/read-query.js';
import type { Admission } from './admission.js';
import { type JoinedMachine, type MachineRegister, notAMachine } from '../register/machines.js';
import { provenPurchase, type ReceiptSigner } from './receipts.js';
import type { Cost, Source } from '../../model/asset.js';
import { SvcdError } from '../../model/errors.js';
import { VERSION } from '../../platform/installation.js';
import { UNSETTLED_AT_HUB } from '../../purchases/await-other.js';
import type { HubBooks } from '../books/hub-books.js';
import { payersOfMachine } from '../../purchases/budget.js';
import { imageDigest } from '../../purchases/image-item.js';
import { itemOf } from '../../purchases/item.js';
import type { PurchaseCoordinator } from '../../purchases/purchase-coordinator.js';
import type { OwnedStore } from '../../purchases/owned-store.js';
import { REQUEST_ID } from '../member/hub-exchanger.js';
import type { App } from '../../operations/handlers.js';
import type { Verbs } from '../../operations/open-verbs.js';
import type { Rooms } from '../../operations/rooms.js';
import { answerJson, bodyOf, foreseen, refusalParts } from '../../http/answer.js';
import { bodyLines, linesOf, readToEnd } from '../../http/json-lines.js';
import { createUploads } from './machine-uploads.js';
import { mergeSame } from '../../http/merge-same.js';
import { pathOf, presetOf, targetOf } from '../../http/read-request.js';
import { stoppingError } from '../../operations/video/report-requests.js';
import { type Call, createRouter, type HandlersOf, type Table } from '../../http/router.js';
import {
  createServiceHandlers,
  imageOrderOf,
  type BalanceOf,
  type ServiceTerms,
} from '../../operations/service/service-handlers.js';

const { joinHub } = MACHINE_OPERATIONS;

/** Its rows: of the service's own paths all, of svcd's the files that answers name. */
const TABLE = {
  ...MACHINE_OPERATIONS,
  listCapabilities: OPERATIONS.listCapabilities,
  searchStickers: OPERATIONS.searchStickers,
  matchStickers: OPERATIONS.matchStickers,
  downloadSticker: OPERATIONS.downloadSticker,
  generateImage: OPERATIONS.generateImage,
  showAccount: OPERATIONS.showAccount,
  showUsage: OPERATIONS.showUsage,
  registerProduction: OPERATIONS.registerProduction,
  passThrough: OPERATIONS.passThrough,
  downloadFile: OPERATIONS.downloadFile,
  showPicture: OPERATIONS.showPicture,
} as const satisfies Table;

export interface MachineAppParts extends Pick<Rooms, 'library' | 'harvest' | 'userKey' | 'origin' | 'log' | 'guard'> {
  readonly verbs: Verbs;
  readonly terms: ServiceTerms;
  readonly machines: MachineRegister;
  readonly books: Pick<HubBooks, 'findOutcome' | 'listLacking' | 'showBudgets'>;
  readonly owned: Pick<OwnedStore, 'has' | 'describe'>;
  readonly receipts: ReceiptSigner;
  readonly admission: Admission;
  readonly coordinator: Pick<PurchaseCoordinator, 'isWaiting'>;
  readonly shareLibrary: ShareLibrary;
  readonly balanceOf: BalanceOf;
  /** What is the same for every machine. */
  readonly facts: () => Pick<JoinAnswer, 'scope' | 'sandbox' | 'remote_label' | 'addresses' | 'pin'> & {
    readonly next: readonly string[];
  };
  readonly now: () => number;
  /** Whether of two processes of a machine the second buys nothing. */
  readonly isStrict: boolean;
}

interface Sender {
  readonly machine: JoinedMachine;
  /** Whose budget pays. */
  readonly project: string;
  readonly caller: Caller;
  /** Whether it keeps what it gets, as the hub does, and wants the very same bytes. */
  readonly keeps: boolean;
}

/** The app of the machines' listener. Once it is closed, machines are told to ask elsewhere for what cannot be had here any more. */
export function createMachineApp(parts: MachineAppParts): App {
  const { machines, books, owned, receipts, admission, balanceOf, facts, log, guard } = parts;
  let isClosing = false;
  /** Who asks another hub, or asks again after the restart, gets the asset itself in place of a default. */
  const orElsewhere = async <T extends { readonly source: Source; readonly cost: Cost }>(work: () => Promise<T>) => {
    const told = await work();
    if (isClosing && told.source === 'default') throw stoppingError(told.cost);
    return told;
  };
  const senders = new WeakMap<object, Sender>();
  const senderOf = ({ req }: Context): Sender => {
    const sender = senders.get(req.raw);
    if (sender === undefined) throw notAMachine();
    return sender;
  };
  const service = createServiceHandlers(
    parts,
    parts.verbs,
    // What is served is what was bought, whatever this daemon's own clients get.
    { ...parts.terms, form: 'as-bought' },
    balanceOf,
    (_caller, _kind, _name, work) => orElsewhere(work),
    () => undefined,
  );
  /** What machines wait for, by the names of their wishes, each request: one that joined another's purchase is in no book. */
  const asking = new Map<string, readonly { readonly item: string }[]>();
  /** Lets a machine wait for an item among the others; what is owned waits for nothing. */
  const admitted = async <T>(c: Context, item: string, work: () => T | Promise<T>): Promise<T> => {
    const { machine, project } = senderOf(c);
    const leave = owned.has(item) ? undefined : admission.enter(machine.id, { item, project });
    const name = nameOf(machine.id, c.req.header(REQUEST_ID) ?? '');
    if (leave === undefined) return work();
    const own = { item };
    asking.set(name, [...(asking.get(name) ?? []), own]);
    try {
      return await work();
    } finally {
      // The same wish may wait on another connection still.
      const others = asking.get(name)?.filter((one) => one !== own) ?? [];
      if (others.length === 0) asking.delete(name);
      else asking.set(name, others);
      leave();
    }
  };
  /** Adds what proves that this item was bought, to an answer that has its bytes. */
  const proving = (answer: Response, item: string): Response => {
    const kept = owned.describe(item);
    if (kept === undefined || answer.headers.get('X-Svcd-Source') === 'default') return answer;
    const { sha256, receipt, purchaseId } = kept;
    answer.headers.set('X-Svcd-Sha256', sha256);
    answer.headers.set('X-Svcd-Item', encodeURIComponent(item));
    // What was bought before this was a hub has none yet.
    const signed = receipt ?? receipts.sign({ scope: facts().scope, item, sha256, purchase: purchaseId ?? 0 });
    answer.headers.set('X-Svcd-Receipt', signed);
    return answer;
  };
  const merge = mergeSame();
  /** What asks the service for nothing that is paid is asked once, however many want it. */
  const merged =
    <O>(handle: (call: Call<O>) => Response | Promise<Response>) =>
    (call: Call<O>): Promise<Response> => {
      const { raw } = call.c.req;
      const { machine } = senderOf(call.c);
      // What a machine is refused that may only have what is owned names that machine.
      const who = machine.only === null ? '' : String(machine.id);
      const question = `${who} ${raw.headers.get('X-Svcd-Key') ?? ''} ${targetOf(raw.url)}`;
      return merge(question, async () => handle(call));
    };
  const takeUpload = createUploads();
  const listLacking = keptFor(LACKING_FOR_MS, parts.now, () => books.listLacking(LACKING_MAX));
  const uploaded = <T>(c: Context, work: (pieces: AsyncIterable<Uint8Array>) => Promise<T>): Promise<T> =>
    readToEnd(bodyLines(c), (pieces) => takeUpload(senderOf(c).machine.id, pieces, work));

  const handlers: HandlersOf<typeof TABLE> = {
    ...service,
    listCapabilities: merged(service.listCapabilities),
    searchStickers: merged(service.searchStickers),
    showAccount: merged(service.showAccount),
    showUsage: merged(service.showUsage),
    downloadSticker: async (call) => {
      const item = itemOf(presetOf(call.c, OPERATIONS.downloadSticker));
      return proving(await admitted(call.c, item, () => service.downloadSticker(call)), item);
    },
    generateImage: async (call) => {
      const { c, caller } = call;
      const order = { ...imageOrderOf(call, parts.terms), answerAlone: senderOf(c).keeps };
      const image = await admitted(c, `image:${imageDigest(order)}`, () =>
        orElsewhere(() => parts.verbs.generateImage(order)),
      );
      const { ownedAs } = image;
      const answer = (text: string | Uint8Array) =>
        answerJson(typeof text === 'string' ? text : bodyOf(text), { ...image, balance: balanceOf(caller) });
      if (ownedAs !== undefined && senderOf(c).keeps) return proving(answer(ownedAs.asset.bytes), ownedAs.item);
      // Its addresses are to lead here, and not to the hub's own loopback.
      return answer(
        Buffer.from(image.body)
          .toString()
          .replaceAll(parts.origin(), `https://${c.req.header('host') ?? ''}`),
      );
    },
    joinHub: async ({ body: { secret, machine_name: name, user = null } }) => {
      const { token, machine } = await machines.join(secret, { name, user });
      const { id, projects, only, expiresAt } = machine;
      log.info('a machine joined', { machine: id, name: machine.name, projects: projects.join(', ') });
      const answer: JoinAnswer = {
        token,
        machine: { id, name: machine.name },
        project: projects[0] ?? '',
        projects,
        only,
        expires_at: expiresAt === null ? null : new Date(expiresAt).toISOString(),
        receipt_key: receipts.publicKey,
        ...facts(),
      };
      return Response.json(answer, { status: joinHub.status, headers: NO_STORE });
    },
    showHubFacts: ({ c }) => {
      const { id, name, projects, only, user, expiresAt } = senderOf(c).machine;
      const { scope, sandbox, addresses, next } = facts();
      const ends = expiresAt === null ? null : new Date(expiresAt).toISOString();
      const machine = { id, name, project: projects[0] ?? '', only, user, expires_at: ends };
      const now = new Date(parts.now()).toISOString();
      return { name: 'svcd hub', version: VERSION, scope, sandbox, machine, addresses, next: [...next], now };
    },
    showLimits: async ({ c, query }) => {
      const { machine, project } = senderOf(c);
      const wanted = query.project ?? project;
      requireProject(machine, wanted);
      const payers = payersOfMachine({ ...machine, project: wanted, user: machine.user ?? undefined });
      return { limits: (await books.showBudgets()).filter(({ payer }) => payers.includes(payer)) };
    },
    leaveHub: async ({ c }) => {
      const { id, name } = senderOf(c).machine;
      await machines.revoke(String(id), `machine:${id}`);
      log.info('a machine left', { machine: id, name });
      return { left: true };
    },
    showAsk: async ({ c }) => {
      const { machine } = senderOf(c);
      const id = (c.req.param('id') ?? '').toLowerCase();
      const ask = await books.findOutcome(machine.id, id);
      const item = asking.get(nameOf(machine.id, id))?.[0]?.item;
      if (ask.state !== 'none' || item === undefined) return ask;
      return { ...ask, state: parts.coordinator.isWaiting(item) ? 'intent' : 'sent', item };
    },
    copyLibrary: async ({ c }) => {
      const known = c.req.header('if-none-match');
      const copy = await parts.shareLibrary(known);
      if (copy === undefined) return new Response(null, { status: 304, headers: { ETag: known ?? '' } });
      const isPacked = /\bgzip\b/.test(c.req.header('accept-encoding') ?? '');
      const body = new Blob([copy.packed]).stream();
      const answer = linesOf(isPacked ? body : body.pipeThrough(new DecompressionStream('gzip')));
      answer.headers.set('ETag', copy.tag);
      if (isPacked) answer.headers.set('Content-Encoding', 'gzip');
      return answer;
    },
    listLacking: async () => ({ items: await listLacking() }),
    returnOwned: ({ c }) =>
      uploaded(c, (pieces) =>
        parts.verbs.transferOwned.importLines(pieces, ({ receipt, ...of }) => {
          return of.scope === facts().scope && provenPurchase(receipt, of, receipts.publicKey) !== undefined;
        }),
      ),
  };

  const refuse = (error: unknown, method: string, caller?: Caller): Response => {
    const isCopyOfFull = () => guard.findStop()?.by === 'disk_full';
    const told = asAtMachine(foreseen(error, method, log, isCopyOfFull), isClosing);
    const { body, ...init } = refusalParts(told, caller && balanceOf(caller));
    return new Response(body, init);
  };
  const app = createRouter(TABLE, handlers, {
    authorization: (request) => senders.get(request)?.caller ?? NOBODY,
    refuse,
    nothingHere: refuseNothingHere,
  });
  const fetch: App['fetch'] = async (request, bindings = {}) => {
    try {
      if (pathOf(request.url) !== joinHub.path) senders.set(request, await identify(request));
      return await app.fetch(request, bindings);
    } catch (error) {
      return refuse(error, request.method);
    }
  };
  return { fetch, close: () => void (isClosing = true) };

  /** Who sends a request. Throws `not_a_machine`, `machine_revoked`, `not_permitted`. */
  async function identify({ headers }: Request): Promise<Sender> {
    const bearer = bearerOf(headers.get('authorization') ?? '');
    if (bearer === undefined) throw notAMachine();
    const machine = await machines.find(bearer);
    const terms = readHeaders(machineTermsSchema, headers);
    const [process, last] = terms['X-Svcd-Process']?.split(' ') ?? [];
    const claimed = process === undefined ? true : machines.claim(machine.id, process, last);
    const isSecond = parts.isStrict && !(await claimed);
    const [requestId, project, key] = [terms['X-Svcd-Request-Id'], terms['X-Svcd-Project'], terms['X-Svcd-Key']];
    const caller = callerOf({ ...machine, isSecond }, { requestId, project, key }, parts.userKey);
    return { machine, project: project ?? machine.projects[0] ?? '', caller, keeps: requestId !== undefined };
  }
}

/** All machines ask for it every few minutes, and it is a look at the whole journal. */
const LACKING_FOR_MS = 30_000;
const LACKING_MAX = 1000;

function keptFor<T>(ms: number, now: () => number, ask: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (last === undefined || Math.abs(now() - last.at) >= ms) last = { at: now(), answer: ask() };
    const { answer } = last;
    answer.catch(() => (last = undefined));
    return answer;
  };
}

const nameOf = (machine: number, requestId: string): string => `${machine} ${requestId.toLowerCase()}`;

const NO_STORE = { 'Cache-Control': 'no-store' };

/** Who joins is not known yet. */
const NOBODY: Caller = {
  known: false,
  grant: undefined,
  isPage: false,
  mark: 'anybody',
  spender: () => ({ kind: 'none' }),
  require: () => undefined,
};

/** Whoever reads it is not at the hub: the purchase is the hub's, and a hub that stops is not a service that is away. */
function asAtMachine(error: SvcdError, isClosing: boolean): SvcdError {
  if (error.code === 'offline' && isClosing) return stoppingError(error.cost);
  if (error.code !== 'unsettled') return error;
  return new SvcdError(error.code, error.message, { hint: UNSETTLED_AT_HUB, cost: error.cost, cause: error });
}

function refuseNothingHere(): never {
  throw new SvcdError('not_found', 'a hub answers its machines nothing at this path', {
    hint: 'It answers what is below /api/v1/, and /svcd/hub. Bytes come from the service alone; the rest is on the hub itself.',
  });
}
