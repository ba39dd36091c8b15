// The one purchase flow: owned? under way? unsettled? within the budget? Then the intent is written down, the call is
// made, its answer is judged, and the bytes are kept with `paid` in one transaction. One purchase of an item at a time,
// however many ask, and never again what may have been paid. Each client waits until its deadline, the purchase goes on.

import { assetOf, type Asset, type Cost } from '../model/asset.js';
import { isSvcdError, SvcdError } from '../model/errors.js';
import { keyIdOf, type Spender } from '../model/spender.js';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { sleep as systemSleep, within, type Sleep } from '../platform/sleep.js';
import type { RemoteAnswer } from '../upstream/exchange.js';
import { remoteError } from '../upstream/remote-error.js';
import { askBalance, noRemote, type Remote } from '../upstream/remote.js';
import type { InflightTracker } from './inflight-tracker.js';
import type { PurchaseItem } from './item.js';
import type { Journal, Order, Purchase } from './journal.js';
import { judgePaidCall, type PaidAnswer } from './judge-paid-call.js';
import { createLinkedFiles, type KeepLinkedFiles } from './linked-files.js';
import type { ItemFile, OwnedStore } from './owned-store.js';
import type { ReadBalance, Settlement } from './settlement.js';
import type { SpendingGuard } from './spending-guard.js';
import { PurchaseProgress, WaitingClient } from './purchase-progress.js';

/** Who can pay for a purchase. */
export type Payer = Extract<Spender, { kind: 'key' }>;

export type Receipt =
  | {
      readonly kind: 'bought';
      readonly asset: Asset;
      /** Credits this caller spent; 0 for one that joined another's purchase. */
      readonly cost: number;
      /** False when the bytes could not be written down (yet). */
      readonly kept: boolean;
    }
  /** Nothing was charged. */
  | { readonly kind: 'refused'; readonly error: SvcdError }
  /** It was charged, or may have been, and nothing of it is owned; `unknown` for the caller whose call that was. */
  | { readonly kind: 'unsettled'; readonly error: SvcdError; readonly cost: Cost }
  /**
   * It goes on without this client: `timeout`, `offline` where the remote is silent, or why it has not left. `unknown`
   * for the caller whose call is on its way; 0 for one that joined it, and while it has not left.
   */
  | { readonly kind: 'pending'; readonly error: SvcdError; readonly cost: Cost };

export interface BuyTerms {
  /** Buy although an earlier purchase was charged or may have been. */
  readonly allowRepay?: boolean | undefined;
  /** How long the client waits; to the end if not given. */
  readonly deadlineMs?: number | undefined;
  /** Whether the client closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
}

export interface PurchaseCoordinator {
  /** Buys an item and the files it links to, or joins its purchase under way. Never rejects. */
  buy(item: PurchaseItem, payer: Payer, terms?: BuyTerms): Promise<Receipt>;
  /** Fetches the linked files of an owned item that are missing. */
  readonly keepLinkedFiles: KeepLinkedFiles;
  /** Whether a purchase of the item of this name is under way. */
  isBuying(name: string): boolean;
  /** Resolves when nothing is being bought any more, after a last try to write down what could not be. */
  idle(): Promise<void>;
}

export interface CoordinatorOptions {
  readonly journal: Journal;
  readonly owned: OwnedStore;
  readonly settlement: Settlement;
  readonly guard: Pick<SpendingGuard, 'check'>;
  readonly inflight: InflightTracker;
  /** Undefined when no remote is configured. */
  readonly remote: Remote | undefined;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly log: Log;
  /** How clients wait; by the system's timer and clock if not given. */
  readonly sleep?: Sleep | undefined;
  readonly clock?: Clock | undefined;
}

/** One caller's try to buy. */
interface Attempt {
  readonly item: PurchaseItem;
  readonly key: string;
  readonly order: Order;
  readonly remote: Remote;
  readonly client: WaitingClient;
  /** What this caller has spent so far. */
  cost: Cost;
}

interface UnderWay {
  readonly order: Order;
  readonly receipt: Promise<Receipt>;
  readonly progress: PurchaseProgress;
}

