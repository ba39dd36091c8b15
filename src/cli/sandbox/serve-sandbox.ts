// Running a sandbox alone in this process, from its first line to its clean end.

import type { HostedSandbox, SandboxStartOptions } from '../../daemon/host-sandbox.js';
import { systemClock } from '../../platform/clock.js';
import { findRuntime, writeRuntime } from '../../platform/files/runtime-file.js';
import { openLog } from '../../platform/log.js';
import { howToCall } from '../daemon/banner.js';
import { formatFields, homeOption, openPaint } from '../terminal/format.js';
import { printJson, printLines, printNote } from '../terminal/output.js';
import { SANDBOX_RUNTIME } from './sandbox-client.js';
import { watchStopSignals } from '../terminal/exit-codes.js';
import { terminalWords } from '../terminal/words.js';
import { sandboxWords } from './words.js';

/** Next to svcd's own. */
const PORT = 7824;
const LOCK_WAIT_MS = 500;

/** Serves until a signal says stop. Throws what `hostSandbox` throws. */
export async function serveSandbox(
  home: string,
  { port = PORT, ...options }: SandboxStartOptions & { readonly port: number | undefined },
  json: boolean,
): Promise<void> {
  const signalled = watchStopSignals();
  const log = openLog(printNote, { json });
  const { hostSandbox } = await import('../../daemon/host-sandbox.js');
  const token = findRuntime(home, SANDBOX_RUNTIME)?.token;
  const common = { home, port, token, clock: systemClock, log, lockWaitMs: LOCK_WAIT_MS };
  const sandbox = await hostSandbox({ ...options, ...common });
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
  const words = sandboxWords();
  const { fields } = words;
  return printLines(
    words.runsAt(openPaint().strong(url)),
    '',
    ...formatFields({
      [fields.key]: key,
      [fields.credits]: String(service.credits()),
      [fields.seed]: String(seed),
      // A log must not hold the token.
      [fields.token]: process.stdout.isTTY ? control.token : words.inFile(`${home}/${SANDBOX_RUNTIME}`),
      [fields.home]: home,
    }),
    '',
    terminalWords().tryThis,
    `  curl -H 'Authorization: Bearer ${key}' ${url}/api/v1/usage`,
    `  ${svcd} sandbox topup 12.50${homeOption()}`,
    `  ${svcd} sandbox fault add busy --path /api/v1/images --count 1${homeOption()}`,
    `  SERVICE_API_KEY=${key} ${svcd} start --remote ${url}`,
    '',
  );
}
