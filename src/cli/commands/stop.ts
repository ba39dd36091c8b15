// svcd stop: asks the daemon to end and waits until it has. That nothing runs is no failure: what was wanted is so.

import { setTimeout as sleep } from 'node:timers/promises';
import { findHome } from '../../config/config.js';
import { SvcdError } from '../../model/errors.js';
import { expectOk } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { exchangeOverHttp } from '../http-exchange.js';
import { printJson, printLines } from '../output.js';
import { isAlive } from '../../platform/process-alive.js';
import { findRunningDaemon, type RunningDaemon } from '../running-daemon.js';

const TIMEOUT_MS = 15_000;
const LOOK_EVERY_MS = 50;

export const stopCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd stop', 'stop it; says so when nothing runs']],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const running = await findRunningDaemon(home);
    if (running !== undefined) await stop(running);
    if (input.json) return printJson({ stopped: running !== undefined, pid: running?.pid, home });
    return printLines(
      running === undefined
        ? `svcd does not run on ${home}; there is nothing to stop.`
        : `svcd at ${running.url} (process ${running.pid}) has stopped.`,
    );
  },
};

async function stop({ url, token, pid }: RunningDaemon): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  const request = { method: 'POST', path: '/svcd/stop', headers, timeoutMs: TIMEOUT_MS };
  expectOk(await exchangeOverHttp(url, request));
  for (let waitedMs = 0; waitedMs < TIMEOUT_MS; waitedMs += LOOK_EVERY_MS) {
    if (!isAlive(pid)) return;
    await sleep(LOOK_EVERY_MS);
  }
  throw new SvcdError('timeout', `svcd (process ${pid}) still runs after ${TIMEOUT_MS / 1000} s`, {
    hint: 'It finishes what is in flight and ends then; nothing needs to be done.',
  });
}