/** A paid call that is over. */
interface Ended {
  readonly id: number;
  readonly order: Order;
  readonly answer: PaidAnswer;
}

const WRITE_AGAIN_MS = 5000;
/** How long a purchase is sent again while the remote refuses it for now, whether a client still waits or not. */
const RESEND_WITHIN_MS = 5 * 60_000;
/** How long the balance may keep the first purchase waiting, and for what part of the client's time. */
const BALANCE_WAIT_MS = 2000;
const BALANCE_WAIT_SHARE = 1 / 4;
const BALANCE_TIMEOUT_MS = 10_000;

/** Coordinates the purchases of one journal. */
export function createPurchaseCoordinator(options: CoordinatorOptions): PurchaseCoordinator {
  const { journal, owned, settlement, inflight, maxFileBytes, log, sleep = systemSleep, clock = systemClock } = options;
  const keepLinkedFiles = createLinkedFiles(options);
  const underWay = new Map<string, UnderWay>();
  /** What is over and not on disk yet, by the purchase's number. */
  const unwritten = new Map<number, Ended>();
  let writeAgain: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  async function buy(
    item: PurchaseItem,
    { key, tokenId }: Payer,
    { allowRepay = false, deadlineMs, isGone }: BuyTerms = {},
  ): Promise<Receipt> {
    const { remote } = options;
    if (remote === undefined) return refused(noRemote());
    const { name, kind, price } = item;
    const order = { item: name, kind, price, keyId: keyIdOf(key), tokenId, allowRepay };
    const client = new WaitingClient(deadlineMs, clock.monotonic(), isGone);
    const attempt: Attempt = { item, key, order, remote, client, cost: 0 };
    const bought = startOrJoin(attempt);
    const receipt = deadlineMs === undefined ? await bought : await within(deadlineMs, bought, sleep);
    client.stopWaiting();
    return receipt ?? pending(attempt, deadlineMs ?? 0);
  }

  function pending({ item, cost }: Attempt, deadlineMs: number): Receipt {
    const notSent = underWay.get(item.name)?.progress.whyNotSent();
    if (notSent !== undefined) return { kind: 'pending', error: notSent, cost: 0 };
    return { kind: 'pending', error: lateError(item, deadlineMs), cost };
  }

  async function startOrJoin(attempt: Attempt): Promise<Receipt> {
    const { order, client, remote } = attempt;
    const other = underWay.get(order.item);
    if (other === undefined) return start(attempt);
    // What was sent goes on, but a silent remote is waited for by one client, not by each that comes.
    const refusal = other.progress.isSent ? remote.findRefusal(client.deadlineMs ?? Infinity) : undefined;
    if (refusal !== undefined) return { kind: 'pending', error: refusal, cost: 0 };
    other.progress.join(client);
    const receipt = await other.receipt;
    if (mayDoBetter(order, other.order, receipt)) return startOrJoin(attempt);
    return 'cost' in receipt ? { ...receipt, cost: 0 } : receipt;
  }

  function start(attempt: Attempt): Promise<Receipt> {
    const { order, client } = attempt;
    const progress = new PurchaseProgress(client);
    attempt.cost = 'unknown';
    const receipt = purchase(attempt, progress)
      .then(async (bought) => {
        attempt.cost = 'cost' in bought ? bought.cost : 0;
        // All who joined wait for its pictures too, and get the same answer.
        if (bought.kind === 'bought') await keepLinkedFiles(attempt.item, bought.asset, attempt.key);
        return bought;
      })
      .catch((cause: unknown) => notBegun(order, cause))
      .finally(() => underWay.delete(order.item));
    underWay.set(order.item, { order, receipt, progress });
    return receipt;
  }

  async function purchase(attempt: Attempt, progress: PurchaseProgress): Promise<Receipt> {
    const { order, remote, client } = attempt;
    // Looked up before the store: what is kept meanwhile is found there.
    const unkept = findUnkept(order.item);
    const already = await owned.find(order.item);
    if (already !== undefined) return { kind: 'bought', asset: already, cost: 0, kept: true };
    if (unkept !== undefined) return notKept(unkept, 0);
    const doubtful = await findUnsettled(attempt);
    if (doubtful !== undefined) return { kind: 'unsettled', error: unsettled(doubtful), cost: 0 };
    const away = remote.findRefusal(client.deadlineMs ?? Infinity);
    if (away !== undefined) return refused(away);
    // Before the balance is asked for, which is written down too.
    options.guard.check();
    await prepareSettlement(attempt);
    const id = await journal.intend(order);
    const { answer, wasAlone } = await send(id, attempt, progress);
    const receipt = await writeDown({ id, order, answer });
    if (wasAlone && answer.kind !== 'lost' && answer.balance !== undefined) {
      settlement.reconcile(order.keyId, answer.balance);
    }
    if (receipt.kind === 'unsettled') settlement.settleLater(order.keyId, balanceReader(attempt));
    return receipt;
  }

  /** Nothing of an item is owned, yet a credit went or may have gone for it: what would cost again asks first. */
  async function findUnsettled(attempt: Attempt): Promise<Purchase | undefined> {
    const { order } = attempt;
    if (order.allowRepay === true) return undefined;
    const found = await journal.findUnsettled(order.item);
    if (found?.state !== 'unknown' || found.keyId !== order.keyId) return found;
    await settlement.settle(order.keyId, balanceReader(attempt));
    return journal.findUnsettled(order.item);
  }

  /** The balance to compare with, should the end of this purchase not be seen; its absence keeps none from buying. */
  async function prepareSettlement({ order, remote, key, client }: Attempt): Promise<void> {
    const waitMs = Math.min(BALANCE_WAIT_MS, (client.deadlineMs ?? Infinity) * BALANCE_WAIT_SHARE);
    const asking = settlement.prepare(order.keyId, () => askBalance(remote, key, BALANCE_TIMEOUT_MS));
    await within(waitMs, asking, sleep);
  }

  /** Makes the paid call; `wasAlone` when no other paid call of this account was under way meanwhile. */
  async function send(id: number, { item, key, order, remote }: Attempt, progress: PurchaseProgress) {
    let finish: (() => boolean) | undefined;
    const beforeSend = async () => {
      // The last moment before money may leave, each time it may: what has to hold for it is asked here and nowhere
      // else; what throws an SvcdError here is refused for free.
      if (progress.isAbandoned) throw new SvcdError('interrupted', 'every client that waited for it has gone');
      await journal.send(id);
      finish ??= inflight.start(order.keyId);
    };
    const beforeWait = (refusal: RemoteAnswer) => {
      progress.waitAgain(remoteError(refusal));
      return takeBack(id);
    };
    let answer: PaidAnswer;
    progress.wait();
    try {
      const exchange = await remote.exchange({
        ...item.request,
        key,
        cost: 'paid',
        maxBytes: maxFileBytes,
        resendWithinMs: RESEND_WITHIN_MS,
        isAwaited: () => progress.isAwaited(clock.monotonic()),
        onTurn: () => progress.leave(),
        beforeSend,
        beforeWait,
      });
      answer = judgePaidCall(item, exchange, remote.baseUrl);
    } catch (cause) {
      const error = new SvcdError('internal', 'the paid call failed inside svcd', { cause });
      answer = { kind: finish === undefined ? 'refused' : 'lost', error };
    }
    return { answer, wasAlone: finish?.() ?? false };
  }

  async function takeBack(id: number): Promise<void> {
    try {
      await journal.takeBack(id);
    } catch (error) {
      // It stays `sent`, which after a crash is read as unknown: careful, not wrong.
      log.warn('a purchase that waits could not be noted as such', { purchase: id, why: String(error) });
    }
  }

  /** The bytes of an item that were paid for and could not be kept yet. */
  function findUnkept(name: string): ItemFile | undefined {
    for (const { answer } of unwritten.values())
      if (answer.kind === 'delivered' && answer.file.item === name) return answer.file;
    return undefined;
  }

  async function writeDown(ended: Ended): Promise<Receipt> {
    const { id, order, answer } = ended;
    try {
      const receipt = await settle(ended);
      unwritten.delete(id);
      return receipt;
    } catch (error) {
      const why = String(error);
      log.error('the end of a purchase could not be written down; svcd tries again', { purchase: id, why });
      // The row stays open, so that it is not bought again meanwhile.
      unwritten.set(id, ended);
      writeAgain ??= setTimeout(() => void tryAgain(), WRITE_AGAIN_MS).unref();
      // Paid for, so the client gets the bytes even if this disk cannot take them now.
      if (answer.kind === 'delivered') return notKept(answer.file, order.price);
      return answer.kind === 'refused' ? refused(answer.error) : inDoubt(answer.error);
    }
  }

  async function settle({ id, order: { price }, answer }: Ended): Promise<Receipt> {
    switch (answer.kind) {
      case 'delivered':
        return { kind: 'bought', asset: await owned.keep(id, price, answer.file), cost: price, kept: true };
      case 'unusable':
        // Whether this was charged is as open as with no answer at all: the page of a proxy costs nothing.
        await owned.keepEvidence(id, answer.file, answer.error.message);
        log.warn('what came of a paid call cannot be used', { purchase: id, why: answer.error.message });
        return inDoubt(answer.error);
      case 'refused':
        await journal.refuse(id, answer.error.code);
        return refused(answer.error);
      case 'lost':
        await journal.lose(id, answer.error.code);
        log.warn('a paid call was lost', { purchase: id, why: answer.error.code });
        return inDoubt(answer.error);
    }
  }

  /** One try after another: two at a time would write the same end twice. */
  function tryAgain(): Promise<void> {
    clearTimeout(writeAgain);
    writeAgain = undefined;
    writing = writeAfter(writing);
    return writing;
  }

  async function writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    for (const ended of Array.from(unwritten.values())) await writeDown(ended);
  }

  function notBegun(order: Order, cause: unknown): Receipt {
    if (isSvcdError(cause)) return refused(cause);
    log.error('a purchase could not begin', { kind: order.kind, why: String(cause) });
    const message = 'the journal cannot be written, so nothing was sent';
    return refused(new SvcdError('internal', message, { cause }));
  }

  return {
    buy,
    keepLinkedFiles,
    isBuying: (name) => underWay.has(name),
    idle: async () => {
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ receipt }) => receipt));
      await tryAgain();
      clearTimeout(writeAgain);
    },
  };
}

