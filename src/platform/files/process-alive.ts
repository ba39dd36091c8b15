// Whether a process still runs.

import { readFileSync } from 'node:fs';
import { systemCode } from '../../model/errors.js';

/** Whether a process of this id runs. One that ended but was not collected yet (a zombie) does not. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    // A process of another user counts as well.
    return systemCode(error) === 'EPERM';
  }
  return !isZombie(pid);
}

// In a container orphans may never be collected, and a stopped daemon would seem to run for ever.
function isZombie(pid: number): boolean {
  try {
    return /\) Z /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch {
    return false;
  }
}
