// How a hub tells a home that was copied from one that was restarted: each process of a machine has a name, and tells that of the
// process before it, which is in the home only where that one ended well.

import { randomUUID } from 'node:crypto';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Cleanup } from '../../platform/cleanup.js';

/** The header that names a process and perhaps the one before it. */
export const PROCESS = 'X-Svcd-Process';
const NAME = /^[0-9a-f-]{36}$/;

/** Names this process for as long as it holds the home, and to the next one. A disk that takes nothing makes it a new one, no more. */
export function nameProcess(home: string, cleanup: Cleanup): string {
  const file = join(home, 'last-process');
  const name = randomUUID();
  try {
    const last = existsSync(file) ? readFileSync(file, 'utf8') : '';
    rmSync(file, { force: true });
    cleanup.push(() => writeFile(file, name, { mode: 0o600 }).catch(() => undefined));
    return NAME.test(last) ? `${name} ${last}` : name;
  } catch {
    return name;
  }
}
