// Asks the service about slots before they are chosen, while the list of its stickers is not complete: a home that knows little
// would choose from that little. Free, a few at a time, and once more for those that were not heard.

import type { Slot } from '../../api/slot.js';
import type { Spender } from '../../model/spender.js';
import type { Clock } from '../../platform/clock.js';
import { sleep } from '../../platform/sleep.js';

/** For everything, and before what was not heard is asked again. */
const ALL_MS = 60_000;
const PAUSE_MS = 1000;
const AT_A_TIME = 8;
/** More are many. */
const FEW = 20;
/** What passes by itself; anything else a person must mend. */
const PASSING: ReadonlySet<string> = new Set(['late', 'timeout', 'rate_limited', 'upstream_failure', 'busy']);
/** Passes by itself where the service was there a moment ago. */
const AWAY = 'offline';
/** These words are refused, which says nothing of others, and would be again. */
const REFUSED = 'invalid_request';

/** Asks about one slot; `allMs` is for what may wait its turn. Why the service was not heard, or undefined. */
export type AskAbout = (
  slot: Pick<Slot, 'text' | 'keywords'>,
  asker: Spender,
  allMs?: number,
  /** Asked as little as will do: fifty slots and their files have to find room in one minute. */
  isOneOfMany?: boolean,
) => Promise<string | undefined>;

/** Asks once. The slots of which the service was not heard, and why. */
export async function askOnce(ask: AskAbout, slots: readonly Slot[], asker: Spender): Promise<Map<Slot, string>> {
  const unheard = new Map<Slot, string>();
  const one = async (slot: Slot) => {
    const why = await ask(slot, asker);
    if (why !== undefined) unheard.set(slot, why);
  };
  await Promise.all(slots.map(one));
  return unheard;
}

/** The same, patiently: for a minute, as long as what stands in the way passes by itself. */
export async function askPatiently(
  ask: AskAbout,
  slots: readonly Slot[],
  asker: Spender,
  clock: Pick<Clock, 'monotonic'>,
  pause: (ms: number) => Promise<unknown> = (ms) => sleep(ms),
): Promise<Map<Slot, string>> {
  const end = clock.monotonic() + ALL_MS;
  let left = new Map(slots.map((slot) => [slot, 'late']));
  const refused = new Map<Slot, string>();
  let wasHeard = false;
  const passes = (why: string) => PASSING.has(why) || (why === AWAY && wasHeard);
  while (left.size > 0) {
    const waiting = [...left.keys()];
    const unheard = new Map<Slot, string>();
    let isHopeless = false;
    const askNext = async (): Promise<void> => {
      for (let slot = waiting.shift(); slot !== undefined; slot = waiting.shift()) {
        const ms = end - clock.monotonic();
        const why = isHopeless || ms <= 0 ? left.get(slot) : await ask(slot, asker, ms, slots.length > FEW);
        wasHeard ||= why === undefined;
        if (why === undefined) continue;
        (why === REFUSED ? refused : unheard).set(slot, why);
        isHopeless ||= !passes(why) && why !== REFUSED;
      }
    };
    await Promise.all(Array.from({ length: AT_A_TIME }, askNext));
    left = unheard;
    if (left.size === 0 || isHopeless || end - clock.monotonic() <= PAUSE_MS) break;
    await pause(PAUSE_MS);
  }
  return new Map([...left, ...refused]);
}
