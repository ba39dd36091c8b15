// What every store of the sandbox stands on: its file, its time, its chance.

import type { SandboxClock } from './sandbox-clock.js';
import type { SandboxDatabase } from './sandbox-database.js';
import type { Seed } from './seed.js';

export interface SandboxState {
  readonly db: SandboxDatabase;
  readonly clock: SandboxClock;
  readonly seed: Seed;
}
