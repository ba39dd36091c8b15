// Running a sandbox alone in this process, from its first line to its clean end.

import { systemClock } from '../platform/clock.js';
import { findHome } from '../config/config.js';
import { openLog } from '../platform/log.js';
import type { HostedSandbox, SandboxStartOptions } from '../daemon/host-sandbox.js';
import { findRuntime, writeRuntime } from '../platform/home-folder.js';
import { howToCall } from './invocation.js';
import { note, printJson, printLines } from './output.js';
import { openPaint } from './colors.js';
import { SANDBOX_RUNTIME } from './sandbox-client.js';
import { watchStopSignals } from './stop-signals.js';
import { layOut } from './table.js';

export interface StandaloneSandboxOptions extends SandboxStartOptions {
  readonly home: string | undefined;
  readonly port: number | undefined;
}

/** Next to svcd's own. */
const PORT = 7824;
const LOCK_WAIT_MS = 500;

/** Serves until a signal says stop. Throws what `hostSandbox` throws. */
export async function serveSandbox(wishes: StandaloneSandboxOptions, json: boolean): Promise<void> {
  const signalled = watchStopSignals();
  const home = await findHome({ home: wishes.home });
  const log = openLog(note, { json });
  const { hostSandbox } = await import('../daemon/host-sandbox.js');
  const token = findRuntime(home, SANDBOX_RUNTIME)?.token;
  const common = { home, token, clock: systemClock, log, lockWaitMs: LOCK_WAIT_MS };
  const sandbox = await hostSandbox({ ...wishes, ...common, port: wishes.port ?? PORT });
  try {
    writeRuntime(home, { pid: process.pid, ...sandbox.control }, SANDBOX_RUNTIME);
    await announce(home, sandbox, json);
    log.info('stopping', { why: await signalled });
  } finally {
    writeRuntime(home, { pid: null, ...sandbox.control }, SANDBOX_RUNTIME);
    await sandbox.close();
  }
}

function announce(home: string, { url, service, control }: HostedSandbox, json: boolean): Promise<void> {
  const { key, seed } = service;
  if (json) return printJson({ url, pid: process.pid, key, seed, control_token: control.token, home });
  const svcd = howToCall();
  const rows = [
    ['Key', key],
    ['credits', String(service.credits())],
    ['seed', String(seed)],
    // Whoever reads a log must not become its owner.
    ['token', process.stdout.isTTY ? control.token : `in ${home}/${SANDBOX_RUNTIME}`],
    ['home', home],
  ];
  const paint = openPaint();
  return printLines(
    `The sandbox runs at ${paint.strong(url)}`,
    '',
    ...layOut(rows.map(([name = '', value = '']) => [`  ${paint.faint(name)}`, value])),
    '',
    'Try, in another terminal:',
    `  curl -H 'Authorization: Bearer ${key}' ${url}/api/v1/usage`,
    `  ${svcd} sandbox topup 12.50`,
    `  ${svcd} sandbox fault add busy --path /api/v1/images --count 1`,
    `  SERVICE_API_KEY=${key} ${svcd} start --remote ${url}`,
    '',
  );
}
