// Where the daemon is not the service, and why; each with what is true of it instead.

import type { Difference } from './conformance.js';

export const DAEMON_DIFFERENCES: Readonly<Record<string, Difference>> = {};
