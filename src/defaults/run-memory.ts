// Which default stood in for which preset in a run, so that one run does not show the same default for two things while
// another fits, and shows the same one each time it asks for one thing. A run is whoever asks, until he has been quiet.

import type { Clock } from '../platform/clock.js';

/** What one run was given. */
export interface Run {
  /** The default that stood in for this preset. */
  given(preset: string): string | undefined;
  /** Whether a default stands in for another preset. */
  isTaken(preset: string, byDefault: string): boolean;
  note(preset: string, byDefault: string): void;
}

/** The run of a caller, begun anew after a quarter of an hour without a default. */
export type RunMemory = (caller: string) => Run;

const QUIET_MS = 15 * 60_000;
const MOST_RUNS = 64;
/** More different defaults than a video has; the oldest are forgotten. */
const MOST_GIVEN = 512;

/** A memory of the last runs. */
export function createRunMemory(clock: Pick<Clock, 'now'>): RunMemory {
  const runs = new Map<string, { readonly run: Run; asked: number }>();
  return (caller) => {
    const now = clock.now();
    const known = runs.get(caller);
    runs.delete(caller);
    const isOver = known === undefined || now - known.asked > QUIET_MS;
    const entry = { run: isOver ? createRun() : known.run, asked: now };
    runs.set(caller, entry);
    const oldest = runs.keys().next().value;
    if (runs.size > MOST_RUNS && oldest !== undefined) runs.delete(oldest);
    return entry.run;
  };
}

function createRun(): Run {
  const given = new Map<string, string>();
  const takenBy = new Map<string, string>();
  return {
    given: (preset) => given.get(preset),
    isTaken: (preset, byDefault) => (takenBy.get(byDefault) ?? preset) !== preset,
    note: (preset, byDefault) => {
      given.delete(preset);
      given.set(preset, byDefault);
      takenBy.set(byDefault, preset);
      const [oldest] = given;
      if (given.size <= MOST_GIVEN || oldest === undefined) return;
      given.delete(oldest[0]);
      if (takenBy.get(oldest[1]) === oldest[0]) takenBy.delete(oldest[1]);
    },
  };
}
