// The daemon on the home and its port, as the doctor finds them: nothing is asked but its public status, and no longer than
// some seconds.

import { createServer } from 'node:net';
import { join } from 'node:path';
import { type Config, settleSettings } from '../../config/config.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { findListener, findLockHolder, isStopped } from '../../platform/files/find-process.js';
import { findRuntime } from '../../platform/files/home-folder.js';
import { VERSION } from '../../platform/installation.js';
import { type Finding, findingsOf, svcd } from './doctor-finding.js';
import { findRunningDaemon, findStatus, type RunningDaemon } from '../connection/running-daemon.js';
import { findService, serviceDrift } from '../service/find-service.js';

/** A daemon that lives answers this in milliseconds. */
const PATIENCE_MS = 3000;
const HIGHEST_PORT = 65_535;

/** What runs on a home. */
export interface DaemonState {
  readonly running: RunningDaemon | undefined;
  /** One that lives and does not answer. */
  readonly silent: { readonly pid: number; readonly url: string } | undefined;
  /** The process that holds the home, whoever it is; undefined where /proc does not tell. */
  readonly holder: number | undefined;
}

/** Looks for it once. Never rejects. */
export async function findDaemonState(home: string): Promise<DaemonState> {
  const holder = findLockHolder(join(home, 'daemon.lock'))?.pid;
  const runtime = findRuntime(home);
  try {
    return { running: await findRunningDaemon(home, PATIENCE_MS), silent: undefined, holder };
  } catch (error) {
    const { url = '', pid = null } = runtime ?? {};
    // `busy` is what it says of a daemon that closes each connection.
    if (pid === null || !(isSvcdError(error, 'timeout') || isSvcdError(error, 'busy'))) throw error;
    return { running: undefined, silent: { pid, url }, holder };
  }
}

/** Whether a daemon runs on the home, answers, and is of this version. */
export function checkDaemon(home: string, { running, silent, holder }: DaemonState): Finding {
  const { ok, warn, bad } = findingsOf('daemon');
  if (silent !== undefined) {
    if (isStopped(silent.pid)) return bad('daemon_stopped', [silent.pid], `kill -CONT ${silent.pid}`);
    return bad('daemon_silent', [silent.pid, silent.url], `kill -9 ${silent.pid}`);
  }
  if (running === undefined) {
    // A daemon that nothing tells of is what the check of the token finds.
    if (holder !== undefined && findRuntime(home) !== undefined) return warn('daemon_held', [holder]);
    return warn('daemon_none', [], svcd('start --detach'));
  }
  const { url, pid, status } = running;
  if (status.version !== VERSION) return warn('daemon_version', [status.version, VERSION], svcd('restart'));
  return ok('daemon_ok', [status.version, url, pid]);
}

/** What keeps the service that starts svcd at login from being what it should be. */
export async function checkService(home: string): Promise<Finding[]> {
  const { ok, warn } = findingsOf('service');
  const drift = await serviceDrift(home);
  if (drift.length > 0) return drift.map(({ what, mend }) => warn('service_drift', [what], naming(mend)));
  const found = await findService(home).catch((error: unknown) => {
    // A system that starts nothing at login.
    if (isSvcdError(error, 'service_manager_failed')) return undefined;
    throw error;
  });
  return [found?.installed === 'yes' ? ok('service_ok', [found.place]) : ok('service_none', [])];
}

/** A command of svcd for the home that was typed; another one as it is. */
function naming(command: string): string {
  return command.startsWith('svcd ') && !command.includes(' --home') ? svcd(command.slice('svcd '.length)) : command;
}

/** Whether the port is the daemon's, or free for it. */
export async function checkPort({ home, port }: Config, { running, silent, holder }: DaemonState): Promise<Finding> {
  const { ok, bad } = findingsOf('port');
  if (running !== undefined) return ok('port_own', [new URL(running.url).port]);
  if (port === 0) return ok('port_any', []);
  const code = await tryPort(port);
  if (code === undefined) return ok('port_free', [port]);
  if (code !== 'EADDRINUSE') return bad('port_refused', [port, code], await otherPort(home, port));
  const listener = findListener(port);
  // Its own daemon, which another check tells of.
  const own = silent?.pid ?? holder;
  if (listener !== undefined && listener.pid === own) return ok('port_own', [String(port)]);
  const other = await findStatus(`http://127.0.0.1:${port}`, '/svcd/status', 'svcd', PATIENCE_MS).catch(
    () => undefined,
  );
  const command = await otherPort(home, port);
  if (other?.pid !== undefined) return bad('port_svcd', [port, other.pid], command);
  if (listener !== undefined) return bad('port_taken', [port, listener.name, listener.pid], command);
  return bad('port_taken_unknown', [port], command);
}

/** What makes the next start use a port that is free, wherever this one comes from. */
async function otherPort(home: string, taken: number): Promise<string> {
  const from = (await settleSettings({ home })).find(({ setting }) => setting.name === 'port')?.from;
  let port = Math.max(taken, 1023) + 1;
  while (port < HIGHEST_PORT && (await tryPort(port)) !== undefined) port += 1;
  return from === 'environment' ? `export SVCD_PORT=${port}` : svcd(`config set port ${port}`);
}

/** The system's code for why a port cannot be listened on; undefined when it can. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error) => resolve(systemCode(error) ?? 'unknown'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}
