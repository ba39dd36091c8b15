// The service manager that runs this process itself, as the system tells it; a terminal below a unit is not one.

import { readFileSync } from 'node:fs';
import type { Environment } from './config.js';

export interface Supervisor {
  readonly manager: 'systemd-user' | 'systemd' | 'launchd';
  /** The manager's name for the service. */
  readonly unit: string;
}

/** Who starts this process again when it is asked to; undefined for nobody. */
export function findSupervisor(env: Environment = process.env, cgroup = readCgroup()): Supervisor | undefined {
  const label = env['XPC_SERVICE_NAME'] ?? '';
  // launchd gives terminals the name 0, and programs of the desktop one of its own making.
  if (process.platform === 'darwin') {
    return /^0?$|^application\./.test(label) ? undefined : { manager: 'launchd', unit: label };
  }
  // INVOCATION_ID is inherited by every terminal of a desktop that systemd runs; systemd 248 and newer name the process.
  const isOwn = (env['SYSTEMD_EXEC_PID'] ?? String(process.pid)) === String(process.pid);
  if ((env['INVOCATION_ID'] ?? '') === '' || !isOwn) return undefined;
  const [, unit] = /\/([^/\n]+\.service)\s*$/m.exec(cgroup) ?? [];
  if (unit === undefined) return undefined;
  return { manager: /\/user@\d+\.service\/./.test(cgroup) ? 'systemd-user' : 'systemd', unit };
}

function readCgroup(): string {
  try {
    return readFileSync('/proc/self/cgroup', 'utf8');
  } catch {
    return '';
  }
}
