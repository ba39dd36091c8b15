// The account behind the faulty remote: what it holds, and what was ever charged to it.

export interface Charge {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** `sticker:PRESET`, or `image` with its prompt. */
  readonly subject: string;
  readonly credits: number;
}

export interface RemoteAccount {
  credits: number;
  /** Oldest first. */
  readonly charges: Charge[];
  /** Takes the credits and notes them; false, and nothing taken, when there are not enough. */
  charge(subject: string, credits: number): boolean;
  /** How often this was charged. */
  timesCharged(subject: string): number;
  /** Credits taken so far. */
  spent(): number;
}

/** An account with these credits. */
export function createRemoteAccount(credits: number): RemoteAccount {
  return {
    credits,
    charges: [],
    charge(subject, price) {
      if (this.credits < price) return false;
      this.credits -= price;
      this.charges.push({ at: Date.now(), subject, credits: price });
      return true;
    },
    timesCharged(subject) {
      return this.charges.filter((charge) => charge.subject === subject).length;
    },
    spent() {
      return this.charges.reduce((sum, { credits: taken }) => sum + taken, 0);
    },
  };
}
