// Whom a hub lets wait, and who goes first. No machine fills the queue; of those that wait people go before background work,
// then the project that had fewest turns of late, then the item that most machines want, then the oldest.

import type { Clock } from '../../platform/clock.js';
import { SvcdError } from '../../model/errors.js';

/** A request that waits for its turn, as far as the order depends on it (`HubItem` of upstream). */
interface WaitingItem {
  readonly item: string;
  /** The project that pays. */
  readonly project: string;
}

export type Admission = ReturnType<typeof createAdmission>;

export interface AdmissionLimits {
  /** Of one machine, and of all. */
  readonly perMachine: number;
  readonly inAll: number;
  /** So many of a project wait in any case: what others have waiting keeps none out. */
  readonly perProjectAlways: number;
}

export const LIMITS: AdmissionLimits = { perMachine: 50, inAll: 2000, perProjectAlways: 50 };
const MINUTE_MS = 60_000;
/** Turns a second that the service grants a Key. */
const PER_SECOND = 2;
const RETRY_MAX_S = 60;

/** Admission of one hub. */
export function createAdmission(clock: Clock, limits = LIMITS) {
  const byMachine = new Map<number, number>();
  const waitingOf = new Map<string, number>();
  /** How often each machine waits for an item. */
  const wanted = new Map<string, Map<number, number>>();
  const turns: { readonly at: number; readonly project: string }[] = [];
  const byProject = new Map<string, number>();
  let inAll = 0;

  const forgetOld = () => {
    const since = clock.monotonic() - MINUTE_MS;
    while (turns[0] !== undefined && turns[0].at <= since) count(byProject, turns.shift()!.project, -1);
  };
  const wantedBy = (item: string) => wanted.get(item)?.size ?? 0;

  return {
    /** Notes a machine's wait for an item on behalf of a project, until what is returned is called. Throws `busy` when too many wait. */
    enter: (machine: number, { item, project }: WaitingItem): (() => void) => {
      const own = byMachine.get(machine) ?? 0;
      if (own >= limits.perMachine) throw tooMany(`${own} requests of this machine wait for the hub already`, own);
      const isFull = inAll >= limits.inAll && (waitingOf.get(project) ?? 0) >= limits.perProjectAlways;
      if (isFull) throw tooMany(`${inAll} requests wait for the hub already`, inAll);
      const machines = wanted.get(item) ?? new Map<number, number>();
      wanted.set(item, machines);
      inAll += 1;
      count(byMachine, machine, 1);
      count(waitingOf, project, 1);
      count(machines, machine, 1);
      let waits = true;
      return () => {
        if (!waits) return;
        waits = false;
        inAll -= 1;
        count(byMachine, machine, -1);
        count(waitingOf, project, -1);
        count(machines, machine, -1);
        if (machines.size === 0 && wanted.get(item) === machines) wanted.delete(item);
      };
    },
    /** Which of two goes first; the older one where neither does. Less than 0 for `a`. */
    compare: (a: WaitingItem, b: WaitingItem): number => {
      forgetOld();
      const fewest = (byProject.get(a.project) ?? 0) - (byProject.get(b.project) ?? 0);
      return fewest || wantedBy(b.item) - wantedBy(a.item);
    },
    /** Told who has had a turn. */
    noteTurn: ({ project }: WaitingItem): void => {
      forgetOld();
      turns.push({ at: clock.monotonic(), project });
      count(byProject, project, 1);
    },
    /** How many wait. */
    waiting: (): number => inAll,
  };
}

/** Adds to a counter, which is forgotten at 0. */
function count<K>(counters: Map<K, number>, key: K, by: number): void {
  const now = (counters.get(key) ?? 0) + by;
  if (now === 0) counters.delete(key);
  else counters.set(key, now);
}

function tooMany(message: string, ahead: number): SvcdError {
  return new SvcdError('busy', message, {
    retryAfterS: Math.min(RETRY_MAX_S, Math.max(1, Math.ceil(ahead / PER_SECOND))),
    hint: 'Nothing was bought by this request. The hub asks the service for two things a second, for all machines together.',
  });
}
