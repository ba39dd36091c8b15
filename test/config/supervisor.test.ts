// Who restarts this process, by what the system puts into its environment.

import { expect, it } from 'vitest';
import { findSupervisor } from '../../src/config/supervisor.js';

const pid = String(process.pid);
const USER = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/svcd.service\n';
const TERMINAL = '0::/user.slice/user-1000.slice/user@1000.service/app.slice/vte-spawn-1.scope\n';

it.runIf(process.platform === 'linux').each([
  [
    'a user unit',
    { INVOCATION_ID: 'a', SYSTEMD_EXEC_PID: pid },
    USER,
    { manager: 'systemd-user', unit: 'svcd.service' },
  ],
  [
    'a unit of the system',
    { INVOCATION_ID: 'a', SYSTEMD_EXEC_PID: pid },
    '0::/system.slice/svcd-video.service\n',
    { manager: 'systemd', unit: 'svcd-video.service' },
  ],
  ['systemd older than 248', { INVOCATION_ID: 'a' }, USER, { manager: 'systemd-user', unit: 'svcd.service' }],
  ['nobody below a unit', { INVOCATION_ID: 'a', SYSTEMD_EXEC_PID: '1' }, USER, undefined],
  ['nobody in a terminal of a desktop', { INVOCATION_ID: 'a' }, TERMINAL, undefined],
  ['nobody at a login without systemd', {}, USER, undefined],
  ['nobody in a container', { INVOCATION_ID: 'a', SYSTEMD_EXEC_PID: pid }, '0::/\n', undefined],
])('finds %s', (_, env, cgroup, expected) => {
  expect(findSupervisor(env, cgroup)).toEqual(expected);
});
