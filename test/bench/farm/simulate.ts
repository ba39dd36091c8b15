// The queue of a hub in thirty lines, beside which the real one is measured: asks come, what nobody owns yet waits for a turn
// of the Key, the most wanted first; whoever is not served in time takes a default.

export interface Ask {
  /** Milliseconds since the beginning. */
  readonly at: number;
  readonly machine: number;
  readonly item: number;
}

export interface QueueRules {
  readonly deadlineMs: number;
  /** Turns in any window. */
  readonly limit: number;
  readonly windowMs: number;
  /** Turns that come at once after a pause. */
  readonly burst: number;
}

export interface Outcome {
  readonly defaults: number;
  readonly bought: number;
  /** Until when something always waited for a turn, from the end of the first burst on. */
  readonly busyUntilMs: number;
}

interface Wanted {
  readonly item: number;
  readonly since: number;
  /** Until when each machine waits for it. */
  readonly waiting: Map<number, number>;
}

/** What becomes of the asks, oldest first, of which `takes` says whether it is a default. */
export function simulate(asks: readonly Ask[], rules: QueueRules): Outcome {
  const { deadlineMs, limit, windowMs, burst } = rules;
  const intervalMs = windowMs / limit;
  const advanceMs = (burst - 1) * intervalMs;
  let usedUntil = -Infinity;
  let busyUntilMs = 0;
  let isBusy = false;
  const boughtAt = new Map<number, number>();
  const queue = new Map<number, Wanted>();
  const departures: number[] = [];
  const cached = new Set<string>();
  /** Asks that wait: their machine has the item once it is bought in time. */
  const open: Ask[] = [];
  let defaults = 0;
  const nextTurn = () => {
    const opensAt = (departures[departures.length - limit] ?? -Infinity) + windowMs;
    return Math.max(opensAt, usedUntil - advanceMs);
  };
  const buyUntil = (now: number, last: number) => {
    for (let at = Math.max(last, nextTurn()); at <= now && queue.size > 0; at = Math.max(at, nextTurn())) {
      const wanted = mostWanted([...queue.values()], at);
      queue.delete(wanted.item);
      departures.push(at);
      boughtAt.set(wanted.item, at);
      usedUntil = Math.max(usedUntil, at) + intervalMs;
      // While some wait for a full window no burst is saved up.
      const full = (departures[departures.length - limit] ?? -Infinity) + windowMs;
      if (queue.size > 0 && full > at) usedUntil = Math.max(usedUntil, full + advanceMs);
      if (departures.length > limit && queue.size === 0 && !isBusy) [busyUntilMs, isBusy] = [at, true];
    }
  };
  const end = ({ at, machine, item }: Ask) => {
    const bought = boughtAt.get(item);
    if (bought !== undefined && bought <= at + deadlineMs) cached.add(`${machine} ${item}`);
    else defaults += 1;
  };
  let last = 0;
  for (const ask of asks) {
    buyUntil(ask.at, last);
    last = ask.at;
    while (open[0] !== undefined && open[0].at + deadlineMs <= ask.at) end(open.shift()!);
    if (cached.has(`${ask.machine} ${ask.item}`)) continue;
    if (boughtAt.has(ask.item)) {
      cached.add(`${ask.machine} ${ask.item}`);
      continue;
    }
    const wanted = queue.get(ask.item) ?? { item: ask.item, since: ask.at, waiting: new Map<number, number>() };
    queue.set(ask.item, wanted);
    wanted.waiting.set(ask.machine, ask.at + deadlineMs);
    open.push(ask);
  }
  buyUntil(last + deadlineMs, last);
  for (const ask of open) end(ask);
  return { defaults, bought: boughtAt.size, busyUntilMs: isBusy ? busyUntilMs : last };
}

/** What somebody waits for goes first, then what most machines wait for, then the oldest. */
function mostWanted(all: readonly Wanted[], now: number): Wanted {
  let [best, most] = [all[0]!, -1];
  for (const wanted of all) {
    let many = 0;
    for (const until of wanted.waiting.values()) if (until > now) many += 1;
    if (many > most || (many === most && wanted.since < best.since)) [best, most] = [wanted, many];
  }
  return best;
}
