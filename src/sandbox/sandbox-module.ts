// A part of the service that the document describes without showing its paths: off unless it is asked for.

import type { Log } from '../platform/log.js';
import type { Clock } from '../platform/clock.js';
import type { Database } from '../platform/open-database.js';
import type { Capability } from '../contract/capability.js';
import type { Extra } from './openapi.js';
import type { ImageStudio } from './image-studio.js';
import type { Keyring } from './keyring.js';
import type { Purse } from './purse.js';
import type { Route } from './sandbox-app.js';
import type { Seed } from './seed.js';

/** What a module may use of the sandbox. */
export interface ModuleRooms {
  db: Database;
  clock: Clock;
  seed: Seed;
  purse: Purse;
  keyring: Keyring;
  studio: ImageStudio;
  log: Log;
}

export interface SandboxModule {
  readonly name: Extra;
  /** What it adds to the capabilities; they can be switched off like all others. */
  readonly capabilities: readonly Capability[];
  /** Its paths below /api/v1. The Key of a request is `callerOf(c)`, with its permissions. */
  routes(rooms: ModuleRooms): readonly Route[];
}
