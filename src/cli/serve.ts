// Running the daemon in this process, from its first line to its clean end.

import { setTimeout as sleep } from 'node:timers/promises';
import { loadConfig, type Config, type Flags } from '../config/config.js';
import type { KeyReport, UserKey } from '../auth/user-key.js';
import { SvcdError } from '../model/errors.js';
import { openLog, type Log } from '../platform/log.js';
import type { SandboxStartOptions } from '../daemon/host-sandbox.js';
import { findRuntime } from '../platform/home-folder.js';
import { noteServed } from './after-serving.js';
import { announce } from './announce.js';
import { openUserKey } from './open-user-key.js';
import { note } from './output.js';
import { isAlive } from '../platform/process-alive.js';
import { sandboxArguments } from './sandbox-options.js';
import { watchStopSignals } from './stop-signals.js';

// Long enough for a command that answers in process, short enough not to seem stuck.
const LOCK_WAIT_MS = 3000;
// A keyring that is well answers by then; for one that is not nobody should wait.
const KEY_WAIT_MS = 1000;

/** Serves until a signal or a request says stop. Throws what `startDaemon` throws. */
export async function serve(flags: Flags, wishes: SandboxStartOptions, json: boolean): Promise<void> {
  const signalled = watchStopSignals();
  const config = await loadConfig(flags);
  refuseIdleWishes(config, wishes);
  const log = openLog(note, { json });
  const keys = openUserKey(flags);
  // Beside the start, which takes longer.
  const looking = config.sandbox ? undefined : lookForKey(keys, config, log);
  const { startDaemon } = await import('../daemon/daemon.js');
  const daemon = await startDaemon(config, {
    log,
    keys,
    listens: true,
    sandbox: wishes,
    lockWaitMs: lockWaitMs(config.home),
  });
  try {
    warn(config, log);
    await Promise.race([looking, sleep(KEY_WAIT_MS, undefined, { ref: false })]);
    await announce(config, daemon.info, json);
    const why = await Promise.race([signalled, daemon.stopAsked]);
    log.info('stopping', { why: why ?? 'asked to' });
  } finally {
    await daemon.close();
  }
  noteServed();
}

/** What is asked of a sandbox that does not run would be lost without a word. */
function refuseIdleWishes({ sandbox }: Config, wishes: SandboxStartOptions): void {
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

/** Looks for the Key and says in words what was found, never the Key. Never rejects. */
async function lookForKey(keys: UserKey, { remote }: Config, log: Log): Promise<void> {
  try {
    tell(await keys.refresh(false), remote, log);
  } catch (error) {
    log.warn('the Key could not be looked for', { why: String(error) });
  }
}

function tell({ source, keychain, warnings }: KeyReport, remote: string | undefined, log: Log): void {
  for (const warning of warnings) log.warn(warning);
  if (source !== 'none') log.info('found the Key', { source });
  else if (remote !== undefined) {
    log.warn(`no Key: SERVICE_API_KEY is not set, and the OS keychain ${keychain.words}`, {
      hint: keychain.hint ?? undefined,
    });
  }
}

function warn({ trustLoopback }: Config, log: Log): void {
  if (!trustLoopback) return;
  log.warn('any program of any user on this machine can spend your credits now (--trust-loopback)', {
    hint: 'Set a limit with "svcd budget set --day N".',
  });
}
