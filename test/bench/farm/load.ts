// Many machines at once: a herd that wants one item, a studio that wants many, a greedy project beside a small one, writers
// against a budget.

import { setTimeout as wait } from 'node:timers/promises';
import { isTrue, type Given, type Machine } from '../../faults/farm/machine.js';
import { presetOf } from '../../faults/farm/service.js';
import { createRandom } from '../../faults/random.js';
import { forkService } from './service-process.js';
import { simulate, type Ask } from './simulate.js';
import type { Stand } from './stand.js';

const HERD = 500;
const SERVICE_MS = 300;
const DEADLINE_MS = 10_000;

/** 500 machines want one thing at once. */
export async function measureHerd(stand: Stand): Promise<object> {
  const service = await forkService(4, SERVICE_MS);
  stand.last(() => service.close());
  const hub = await stand.hub(service);
  const machines = await stand.machines(await hub.invite('promo', ['--uses', '1000']), HERD);
  // Their connections stand: five hundred handshakes at once on this side would be what is measured.
  for (const machine of machines) await machine.call('/svcd/hub');
  const times: number[] = [];
  const given = await Promise.all(
    machines.map(async (machine) => {
      const begun = performance.now();
      const answer = await machine.ask(presetOf(0), { deadlineMs: DEADLINE_MS });
      times.push(performance.now() - begun);
      return answer;
    }),
  );
  return {
    machines: HERD,
    charges: (await service.charges()).get(`sticker:${presetOf(0)}`) ?? 0,
    answered: given.filter(isTrue).length,
    others: countOthers(given),
    slowest_ms: Math.round(Math.max(...times)),
    deadline_ms: DEADLINE_MS,
  };
}

export interface ZipfOptions {
  readonly factor: number;
  readonly items: number;
  readonly machines: number;
  readonly seed: number;
}

/** Each machine wants a sticker every three seconds; some are wanted by all, most by few (Zipf 1.0). */
const ASK_EVERY_MS = 3000;
const ZIPF_DEADLINE_MS = 8000;
const MINUTE = 60_000;
/** What a hub keeps to: the service's 120 a minute, and a second for clocks that differ. */
const PACE = { limit: 120, windowMs: 61_000, burst: 40 };

export async function measureZipf(stand: Stand, options: ZipfOptions): Promise<object> {
  const { factor, items, machines: many } = options;
  const lastsMs = (items / PACE.limit) * MINUTE;
  const asks = drawAsks(options, lastsMs);
  const hub = await stand.fastHub(factor, { stickers: items, requestsPerMinute: PACE.limit });
  const { service, time } = hub;
  const machines = await stand.machines(await hub.invite('promo'), many);
  // Its window begins with none of what joining and starting asked for.
  await wait(PACE.windowMs / factor);
  const begun = time.clock.monotonic();
  const begunAt = time.clock.now();
  const cached = new Set<string>();
  const counts = { defaults: 0, failed: 0, late: 0 };
  const asking: Promise<void>[] = [];
  for (const { at, machine, item } of asks) {
    const early = begun + at - time.clock.monotonic();
    if (early > 0) await time.sleep(early);
    else counts.late = Math.max(counts.late, -early);
    if (cached.has(`${machine} ${item}`)) continue;
    asking.push(
      (async () => {
        const given = await machines[machine]?.ask(presetOf(item), { deadlineMs: ZIPF_DEADLINE_MS });
        if (given !== undefined && isTrue(given)) cached.add(`${machine} ${item}`);
        else counts.defaults += 1;
      })().catch(() => void (counts.failed += 1)),
    );
  }
  const endedAt = time.clock.now();
  await Promise.all(asking);
  const charged = service.chargedAt().filter((at) => at >= begunAt && at <= endedAt);
  const simulated = simulate(asks, { deadlineMs: ZIPF_DEADLINE_MS, ...PACE });
  const minutes = (endedAt - begunAt) / MINUTE;
  const answers = (await service.answers()).filter(({ at }) => at >= begunAt && at <= endedAt);
  const busy = answers.filter(({ at, status }) => at - begunAt <= simulated.busyUntilMs && status !== 429);
  return {
    items,
    machines: many,
    asks: asks.length,
    minutes: round(minutes),
    seconds_of_ours: Math.round((endedAt - begunAt) / 1000 / factor),
    bought: charged.length,
    // While something always waits: whoever wants nothing uses no rate.
    busy_minutes: round(simulated.busyUntilMs / MINUTE),
    share_of_rate: round(busy.length / ((PACE.limit * simulated.busyUntilMs) / MINUTE)),
    again_429: answers.filter(({ status }) => status === 429).length,
    defaults: round(counts.defaults / asks.length),
    simulated_defaults: round(simulated.defaults / asks.length),
    beside_simulation: round(counts.defaults / simulated.defaults),
    simulated_bought: simulated.bought,
    free_requests: answers.length - charged.length,
    failed: counts.failed,
    latest_ask_ms: Math.round(counts.late),
  };
}

