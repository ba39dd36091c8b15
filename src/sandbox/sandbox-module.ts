// A part of the service that the document describes without showing its paths: off unless it is asked for.

import type { Log } from '../platform/log.js';
import type { ImageService } from './images/image-service.js';
import type { KeyStore } from './key-store.js';
import type { Route } from './service-routes.js';
import type { SandboxState } from './state/sandbox-state.js';
import type { Capability } from './wire/capabilities.js';
import type { Extra } from './wire/openapi.js';

/** What a module may use of the sandbox. */
export interface ModuleParts {
  state: SandboxState;
  keys: KeyStore;
  images: ImageService;
  log: Log;
}

export interface SandboxModule {
  readonly name: Extra;
  /** What it adds to the capabilities; they can be switched off like all others. */
  readonly capabilities: readonly Capability[];
  /** Its paths below /api/v1. The Key of a request is `callerOf(c)`, with its permissions. */
  routes(parts: ModuleParts): readonly Route[];
}
