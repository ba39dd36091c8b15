// A part of the service that the document describes without showing its paths: off unless it is asked for.

import type { SandboxParts } from './sandbox-parts.js';
import type { Route } from './service-routes.js';
import type { Capability } from './wire/capabilities.js';
import type { Extra } from './wire/openapi.js';

export interface SandboxModule {
  readonly name: Extra;
  /** What it adds to the capabilities; they can be switched off like all others. */
  readonly capabilities: readonly Capability[];
  /** Its paths below /api/v1. The Key of a request is `callerOf(c)`, with its permissions. */
  routes(parts: SandboxParts): readonly Route[];
}
