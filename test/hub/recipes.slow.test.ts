// The recipes as they are, run: the unit by a systemd user manager, with a drop-in for what its first lines tell to change;
// the hub of the compose files with its arguments, its environment, and its secrets.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseYaml } from '@redocly/openapi-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { joinMachine } from '../faults/farm/machine.js';
import { isTrue, startSidecar } from '../faults/farm/sidecar.js';
import { presetOf, startService } from '../faults/farm/service.js';
import { freePort } from '../support/free-port.js';
import { POSTGRESQL, startPostgres } from '../support/postgres.js';
import { describeIf, itIf } from '../support/requires.js';
import { environmentOf, makeHome, runSvcd } from '../support/run-svcd.js';
import { startUserManager, USER_MANAGER } from '../support/user-manager.js';

const ROOT = join(import.meta.dirname, '..', '..');
const UNIT_FILE = join(ROOT, 'src', 'hub', 'svcd-hub.service');
const COMPOSE_FILE = join(ROOT, 'src', 'hub', 'compose.yaml');
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
      // ProtectHome hides /run/user, where the credentials of a user manager are, and maybe this clone.
      'ProtectHome=read-only',
      'ExecStart=',
      `ExecStart=${command.replace(ANYWHERE, `127.0.0.1:${port}`)}`,
      // The user's home, and maybe this clone, are where PrivateTmp shows nothing.
      `BindPaths=${user.home}`,
      `BindReadOnlyPaths=${ROOT}`,
    ];
    writeFileSync(join(units, 'svcd-hub.service.d', 'here.conf'), dropIn.join('\n'));
    const shown = (name: string) => user.systemctl('show', 'svcd-hub', `--property=${name}`, '--value').trim();
    const svcd = (...args: string[]) =>
      runSvcd(args, { home: shown('Environment').match(/SVCD_HOME=(\S+)/)?.[1] ?? '' });
    const comesUp = async () => await expect.poll(async () => (await svcd('hub', 'status')).code).toBe(0);
    const charges = () => [...service.charges().values()];

    user.systemctl('daemon-reload');
    expect(user.systemctl('start', 'svcd-hub')).toBe('');
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
    // A default until it is there, on a machine that is busy.
    const buys = async (nth: number) =>
      await expect.poll(async () => isTrue(await sidecar.ask(presetOf(nth)))).toBe(true);
    await buys(0);

    process.kill(pid, 'SIGKILL');
    await expect.poll(() => shown('NRestarts')).toBe('1');
    await comesUp();
    expect(Number(shown('MainPID'))).not.toBe(pid);
    const second = await joinMachine(invited.code, 'second');
    onTestFinished(() => second.close());
    expect((await second.ask(presetOf(0))).headers).toMatchObject({ 'x-svcd-source': 'owned', 'x-svcd-cost': '0' });
    await buys(1);
    expect(charges()).toEqual([1, 1]);
    expect((await svcd('hub', 'audit')).code).toBe(0);

    expect(user.systemctl('stop', 'svcd-hub')).toBe('');
    expect(shown('Result,ActiveState').split('\n')).toEqual(['success', 'inactive']);
  });
});

describe('the hub of the compose file', () => {
  it('comes up with its command and environment, is healthy, sells, and stops', () => expectToSell([]));

  itIf(POSTGRESQL, 'does so with its money in PostgreSQL, whose password is a secret too', async () => {
    const server = await startPostgres();
    onTestFinished(() => server.remove());
    await expectToSell(['compose.postgres.yaml'], `${server.url}\n`);
    expect(await server.sql('SELECT state FROM purchase')).toEqual([{ state: 'paid' }]);
  });
});

/** Runs the hub of the compose file, over which these were laid. */
async function expectToSell(over: readonly string[], database = ''): Promise<void> {
  const service = await startService({ stickers: 10 });
  onTestFinished(() => service.close());
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const port = await freePort();
  const files = [COMPOSE_FILE, ...over.map((name) => join(dirname(COMPOSE_FILE), name))];
  const read = (file: string) => (parseYaml(readFileSync(file, 'utf8')) as Compose).services.hub;
  const { entrypoint, command, environment, healthcheck } = Object.assign({}, ...files.map(read)) as ComposeHub;
  writeFileSync(join(home, 'service_key'), `${service.key}\n`, { mode: 0o600 });
  writeFileSync(join(home, 'database'), database, { mode: 0o600 });
  // The volume, the secrets and the network of the container; what its first lines tell to change.
  const here: readonly (readonly [string, string])[] = [
    ['/run/secrets/', `${home}/`],
    ['https://assets.example.com', service.url],
    ['https://hub.example.com:7825', `https://127.0.0.1:${port}`],
    [ANYWHERE, `127.0.0.1:${port}`],
    // As compose takes it.
    ['$$', '$'],
  ];
  const at = (text: string) => here.reduce((told, [there, is]) => told.replaceAll(there, () => is), text);
  const env = Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, at(value)]));
  const volume = join(home, 'volume');
  const run = { home: volume, env: { ...env, SVCD_HOME: volume, SVCD_PORT: '0' } };
  const [program = '', ...args] = [...entrypoint, ...command].map(at);
  const PATH = `${installIn(join(home, 'bin'))}:/usr/bin:/bin`;
  const child = spawn(program, args, { env: { ...environmentOf(volume), ...run.env, PATH }, stdio: 'ignore' });
  onTestFinished(() => void child.kill('SIGKILL'));
  const ended = once(child, 'exit');
  const [, , ...check] = healthcheck.test;
  await expect.poll(async () => (await runSvcd(check, run)).code).toBe(0);
  const { stdout } = await runSvcd(['hub', 'invite', '--project', 'promo', '--json'], run);
  const machine = await joinMachine((JSON.parse(stdout) as { code: string }).code, 'first');
  onTestFinished(() => machine.close());
  expect((await machine.ask(presetOf(0))).headers).toMatchObject({ 'x-svcd-source': 'remote', 'x-svcd-cost': '1' });
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect([...service.charges().values()]).toEqual([1]);
}

interface ComposeHub {
  readonly entrypoint: readonly string[];
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
}

interface Compose {
  readonly services: { readonly hub: ComposeHub };
}

/** This clone as if it were installed: a folder for PATH. */
function installIn(folder: string): string {
  mkdirSync(folder);
  writeFileSync(join(folder, 'svcd'), `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin/svcd.js')}" "$@"\n`);
  chmodSync(join(folder, 'svcd'), 0o755);
  return folder;
}
