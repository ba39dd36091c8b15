// What money becomes (document, section 1, "Credit rules"). Amounts are whole fen, a hundredth of a CNY, so that
// only credits are ever rounded.

const CREDITS_PER_CNY = 10;
const FEN_PER_CNY = 100;
const REWARD_PERCENT = 5;

/** How long a reward stays locked. */
export const REWARD_DELAY_MS = 14 * 24 * 3600 * 1000;

/**
 * Credits that a top-up buys. The document gives 10 per CNY 1, rounded down, for the conversion of rewards; that
 * a top-up is converted at the same rate is our choice.
 */
export function topUpCreditsOf(amountFen: number): number {
  return Math.floor((amountFen * CREDITS_PER_CNY) / FEN_PER_CNY);
}

/** Credits of a reward: 5 % of the amount paid, at 10 per CNY 1, rounded down once, at the end. */
export function rewardCreditsOf(amountFen: number): number {
  return Math.floor((amountFen * REWARD_PERCENT * CREDITS_PER_CNY) / (100 * FEN_PER_CNY));
}

/** What a top-up of so many credits costs, in fen. */
export function topUpFenOf(credits: number): number {
  return (credits * FEN_PER_CNY) / CREDITS_PER_CNY;
}

/** The instant at which the calendar day of another began. Days and months are those of UTC (our choice). */
export function dayStartOf(at: number): number {
  return new Date(at).setUTCHours(0, 0, 0, 0);
}

/** The instant at which the calendar month of another began. */
export function monthStartOf(at: number): number {
  const day = new Date(at);
  return Date.UTC(day.getUTCFullYear(), day.getUTCMonth(), 1);
}
