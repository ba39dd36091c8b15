// Many things bought by one request: their whole price is reserved before the first of them begins. What is reserved is under
// way for everybody else, who joins it and so begins it; what has not been sent is given back when its client goes.

import { SvcdError } from '../model/errors.js';
import { noRemote } from '../upstream/remote.js';
import type { Attempt, UnderWay } from './join-purchase.js';
import type { PurchaseItem } from './item.js';
import type { AwaitOther } from './await-other.js';
import type { WaitingClient, PurchaseProgress } from './purchase-progress.js';
import { refused, type Receipt } from './receipt.js';
import type { Claim, Journal, Order, Purchase } from './journal.js';

export interface Batch {
  /** What was reserved, for how many credits, and how many things are bought by others meanwhile. */
  readonly reserved: { readonly items: number; readonly credits: number; readonly byOthers: number };
  /** Whether the item of this name was reserved for it, also when others have begun it meanwhile: its cost is the batch's. */
  holds(name: string): boolean;
  /** Buys what is reserved, joins what is under way; what came free meanwhile is reserved now, within the maximum. Never rejects. */
  buy(item: PurchaseItem): Promise<Receipt>;
  /** Why something of it that has begun has not left; undefined when all has. */
  whyWaiting(): SvcdError | undefined;
  /** Gives back what was not sent and nobody else waits for. Buys nothing any more. */
  release(): Promise<void>;
}

/** What the coordinator does for a batch. */
export interface BatchParts {
  /** Undefined when there is no remote. */
  readonly attemptOf: (item: PurchaseItem) => Attempt | undefined;
  readonly findUnderWay: (name: string) => UnderWay | undefined;
  /** Whether it was paid for and is here. */
  readonly isHad: (name: string) => boolean;
  readonly join: (attempt: Attempt, other: UnderWay) => Promise<Receipt | undefined>;
  readonly findKnown: (attempt: Attempt) => Promise<Receipt | undefined>;
  readonly findUnsettled: (attempt: Attempt) => Promise<unknown>;
  readonly prepare: (attempt: Attempt) => Promise<void>;
  readonly awaitOther: AwaitOther;
  readonly hold: (attempt: Attempt, intent: Promise<Claim | undefined>) => Reserved;
  readonly leave: (entry: UnderWay) => void;
  /** Whether it had not been sent. */
  readonly giveBack: (id: number) => Promise<boolean>;
  readonly notBegun: (order: Order, cause: unknown) => SvcdError;
  readonly reserving: Reserving;
  readonly journal: Pick<Journal, 'intendAll'>;
  readonly onReleased: () => void;
}

/** Under way for everybody, and not begun before somebody wants it. */
export interface Reserved extends UnderWay {
  /** Gives it up, unless somebody has begun it. */
  readonly drop: () => void;
}

interface Held {
  readonly id: number;
  readonly entry: Reserved;
}

/** Items that a request is about to reserve, until it is known whether it can. */
export interface Reserving {
  /** Has batches wait for these until the function that it returns is called. */
  start(items: readonly string[]): () => void;
  /** What is open of these. Who has waited looks again: between a look that finds nothing and its own start is no wait. */
  open(items: readonly string[]): Promise<void>[];
}

/** Shared by all batches and single requests. */
export function createReserving(): Reserving {
  const open = new Map<string, Promise<void>>();
  return {
    start: (items) => {
      let settle = (): void => undefined;
      const one = new Promise<void>((resolve) => (settle = resolve));
      for (const item of items) open.set(item, one);
      return () => {
        for (const item of items) if (open.get(item) === one) open.delete(item);
        settle();
      };
    },
    open: (items) => items.flatMap((item) => open.get(item) ?? []),
  };
}

const namesOf = (attempts: readonly Attempt[]) => attempts.map(({ order }) => order.item);

