// A daemon in front of a sandbox that runs beside it, so that a test can see and turn both.

import { startSandbox, type StartedSandbox } from '../sandbox/start-sandbox.js';
import type { SandboxOptions } from '../../src/sandbox/open-sandbox.js';
import { endOf } from './at-file-end.js';
import { startTestDaemon, type StartedDaemon, type StartOptions } from './start-daemon.js';

export interface Pair {
  readonly svcd: StartedDaemon;
  readonly remote: StartedSandbox;
}

export interface PairOptions extends StartOptions {
  readonly remote?: Partial<SandboxOptions>;
}

/** Starts both; the daemon holds the sandbox's Key as the user's own, unless told another. */
export async function startPair({ remote: remoteOptions, ...options }: PairOptions = {}): Promise<Pair> {
  const remote = await startSandbox(remoteOptions, undefined, endOf(options.untilFileEnds === true));
  const svcd = await startTestDaemon({
    userKey: remote.sandbox.key,
    ...options,
    flags: { remote: remote.url, ...options.flags },
  });
  return { svcd, remote };
}
