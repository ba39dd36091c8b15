// The same sentences against the daemon in front of a sandbox. What differs is on a list, with its reason.

import { DAEMON_DIFFERENCES } from './daemon-differences.js';
import { proveConformance } from './conformance.js';
import { startDaemonService } from './start-conforming.js';

if (process.env['CONFORMANCE_URL'] === undefined) {
  proveConformance({ name: 'the daemon', start: startDaemonService, differences: DAEMON_DIFFERENCES });
}