/** A batch that may cost so much; nothing is reserved for it yet. */
export function createBatch(maxCredits: number, client: WaitingClient, parts: BatchParts) {
  const { attemptOf, findUnderWay, isHad, join, findKnown, journal } = parts;
  const held = new Map<string, Held>();
  /** Purchases of others, seen at the last look, that keep an item from being bought. */
  const counting = new Map<string, Purchase>();
  const active = new Set<PurchaseProgress>();
  let [items, credits, byOthers] = [0, 0, 0];
  let released: Promise<void> | undefined;

  async function reserve(wanted: readonly PurchaseItem[]): Promise<void> {
    const attempts = wanted.flatMap((item) => attemptOf(item) ?? []);
    const [first] = attempts;
    // Nothing is written down of what cannot begin.
    if (first === undefined || first.remote.findRefusal(Infinity) !== undefined) return;
    // One whose end was not seen may turn out to have been free.
    for (const attempt of attempts) await parts.findUnsettled(attempt);
    await parts.prepare(first);
    byOthers = attempts.length - (await take(attempts));
  }

  function isFree({ order: { item } }: Attempt): boolean {
    return findUnderWay(item) === undefined && !isHad(item);
  }

  /**
   * Reserves all of these that are not in doubt, but for those that others have or have begun, or throws; tells how many
   * others had not.
   */
  async function take(attempts: readonly Attempt[]): Promise<number> {
    // What another request is about to reserve, and then cannot, was bought by nobody: it is not left to that one, or this one
    // would begin, and have a default in its middle for what it could have been refused for.
    const undecided = () => parts.reserving.open(namesOf(attempts));
    for (let open = undecided(); open.length > 0; open = undecided()) await Promise.all(open);
    if (client.isGone) return 0;
    for (const { order } of attempts) counting.delete(order.item);
    // Nothing is waited for between this look, the intents, and that others find them under way.
    const free = attempts.filter(isFree);
    if (free.length === 0) return 0;
    const ids = journal.intendAll(
      free.map(({ order }) => order),
      { maxCredits, taken: credits },
    );
    // Counted before it is known, or several at once would each take what is left.
    for (const { order } of free) credits += order.price;
    const decide = parts.reserving.start(namesOf(free));
    const entries = free.map((attempt, nth) =>
      parts.hold(
        attempt,
        ids.then(
          (all) => all[nth],
          () => undefined,
        ),
      ),
    );
    try {
      for (const [nth, claim] of (await ids).entries()) note(entries[nth], free[nth], claim);
      // The client went in the meantime.
      if (released !== undefined) await giveBackAll();
      return free.length;
    } catch (cause) {
      for (const { drop } of entries) drop();
      for (const { order } of free) credits -= order.price;
      throw free[0] === undefined ? cause : parts.notBegun(free[0].order, cause);
    } finally {
      decide();
    }
  }

  function note(entry: Reserved | undefined, attempt: Attempt | undefined, claim: Claim): void {
    if (entry === undefined || attempt === undefined) return;
    const { item, price } = attempt.order;
    if (!claim.mine) {
      credits -= price;
      counting.set(item, claim.counts);
      return entry.drop();
    }
    held.set(item, { id: claim.id, entry });
    items += 1;
  }

  async function buy(item: PurchaseItem): Promise<Receipt> {
    for (;;) {
      if (client.isGone) return refused(new SvcdError('interrupted', 'the client that asked for it has disconnected'));
      const mine = held.get(item.name);
      if (mine !== undefined) return complete(mine);
      const attempt = attemptOf(item);
      if (attempt === undefined) return refused(noRemote());
      const other = findUnderWay(item.name);
      const told = await (other === undefined ? findOrTake(attempt) : watched(other, () => join(attempt, other)));
      if (told !== undefined) return told;
    }
  }

  function complete({ entry }: Held): Promise<Receipt> {
    entry.begin();
    return watched(entry, () => entry.receipt);
  }

  async function findOrTake(attempt: Attempt): Promise<Receipt | undefined> {
    try {
      const known = await findKnown(attempt);
      if (known !== undefined) return known;
      await parts.prepare(attempt);
      await take([attempt]);
      const other = counting.get(attempt.order.item);
      return other && (await parts.awaitOther(other, attempt, () => client.isGone));
    } catch (cause) {
      return refused(parts.notBegun(attempt.order, cause));
    }
  }

  async function watched<T>({ progress }: UnderWay, work: () => Promise<T>): Promise<T> {
    active.add(progress);
    try {
      return await work();
    } finally {
      active.delete(progress);
    }
  }

  async function giveBack({ id, entry }: Held): Promise<void> {
    if (!entry.progress.isAbandoned) return;
    // At once, so that whoever comes now begins anew. One that has begun finds out before it leaves.
    entry.drop();
    if (await parts.giveBack(id)) parts.leave(entry);
  }

  async function giveBackAll(): Promise<void> {
    await Promise.all([...held.values()].map(giveBack));
  }

  return {
    reserve,
    get reserved() {
      return { items, credits, byOthers };
    },
    holds: (name) => held.has(name),
    buy,
    whyWaiting: () => {
      for (const progress of active) {
        const why = progress.whyNotSent();
        if (why !== undefined) return why;
      }
      return undefined;
    },
    release: () => {
      client.leave();
      released ??= giveBackAll().then(parts.onReleased);
      return released;
    },
  } satisfies Batch & { reserve: typeof reserve };
}