/** Who wants what when. */
function drawAsks({ items, machines, seed }: ZipfOptions, lastsMs: number): Ask[] {
  const random = createRandom(seed);
  const weights = Array.from({ length: items }, (_, nth) => 1 / (nth + 1));
  const sums: number[] = [];
  weights.reduce((sum, weight, nth) => (sums[nth] = sum + weight), 0);
  const total = sums.at(-1) ?? 1;
  const draw = () => {
    const wanted = random.next() * total;
    let [low, high] = [0, items - 1];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const asks: Ask[] = [];
  for (let machine = 0; machine < machines; machine++)
    for (let at = random.next() * ASK_EVERY_MS; at < lastsMs; at += ASK_EVERY_MS)
      asks.push({ at, machine, item: draw() });
  return asks.toSorted((a, b) => a.at - b.at);
}

/** As many at once as a machine may have waiting; each of them wants one thing after the other, 10,000 in all. */
const GREEDY = { machines: 10, atOnce: 50, each: 20 };
/** More than the hub lets wait in all. */
export const FULL = { machines: 41, atOnce: 50, each: 5 };
const SMALL = 10;
const WINDOWS_AT_MOST = 2;

/** A project with 10,000 asks, and one that comes later with ten. */
export async function measureFairness(stand: Stand, factor: number, asked = GREEDY): Promise<object> {
  const hub = await stand.fastHub(factor, {
    stickers: asked.machines * asked.atOnce * asked.each + SMALL,
    requestsPerMinute: PACE.limit,
  });
  const greedy = await stand.machines(await hub.invite('greedy'), asked.machines);
  const [small] = await stand.machines(await hub.invite('small'), 1);
  if (small === undefined) throw new Error('nobody joined');
  const over = new AbortController();
  const counts = { busy: 0, busySmall: 0, lost: 0 };
  const wish = async (machine: Machine, item: number, told: () => void): Promise<void> => {
    while (!over.signal.aborted) {
      const given = await machine.ask(presetOf(item), { deadlineMs: 10 * MINUTE });
      if (isTrue(given)) return;
      if (given.status === 429 || given.status === 503) told();
      const again = Number(given.headers['retry-after'] ?? 1);
      await hub.time.sleep(Math.max(1, again) * 1000);
    }
  };
  // Their connections stand before anything is measured.
  for (const machine of greedy)
    await Promise.all(Array.from({ length: asked.atOnce }, () => machine.call('/svcd/hub')));
  const oneAfterTheOther = async (machine: Machine, first: number) => {
    for (let nth = 0; nth < asked.each && !over.signal.aborted; nth++)
      await wish(machine, SMALL + first + nth, () => (counts.busy += 1));
  };
  const wants = greedy.flatMap((machine, nth) =>
    Array.from({ length: asked.atOnce }, (_, one) =>
      oneAfterTheOther(machine, (nth * asked.atOnce + one) * asked.each).catch(() => void (counts.lost += 1)),
    ),
  );
  // The greedy one has used up a window, and all its asks are there.
  await hub.time.sleep(PACE.windowMs);
  const begun = hub.time.clock.monotonic();
  await Promise.all(Array.from({ length: SMALL }, (_, nth) => wish(small, nth, () => (counts.busySmall += 1))));
  const waitedMs = hub.time.clock.monotonic() - begun;
  over.abort();
  const { lost } = counts;
  for (const machine of greedy) machine.close();
  await Promise.allSettled(wants);
  return {
    asks: wants.length * asked.each,
    beside: SMALL,
    lost,
    waited_ms: Math.round(waitedMs),
    windows: round(waitedMs / PACE.windowMs),
    windows_at_most: WINDOWS_AT_MOST,
    refused_for_now: counts.busy,
    refused_for_now_of_the_small: counts.busySmall,
  };
}

const WRITERS = 24;
const LIMIT = 37;

/** 24 machines of one project, each with five wishes of its own, against 37 credits. */
export async function measureBudget(stand: Stand): Promise<object> {
  const service = await stand.service({ stickers: WRITERS * 5 });
  const hub = await stand.hub(service);
  const machines = await stand.machines(await hub.invite('promo', ['--uses', '100']), WRITERS);
  await hub.own('PUT', '/svcd/hub/budgets', { payer: 'project:promo', period: 'total', credits: LIMIT });
  const given = await Promise.all(
    machines.flatMap((machine, nth) =>
      Array.from({ length: 5 }, (_, one) => machine.ask(presetOf(nth * 5 + one), { deadlineMs: 60_000 })),
    ),
  );
  const charges = [...service.charges().values()].reduce((sum, one) => sum + one, 0);
  const sold = given.filter(isTrue).length;
  return { writers: WRITERS, asks: given.length, limit: LIMIT, charges, answered: sold, others: countOthers(given) };
}

/** Answers that are no true thing, by status and code. */
function countOthers(given: readonly Given[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of given.filter((answer) => !isTrue(answer))) {
    const { code } = JSON.parse(one.bytes.toString()) as { code?: string };
    const name = `${one.status} ${code}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