function balanceReader({ remote, key }: Attempt): ReadBalance {
  return () => askBalance(remote, key);
}

/** Whether a caller that joined a purchase made on other terms should try for itself. */
function mayDoBetter(order: Order, other: Order, receipt: Receipt): boolean {
  // Another caller's wrong or empty Key, or spent budget, is no reason to refuse this one; nor that all had gone just
  // before it came.
  if (receipt.kind === 'refused') {
    const isOfAnother = other.keyId !== order.keyId || other.tokenId !== order.tokenId;
    return isOfAnother || receipt.error.code === 'interrupted';
  }
  return receipt.kind === 'unsettled' && order.allowRepay === true && other.allowRepay !== true;
}

function lateError({ kind }: PurchaseItem, deadlineMs: number): SvcdError {
  if (kind === 'sticker') {
    return new SvcdError('timeout', `the remote did not answer within ${deadlineMs} ms`, {
      hint: 'The purchase is under way: it is owned when the answer comes.',
    });
  }
  return new SvcdError('timeout', `the image was not ready within ${deadlineMs} ms`, {
    hint: 'It is still being made: ask again later.',
  });
}

function notKept({ bytes, contentType }: ItemFile, cost: number): Receipt {
  return { kind: 'bought', asset: assetOf(bytes, contentType), cost, kept: false };
}

function refused(error: SvcdError): Receipt {
  return { kind: 'refused', error };
}

function inDoubt(error: SvcdError): Receipt {
  return { kind: 'unsettled', error, cost: 'unknown' };
}

function unsettled({ id, state }: Purchase): SvcdError {
  const why =
    state === 'paid'
      ? 'was paid, but nothing of it is owned'
      : 'was sent and its end was not seen, so it may have been paid';
  return new SvcdError('unsettled', `an earlier purchase of this ${why} (purchase ${id})`, {
    hint: `See "svcd purchases"; "svcd purchases retry ${id}" buys it again.`,
  });
}
