// The one purchase flow: owned? under way? unsettled? within the budget? Then the intent is written down, the call is
// made, its answer is judged, and the bytes are kept with `paid` in one transaction. One purchase of an item at a time,
// however many ask, and never again what may have been paid. Each client waits until its deadline, the purchase goes on.

import { isSvcdError, SvcdError } from '../model/errors.js';
import { systemClock, type Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { sleep as systemSleep, within, type Sleep } from '../platform/sleep.js';
import type { FindLate, RemoteAnswer } from '../upstream/exchange.js';
import { noTurnForMs } from '../upstream/no-turn.js';
import { limitsKey, remoteError, retryAfterMs } from '../upstream/remote-error.js';
import { askBalance, noRemote, type Remote } from '../upstream/remote.js';
import {
  attemptOf,
  balanceReader,
  isOfSamePayer,
  mayDoBetter,
  type Attempt,
  type Payer,
  type UnderWay,
} from './join-purchase.js';
import { createAwaitOther, lookAgain, unsettled } from './await-other.js';
import { createBatch, createReserving, type Batch, type Reserved } from './batch.js';
import { createEndings } from './write-outcome.js';
import type { InflightTracker, Settlement } from './settlement.js';
import type { PurchaseItem } from './item.js';
import { createLinkedFiles, type KeepLinkedFiles } from './linked-files.js';
import { asDiskFull, lateError, notKept, refused, type Receipt } from './receipt.js';
import { createPaidCalls, SERVICE, type PaidAnswer, type Seller } from './seller.js';
import { PurchaseProgress, WaitingClient } from './purchase-progress.js';
import type { Claim, Journal, Order, Purchase } from './journal.js';
import type { OwnedStore } from './owned-store.js';
import type { SpendingGuard } from './spending-guard.js';

export interface BuyTerms {
  /** Buy although an earlier purchase was charged or may have been. */
  readonly allowRepay?: boolean | undefined;
  /** How long the client waits; to the end if not given. */
  readonly deadlineMs?: number | undefined;
  /** Whether the client closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
}

export interface ReserveTerms {
  /** All of it may cost this much at most. */
  readonly maxCredits: number;
  /** Whether the client closed its connection. */
  readonly isGone?: (() => boolean) | undefined;
}

export interface PurchaseCoordinator {
  /** Buys an item and the files it links to, or joins its purchase under way. Never rejects. */
  buy(item: PurchaseItem, payer: Payer, terms?: BuyTerms): Promise<Receipt>;
  /**
   * Reserves the price of those that have to be bought, in one transaction, and begins none. Throws `budget`,
   * `spending_stopped`, `invalid_token` when not all of it can be reserved.
   */
  reserve(items: readonly PurchaseItem[], payer: Payer, terms: ReserveTerms): Promise<Batch>;
  /** Fetches the linked files of an owned item that are missing. */
  readonly keepLinkedFiles: KeepLinkedFiles;
  /** Whether a purchase of the item of this name is under way. */
  isBuying(name: string): boolean;
  /** Whether it is, and waits for its turn. */
  isWaiting(name: string): boolean;
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
  /** Who sells there; the service if not given. */
  readonly seller?: Seller | undefined;
  /** The largest file taken from the remote. */
  readonly maxFileBytes: number;
  readonly log: Log;
  /** How clients wait; by the system's timer and clock if not given. */
  readonly sleep?: Sleep | undefined;
  readonly clock?: Clock | undefined;
}

/** How long a purchase is sent again while the remote refuses it for now, whether a client still waits or not. */
const RESEND_WITHIN_MS = 5 * 60_000;
/** How long the balance may keep the first purchase waiting, and for what part of the client's time. */
const BALANCE_WAIT_MS = 2000;
const BALANCE_WAIT_SHARE = 1 / 4;
const BALANCE_TIMEOUT_MS = 10_000;
const [HUB_LOOK_MS, HUB_LOOK_SHARE] = [500, 1 / 8];

/** Coordinates the purchases of one journal. */
export function createPurchaseCoordinator(options: CoordinatorOptions): PurchaseCoordinator {
  const { journal, owned, settlement, inflight, seller = SERVICE, log } = options;
  const { sleep = systemSleep, clock = systemClock } = options;
  const keepLinkedFiles = createLinkedFiles(options);
  const underWay = new Map<string, UnderWay>();
  const ends = createEndings(options);
  const calls = createPaidCalls(seller, options.maxFileBytes);
  const explain = (one: Purchase) => unsettled(one, seller.isHub, lookAgain(settlement, one));
  const awaitOther = createAwaitOther({ journal, owned, sleep, explain, bringAgain });
  const batches = new Set<Batch>();
  const reserving = createReserving();

  async function buy(
    item: PurchaseItem,
    payer: Payer,
    { allowRepay = false, deadlineMs, isGone }: BuyTerms = {},
  ): Promise<Receipt> {
    const { remote } = options;
    if (remote === undefined) return refused(noRemote());
    const client = new WaitingClient(deadlineMs, clock.monotonic(), isGone);
    const attempt = attemptOf(item, payer, remote, client, allowRepay);
    const bought = startOrJoin(attempt);
    const receipt = deadlineMs === undefined ? await bought : await inTime(bought, item.name, deadlineMs);
    client.stopWaiting();
    return receipt ?? pending(attempt, deadlineMs ?? 0);
  }

  /** What came of it by then. Shortly before, a hub is asked whether it waits there, so that the client is told the true reason. */
  async function inTime(bought: Promise<Receipt>, name: string, deadlineMs: number): Promise<Receipt | undefined> {
    const lookMs = seller.isHub ? Math.min(HUB_LOOK_MS, deadlineMs * HUB_LOOK_SHARE) : 0;
    const early = await within(deadlineMs - lookMs, bought, sleep);
    if (early !== undefined || lookMs === 0) return early;
    const looked = underWay.get(name)?.progress.lookAtHub(lookMs);
    void looked?.catch(() => undefined);
    return within(lookMs, bought, sleep);
  }

  function pending({ item, cost }: Attempt, deadlineMs: number): Receipt {
    const notSent = underWay.get(item.name)?.progress.whyNotSent();
    if (notSent !== undefined) return { kind: 'pending', error: notSent, cost: 0 };
    return { kind: 'pending', error: lateError(item, deadlineMs), cost };
  }

  async function startOrJoin(attempt: Attempt): Promise<Receipt> {
    const other = underWay.get(attempt.order.item);
    if (other === undefined) return start(attempt);
    return (await join(attempt, other)) ?? startOrJoin(attempt);
  }

  /** What came of a purchase under way; undefined when this caller should try for itself. */
  async function join({ order, client, remote }: Attempt, other: UnderWay): Promise<Receipt | undefined> {
    // What was sent goes on, but a silent remote is waited for by one client, not by each that comes.
    const refusal = other.progress.isSent ? remote.findRefusal(client.deadlineMs ?? Infinity) : undefined;
    if (refusal !== undefined) return { kind: 'pending', error: refusal, cost: 0 };
    other.progress.join(client, isOfSamePayer(order, other.order));
    other.begin();
    const receipt = await other.receipt;
    if (mayDoBetter(order, other.order, receipt)) return undefined;
    return 'cost' in receipt ? { ...receipt, cost: 0 } : receipt;
  }

  function start(attempt: Attempt): Promise<Receipt> {
    const progress = new PurchaseProgress(attempt.client);
    const decide = reserving.start([attempt.order.item]);
    // One that does not come so far has left by then.
    return enter(attempt, progress, purchase(attempt, progress, decide)).receipt.finally(decide);
  }

  /** From now on all who ask for it join. */
  function enter(
    attempt: Attempt,
    progress: PurchaseProgress,
    purchased: Promise<Receipt>,
    begin = (): void => undefined,
  ): UnderWay {
    const { order } = attempt;
    attempt.cost = 'unknown';
    const receipt = purchased
      .then(async (bought) => {
        attempt.cost = 'cost' in bought ? bought.cost : 0;
        // All who joined wait for its pictures too, and get the same answer.
        if (bought.kind !== 'bought') return bought;
        const lacks = await keepLinkedFiles(attempt.item, bought.asset, attempt.key);
        return lacks === undefined ? bought : { ...bought, lacks };
      })
      .catch((cause: unknown) => refused(notBegun(order, cause)))
      .finally(() => leave(entry));
    const entry = { order, receipt, progress, begin };
    underWay.set(order.item, entry);
    return entry;
  }

  /** From now on nobody joins it. */
  function leave(entry: UnderWay): void {
    if (underWay.get(entry.order.item) === entry) underWay.delete(entry.order.item);
  }

  /** `decide` is told once its price is reserved, or another's is. */
  async function purchase(attempt: Attempt, progress: PurchaseProgress, decide: () => void): Promise<Receipt> {
    const known = await findKnown(attempt);
    if (known !== undefined) return known;
    await prepare(attempt);
    for (;;) {
      const claim = await journal.intend(attempt.order);
      decide();
      if (claim.mine) return complete(claim.id, attempt, progress);
      const receipt = await awaitOther(claim.counts, attempt, () => progress.isAbandoned);
      if (receipt !== undefined) return receipt;
    }
  }

  /** What can be said of it without buying it. */
  async function findKnown(attempt: Attempt): Promise<Receipt | undefined> {
    const { order, remote, client } = attempt;
    // Looked up before the store: what is kept meanwhile is found there.
    const unkept = ends.findUnkept(order.item);
    const already = await owned.find(order.item);
    if (already !== undefined) return { kind: 'bought', asset: already, cost: 0, kept: true };
    if (unkept !== undefined) return notKept(unkept, 0);
    const away = remote.findRefusal(client.deadlineMs ?? Infinity);
    // What is in doubt here is none for a hub that is back.
    if (seller.isHub && away !== undefined) return refused(away);
    const doubtful = await findUnsettled(attempt);
    if (doubtful !== undefined) return { kind: 'unsettled', error: explain(doubtful), cost: 0 };
    return away === undefined ? undefined : refused(away);
  }

  /** Buys what is reserved. */
  async function complete(id: number, attempt: Attempt, progress: PurchaseProgress): Promise<Receipt> {
    const { order } = attempt;
    const { answer, wasAlone } = await send(id, attempt, progress);
    const receipt = await ends.write({ id, order, answer }).finally(progress.noteWritten);
    if (wasAlone && answer.kind !== 'lost' && answer.balance !== undefined) {
      settlement.reconcile(order.keyId, answer.balance);
    }
    if (!('cost' in receipt) || receipt.cost !== 'unknown') return receipt;
    settlement.settleLater(order.keyId, balanceReader(attempt));
    if (receipt.kind === 'bought') return receipt;
    return { ...receipt, error: receipt.error.with(lookAgain(settlement, { id, ...order })) };
  }

  /** What is reserved once `intent` is known, and is bought when somebody begins it. */
  function hold(attempt: Attempt, intent: Promise<Claim | undefined>): Reserved {
    const progress = new PurchaseProgress(attempt.client);
    let settle: (begins: boolean) => void = () => undefined;
    const decision = new Promise<boolean>((resolve) => (settle = resolve));
    let begun: boolean | undefined;
    const decide = (begins: boolean): boolean => {
      begun ??= begins;
      settle(begun);
      return begun;
    };
    const bought = async (): Promise<Receipt> => {
      const claim = (await decision) ? await intent : undefined;
      if (claim?.mine !== true) return refused(new SvcdError('interrupted', 'its reservation was released'));
      const { id } = claim;
      // An import may have brought it.
      const already = await owned.find(attempt.order.item);
      if (already === undefined) return complete(id, attempt, progress);
      await giveBack(id);
      return { kind: 'bought', asset: already, cost: 0, kept: true };
    };
    const entry = enter(attempt, progress, bought(), () => void decide(true));
    const drop = () => {
      // One that another client began may be sent already: whoever comes now joins it.
      if (!decide(false)) leave(entry);
    };
    return { ...entry, drop };
  }

  async function reserve(items: readonly PurchaseItem[], payer: Payer, terms: ReserveTerms): Promise<Batch> {
    const { remote } = options;
    const client = new WaitingClient(undefined, clock.monotonic(), terms.isGone, true);
    const batch = createBatch(terms.maxCredits, client, {
      attemptOf: (item) => remote && attemptOf(item, payer, remote, client),
      findUnderWay: (name) => underWay.get(name),
      isHad: (name) => owned.has(name) || ends.findUnkept(name) !== undefined,
      join,
      findKnown,
      findUnsettled,
      prepare,
      awaitOther,
      hold,
      leave,
      giveBack,
      notBegun,
      reserving,
      journal,
      onReleased: () => batches.delete(batch),
    });
    await batch.reserve(items);
    batches.add(batch);
    return batch;
  }

  /** Nothing of an item is owned, yet a credit went or may have gone for it: what would cost again asks first. */
  async function findUnsettled(attempt: Attempt): Promise<Purchase | undefined> {
    const { order } = attempt;
    if (order.allowRepay === true) return undefined;
    const found = await journal.findUnsettled(order.item);
    if (found !== undefined && seller.knows(found)) return undefined;
    if (found?.state !== 'unknown' || found.keyId !== order.keyId) return found;
    await settlement.settle(order.keyId, balanceReader(attempt));
    return journal.findUnsettled(order.item);
  }

  /** The balance to compare with, should the end of this purchase not be seen; its absence keeps none from buying. */
  async function prepare({ order, remote, key, client }: Attempt): Promise<void> {
    // Before the balance is asked for, which is written down too.
    options.guard.check();
    const waitMs = Math.min(BALANCE_WAIT_MS, (client.deadlineMs ?? Infinity) * BALANCE_WAIT_SHARE);
    const asking = settlement.prepare(order.keyId, () => askBalance(remote, key, BALANCE_TIMEOUT_MS));
    await within(waitMs, asking, sleep);
  }

  async function bringAgain(earlier: Purchase, attempt: Attempt): Promise<Receipt | undefined> {
    if (!seller.knows(earlier)) return undefined;
    const answer = await calls.askAgain(earlier, attempt);
    if (answer.kind === 'refused') return refused(answer.error);
    if (answer.kind !== 'delivered') return { kind: 'unsettled', error: answer.error, cost: 0 };
    return ends.write({ id: earlier.id, order: attempt.order, answer });
  }

  /** Makes the paid call; `wasAlone` when no other paid call of this account was under way meanwhile. */
  async function send(id: number, attempt: Attempt, progress: PurchaseProgress) {
    const { order, remote } = attempt;
    let finish: (() => boolean) | undefined;
    let findLate: FindLate | undefined;
    const beforeSend = async () => {
      // The last moment before money may leave, each time it may: what has to hold for it is asked here and nowhere
      // else; what throws an SvcdError here is refused for free.
      if (progress.isAbandoned) throw new SvcdError('interrupted', 'the client that asked for it has disconnected');
      findLate = await journal.send(id).catch((error: unknown) => {
        if (isSvcdError(error) && noTurnForMs(error) !== undefined) progress.waitAgain(error);
        throw asDiskFull(error);
      });
      finish ??= inflight.start(order.keyId);
    };
    const beforeWait = (refusal: RemoteAnswer) => {
      progress.waitAgain(remoteError(refusal));
      return takeBack(id, limitsKey(refusal) ? retryAfterMs(refusal) : undefined);
    };
    let answer: PaidAnswer;
    progress.wait();
    progress.askHub = (timeoutMs) => seller.letsWait(id, attempt, timeoutMs);
    try {
      const exchange = await remote.exchange({
        ...(await calls.requestOf(id, attempt)),
        hubItem: { item: order.item, project: order.machine?.project ?? order.project ?? '' },
        resendWithinMs: RESEND_WITHIN_MS,
        inWork: progress.written,
        isAwaited: () => progress.isAwaited(clock.monotonic()),
        onTurn: () => progress.leave(),
        beforeSend,
        findLate: () => findLate?.(),
        beforeWait,
      });
      if ('doubts' in exchange) settlement.doubtRefusals(order.keyId, balanceReader(attempt));
      answer = await seller.judge(id, attempt, exchange);
    } catch (cause) {
      const error = new SvcdError('internal', 'the paid call failed inside svcd', { cause });
      answer = { kind: finish === undefined ? 'refused' : 'lost', error };
    }
    return { answer, wasAlone: finish?.() ?? false };
  }

  async function takeBack(id: number, blockedForMs: number | undefined): Promise<void> {
    try {
      await journal.takeBack(id, blockedForMs);
    } catch (error) {
      // It stays `sent`, which after a crash is read as unknown: careful, not wrong.
      log.warn('a purchase that waits could not be noted as such', { purchase: id, why: String(error) });
    }
  }

  async function giveBack(id: number): Promise<boolean> {
    try {
      return await journal.release(id);
    } catch (error) {
      // It stays reserved until svcd starts again.
      log.warn('what was reserved could not be given back', { purchase: id, why: String(error) });
      return false;
    }
  }

  function notBegun(order: Order, thrown: unknown): SvcdError {
    const cause = asDiskFull(thrown);
    if (isSvcdError(cause)) return cause;
    log.error('a purchase could not begin', { kind: order.kind, why: String(cause) });
    return new SvcdError('internal', 'the journal cannot be written, so nothing was sent', { cause });
  }

  return {
    buy,
    reserve,
    keepLinkedFiles,
    isBuying: (name) => underWay.has(name),
    isWaiting: (name) => underWay.get(name)?.progress.whyNotSent() !== undefined,
    idle: async () => {
      for (const batch of batches) await batch.release();
      while (underWay.size > 0) await Promise.all([...underWay.values()].map(({ receipt }) => receipt));
      await ends.close();
    },
  };
}
