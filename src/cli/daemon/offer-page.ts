// Who starts svcd on a terminal is offered its page: Enter opens it, once. In a pipe, in CI and in the background nothing is
// offered, and nothing ever waits for it.

import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { isUnattended } from '../../config/environment.js';
import { openOutside } from '../../platform/open-outside.js';
import { printNote } from '../terminal/output.js';
import { reportError } from '../terminal/report-error.js';
import { type Access, askDaemon } from '../connection/running-daemon.js';
import { daemonWords } from './words.js';

interface SignInCode {
  readonly url: string;
  readonly expires_in_s: number;
}

/** Opens a browser, signed in by a code that works once; answers whether one opened, and the code. */
export async function openSignedIn(access: Access, opens = true): Promise<{ code: SignInCode; opened: boolean }> {
  const code = await askDaemon<SignInCode>(access, 'POST', '/svcd/session-code');
  return { code, opened: opens && (await openOutside(code.url)) };
}

/** Says so, and listens for Enter until the answer is called. */
export function offerPage(access: Access): () => void {
  const { stdin } = process;
  if (!stdin.isTTY || !process.stdout.isTTY || isUnattended() || !isInForeground()) return () => undefined;
  printNote(daemonWords().open.offer);
  const end = () => {
    stdin.off('data', open);
    process.off('SIGCONT', end);
    // A background process that reads its terminal is stopped by the system.
    stdin.pause();
    stdin.unref();
  };
  const open = () => {
    end();
    void openAndSay(access);
  };
  stdin.on('data', open);
  // After Ctrl+Z: it may go on in the background.
  process.on('SIGCONT', end);
  return end;
}

async function openAndSay(access: Access): Promise<void> {
  const words = daemonWords().open;
  try {
    const { code, opened } = await openSignedIn(access);
    for (const line of opened ? [words.opened] : [code.url, words.pasteIt(code.expires_in_s)]) printNote(line);
  } catch (error) {
    reportError(error, false);
  }
}

/** Whether this process may read its terminal: `svcd start &` may not. Where that cannot be known it does not. */
function isInForeground(): boolean {
  if (process.platform === 'win32') return true;
  try {
    if (process.platform === 'linux') {
      // The name, in brackets, may hold anything; then state, parent, group, session, terminal, the terminal's group.
      const [, , group, , , foreground] = (readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1) ?? '').split(' ');
      return group !== undefined && group === foreground;
    }
    return spawnSync('ps', ['-o', 'stat=', '-p', `${process.pid}`], { encoding: 'utf8' }).stdout.includes('+');
  } catch {
    return false;
  }
}
