// How far a purchase is, and who waits for it: what a client is told whose time is over before the purchase is.

import { SvcdError } from '../model/errors.js';

/** One client that waits for a purchase, for so long; to the end if undefined. */
export class WaitingClient {
  readonly deadlineMs: number | undefined;
  /** Since when (monotonic). */
  readonly since: number;
  readonly #isGone: () => boolean;
  #state: 'waits' | 'answered' | 'gone' = 'waits';

  /** Whether others, whose time is short, go first. */
  readonly yields: boolean;

  /** `isGone` tells whether it closed its connection. */
  constructor(deadlineMs: number | undefined, since: number, isGone: () => boolean = () => false, yields = false) {
    this.deadlineMs = deadlineMs;
    this.since = since;
    this.#isGone = isGone;
    this.yields = yields;
  }

  /** Its time is over, or the purchase is. */
  stopWaiting(): void {
    this.#state = this.isGone ? 'gone' : 'answered';
  }

  /** It wants nothing any more. */
  leave(): void {
    this.#state = 'gone';
  }

  get waits(): boolean {
    return this.#state === 'waits' && !this.#isGone();
  }

  /** Whether it closed its connection before it had an answer; one that got a default in time may come back. */
  get isGone(): boolean {
    return this.#state === 'gone' || (this.#state === 'waits' && this.#isGone());
  }
}

/** What an answer may take: for a client that has less left, a turn comes too late, and another can use it. */
const ANSWER_MS = 1000;
const ANSWER_SHARE = 1 / 4;
/** A client that comes back after this time finds that others have had their turns. */
const COME_BACK_S = 5;

export class PurchaseProgress {
  readonly #clients: WaitingClient[];
  /** Those of whoever pays for it. */
  readonly #payers: WaitingClient[];
  #stage: 'prepared' | 'waiting' | 'sent' = 'prepared';
  /** Why the remote would not have it yet, if it was asked. */
  #refusal: SvcdError | undefined;
  /** That its end was written down, or could not be; and who tells so. */
  readonly written: Promise<void>;
  noteWritten: () => void = () => undefined;

  constructor(client: WaitingClient) {
    this.#clients = [client];
    this.#payers = [client];
    this.written = new Promise((resolve) => (this.noteWritten = resolve));
  }

  /** `pays` says whether it is of the same account and token as the purchase. */
  join(client: WaitingClient, pays: boolean): void {
    this.#clients.push(client);
    if (pays) this.#payers.push(client);
  }

  /** Whether a client still waits that can have the answer in time, and makes way for none. */
  isAwaited(now: number): boolean {
    return this.#clients.some(({ waits, yields, since, deadlineMs = Infinity }) => {
      return waits && !yields && now < since + deadlineMs - Math.min(ANSWER_MS, deadlineMs * ANSWER_SHARE);
    });
  }

  /**
   * Whether every client of its payer closed its connection: nobody wants it any more on that account. Others who joined buy
   * it on their own terms, or the credits of one who left would go for somebody who may spend none.
   */
  get isAbandoned(): boolean {
    return this.#payers.every(({ isGone }) => isGone);
  }

  /** Whether it has left, or is about to. */
  get isSent(): boolean {
    return this.#stage === 'sent';
  }

  /** It waits for its turn. */
  wait(): void {
    this.#stage = 'waiting';
  }

  /** It was refused for now and for free, and waits again. */
  waitAgain(refusal: SvcdError): void {
    this.#refusal = refusal;
    this.#stage = 'waiting';
  }

  /** It has its turn. */
  leave(): void {
    this.#stage = 'sent';
  }

  /** Asks a hub, which has its own queue, whether it waits there; undefined before it was asked for it. */
  askHub: ((timeoutMs: number) => Promise<boolean | undefined>) | undefined;

  /** Learns whether a hub that was asked for it lets it wait for its turn. */
  async lookAtHub(timeoutMs: number): Promise<void> {
    const waits = await this.askHub?.(timeoutMs);
    if (waits !== undefined) this.#stage = waits ? 'waiting' : 'sent';
  }

  /** Why it has not left: the remote's own refusal, or that its turn has not come; undefined when it has. */
  whyNotSent(): SvcdError | undefined {
    if (this.#stage !== 'waiting') return undefined;
    const hint = 'Nothing was charged. svcd buys it as soon as the service allows.';
    if (this.#refusal === undefined) {
      const message = 'the service allows no more requests for this Key at the moment';
      return new SvcdError('rate_limited', message, { hint, retryAfterS: COME_BACK_S });
    }
    const { code, message, retryAfterS = COME_BACK_S } = this.#refusal;
    return new SvcdError(code, message, { cause: this.#refusal, hint, retryAfterS, fromRemote: true });
  }
}
