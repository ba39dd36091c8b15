// The recipes as they are, run: the unit by a systemd user manager, with a drop-in for what its first lines tell to change;
// the hub of the compose file with its arguments, its environment, and its secret.

import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { joinMachine } from '../faults/farm/machine.js';
import { isTrue, startSidecar } from '../faults/farm/sidecar.js';
import { presetOf, startService } from '../faults/farm/service.js';
import { freePort } from '../support/free-port.js';
import { describeIf } from '../support/requires.js';
import { runSvcd } from '../support/run-svcd.js';
import { startUserManager, USER_MANAGER } from '../support/user-manager.js';

const ROOT = join(import.meta.dirname, '..', '..');
const UNIT_FILE = join(ROOT, 'src', 'hub', 'svcd-hub.service');
const ANYWHERE = '0.0.0.0:7825';

describeIf(USER_MANAGER, 'the unit of a hub', () => {
  it('comes up, lets machines in, comes back after a kill with nothing lost, and stops', async () => {
    const service = await startService({ stickers: 10 });
    onTestFinished(() => service.close());
    const user = await startUserManager();
    onTestFinished(() => user.stop());
    const port = await freePort();
    const units = join(user.home, '.config/systemd/user');
    mkdirSync(join(units, 'svcd-hub.service.d'), { recursive: true });
    copyFileSync(UNIT_FILE, join(units, 'svcd-hub.service'));
    const [, command = ''] = /^ExecStart=(.*)$/m.exec(readFileSync(UNIT_FILE, 'utf8')) ?? [];
    expect(command).toContain(ANYWHERE);
    const bin = installIn(join(user.home, 'bin'));
    writeFileSync(join(user.home, 'service_key'), `${service.key}\n`, { mode: 0o600 });
    const dropIn = [
      '[Service]',
      // A user manager runs no other user's services.
      'User=',
      `Environment=PATH=${bin}:/usr/bin:/bin SVCD_REMOTE=${service.url} SVCD_HUB_PUBLIC_URL=https://127.0.0.1:${port} SVCD_PORT=0`,
      `LoadCredential=`,
      `LoadCredential=service_key:${join(user.home, 'service_key')}`,
      'ExecStart=',
      `ExecStart=${command.replace(ANYWHERE, `127.0.0.1:${port}`)}`,
      // The homes of users, and this clone, may lie where PrivateTmp and ProtectHome show nothing.
      `BindPaths=${user.home}`,
      `BindReadOnlyPaths=${ROOT}`,
    ];
    writeFileSync(join(units, 'svcd-hub.service.d', 'here.conf'), dropIn.join('\n'));
    const shown = (name: string) => user.systemctl('show', 'svcd-hub', `--property=${name}`, '--value').trim();
    const svcd = (...args: string[]) =>
      runSvcd(args, { home: shown('Environment').match(/SVCD_HOME=(\S+)/)?.[1] ?? '' });
    const comesUp = () => expect.poll(async () => (await svcd('hub', 'status')).code).toBe(0);
    const charges = () => [...service.charges().values()];

    user.systemctl('daemon-reload');
    expect(user.systemctl('start', 'svcd-hub') + shown('ExecMainStatus,Result')).toBe('');
    await comesUp();
    const pid = Number(shown('MainPID'));
    const facts = readFileSync(`/proc/${pid}/status`, 'utf8');
    expect(facts).toMatch(/^Umask:\t0077$[^]*^NoNewPrivs:\t1$[^]*^Seccomp:\t2$/m);
    expect(readFileSync(`/proc/${pid}/mountinfo`, 'utf8')).toMatch(/ \/ \/ ro,/);
    expect(readFileSync(`/proc/${pid}/environ`, 'latin1')).not.toContain(service.key);

    const invited = JSON.parse((await svcd('hub', 'invite', '--project', 'promo', '--json')).stdout) as {
      code: string;
    };
    const sidecar = await startSidecar('first', invited.code);
    onTestFinished(() => sidecar.remove());
    expect(isTrue(await sidecar.ask(presetOf(0)))).toBe(true);

    process.kill(pid, 'SIGKILL');
    await expect.poll(() => shown('NRestarts')).toBe('1');
    await comesUp();
    expect(Number(shown('MainPID'))).not.toBe(pid);
    const second = await joinMachine(invited.code, 'second');
    onTestFinished(() => second.close());
    expect((await second.ask(presetOf(0))).headers).toMatchObject({ 'x-svcd-source': 'owned', 'x-svcd-cost': '0' });
    await expect.poll(async () => isTrue(await sidecar.ask(presetOf(1)))).toBe(true);
    expect(charges()).toEqual([1, 1]);
    expect((await svcd('hub', 'audit')).code).toBe(0);

    expect(user.systemctl('stop', 'svcd-hub')).toBe('');
    expect(shown('ActiveState,Result,NRestarts').split('\n')).toEqual(['success', '1', 'inactive']);
  });
});

/** This clone as if it were installed: a folder for PATH. */
function installIn(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'svcd'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/svcd.js')}" "$@"\n`);
  chmodSync(join(folder, 'svcd'), 0o755);
  return folder;
}
