// One line on standard error for who starts or stops svcd by hand on a home that has a service.

import { findSupervisor } from '../../config/supervisor.js';
import { printNote } from '../terminal/output.js';
import { serviceWords } from './words.js';

/** Prints it, where there is a service of systemd and this process is not it. Never throws: it is a courtesy. */
export async function noteService(home: string, what: 'startBeside' | 'startsAgain'): Promise<void> {
  if (process.platform !== 'linux' || findSupervisor() !== undefined) return;
  // Loaded late: a start should not pay for it.
  const { findService } = await import('./systems.js');
  const found = await findService(home).catch(() => undefined);
  if (found?.installed === 'yes') printNote(serviceWords()[what](found.name));
}
