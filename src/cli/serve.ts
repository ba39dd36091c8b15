// Running the daemon in this process, from its first line to its clean end.

import { keyFromEnvironment, loadConfig, type Config, type Flags } from '../config.js';
import { SvcdError } from '../errors.js';
import { openLog } from '../log.js';
import type { SandboxWishes } from '../sandbox-host.js';
import { findRuntime } from '../store/home-folder.js';
import { announce } from './announce.js';
import { adoptKeychainKey } from './keychain-key.js';
import { note } from './output.js';
import { isAlive } from './process-alive.js';
import { sandboxArguments } from './sandbox-options.js';
import { watchStopSignals } from './stop-signals.js';

// Long enough for a command that answers in process, short enough not to seem stuck.
const LOCK_WAIT_MS = 3000;

/** Serves until a signal or a request says stop. Throws what `startDaemon` throws. */
export async function serve(flags: Flags, wishes: SandboxWishes, json: boolean): Promise<void> {
  const signalled = watchStopSignals();
  const config = await loadConfig(flags);
  refuseIdleWishes(config, wishes);
  const log = openLog(note, { json });
  const { startDaemon } = await import('../daemon.js');
  const daemon = await startDaemon(config, {
    log,
    userKey: keyFromEnvironment(),
    listens: true,
    sandbox: wishes,
    lockWaitMs: lockWaitMs(config.home),
  });
  try {
    await announce(config, daemon.info, daemon.hasUserKey(), json);
    void adoptKeychainKey(config, daemon, log);
    const why = await Promise.race([signalled, daemon.stopAsked]);
    log.info('stopping', { why: why ?? 'asked to' });
  } finally {
    await daemon.close();
  }
}

/** What is asked of a sandbox that does not run would be lost without a word. */
function refuseIdleWishes({ sandbox }: Config, wishes: SandboxWishes): void {
  const [first] = sandboxArguments(wishes);
  if (sandbox || first === undefined) return;
  throw new SvcdError(
    'invalid_argument',
    `${first.split('=', 1)[0]} is for the sandbox, and none is started`,
    {
      hint: 'Add --sandbox.',
    },
  );
}

/** A daemon that runs is refused at once; a command that is about to end is waited for. */
function lockWaitMs(home: string): number {
  const pid = findRuntime(home)?.pid ?? undefined;
  return pid !== undefined && isAlive(pid) ? 0 : LOCK_WAIT_MS;
}
