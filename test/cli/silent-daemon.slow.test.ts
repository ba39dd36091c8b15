// A daemon that cannot be asked: its runtime.json is gone, or it was paused. Stop and restart mend both.

import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DaemonInfo } from '../../src/daemon/daemon.js';
import { isAlive } from '../../src/platform/files/process-alive.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';

let home: string;
let removeHome: () => void;
let pid: number;

const svcd = (...args: string[]) => runSvcd(args, { home });
const start = async () => {
  const { stdout } = await svcd('start', '--detach', '--json', '--port', '0');
  return (JSON.parse(stdout) as DaemonInfo & { pid: number }).pid;
};

beforeEach(async () => {
  ({ home, remove: removeHome } = makeHome());
  pid = await start();
});
afterEach(async () => {
  await svcd('stop');
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
  removeHome();
});

describe.runIf(process.platform === 'linux')('a daemon whose runtime.json was removed', () => {
  beforeEach(() => rmSync(join(home, 'runtime.json')));

  it('is told of by status, and ended by stop', async () => {
    const status = await svcd('status');
    expect(status.stderr).toContain(`process ${pid}`);
    expect(status.stderr).toContain('runtime.json');
    const stopped = await svcd('stop', '--json');
    expect(JSON.parse(stopped.stdout)).toMatchObject({ stopped: true, pid });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is replaced by restart', async () => {
    const { code, stdout } = await svcd('restart', '--json');
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ was: pid });
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect((await svcd('status')).code).toBe(0);
  });
});

describe.runIf(process.platform === 'linux')('a daemon that was paused', () => {
  beforeEach(() => void process.kill(pid, 'SIGSTOP'));

  it('is told of at once, with what lets it go on, and ends in order by stop', async () => {
    expect((await svcd('search', 'cat')).stderr).toContain(`kill -CONT ${pid}`);
    expect(JSON.parse((await svcd('stop', '--json')).stdout)).toMatchObject({ stopped: true, pid });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });

  it('is replaced by restart', async () => {
    expect(JSON.parse((await svcd('restart', '--json')).stdout)).toMatchObject({ restarted: true, was: pid });
    await expect.poll(() => isAlive(pid)).toBe(false);
  });
});
