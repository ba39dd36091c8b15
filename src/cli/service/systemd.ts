// svcd as a service of the user's own systemd.

import { existsSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runtimeFolder, unitFolder } from '../../config/user-session.js';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import { serviceWords } from './words.js';
import { expectDone, managerFailed, removeEmpty, withFile } from './failure.js';
import { type ServiceManager, type ServiceState, unknownState } from './service-manager.js';
import { complaintOf, runTool } from './run-tool.js';
import { recordInUnit, unitText } from './systemd-unit.js';

export const systemd: ServiceManager = {
  kind: 'systemd',
  placeOf: fileOf,
  outputCommand: (name) => `journalctl --user -u ${name}.service -n 20`,
  assertUsable,
  textOf: unitText,
  read: async (name) =>
    withFile(fileOf(name), () => (existsSync(fileOf(name)) ? readFileSync(fileOf(name), 'utf8') : undefined)),
  recordIn: recordInUnit,
  write,
  restart: async (name) => {
    // After five failures in five minutes systemd starts it no more, until told to forget them.
    await ask('reset-failed', `${name}.service`);
    await command('restart', `${name}.service`);
  },
  state,
  remove,
};

function fileOf(name: string): string {
  return join(unitFolder(), `${name}.service`);
}

/** The link by which a login starts it, as `[Install]` in the unit says. */
function linkOf(name: string): string {
  return join(unitFolder(), 'default.target.wants', `${name}.service`);
}

async function assertUsable(): Promise<void> {
  const words = serviceWords();
  const end = await ask('show', '--property=Version', '--value');
  if (end.code === 0) return;
  if (end.code === undefined) throw managerFailed(words.noSystemd, words.noSystemdHint);
  throw managerFailed(words.noUserManager(complaintOf(end)), words.noUserManagerHint);
}

async function write(name: string, text: string): Promise<void> {
  const file = fileOf(name);
  await withFile(file, () => {
    // 0755, as systemd itself makes it: other programs of the user look there.
    makeFolder(dirname(file), 0o755);
    replaceFile(file, text);
  });
  await command('daemon-reload');
  const { LoadState, FragmentPath } = await show(name, 'LoadState', 'FragmentPath');
  const words = serviceWords();
  if (LoadState === 'masked') throw managerFailed(words.masked(name), words.unmask(name));
  if (LoadState !== 'loaded') throw managerFailed(words.notLoaded(name, LoadState ?? ''), words.notLoadedHint(file));
  if (FragmentPath !== file) throw managerFailed(words.otherFile(name, FragmentPath ?? ''), words.otherFileHint(file));
  await command('enable', `${name}.service`);
}

async function state(name: string): Promise<ServiceState> {
  const end = await ask('show', `${name}.service`, `--property=${PROPERTIES.join(',')}`);
  if (end.code === undefined) return unknownState('there is no systemctl');
  if (end.code !== 0) return unknownState(complaintOf(end));
  const shown = parseProperties(end.stdout);
  const pid = Number(shown['MainPID'] ?? 0);
  return {
    enabled: shown['UnitFileState'] === 'enabled' || existsSync(linkOf(name)),
    pid: pid > 0 ? pid : null,
    failed: failureIn(shown),
    outdated: shown['NeedDaemonReload'] === 'yes',
    trouble: null,
  };
}

const PROPERTIES = 'UnitFileState NeedDaemonReload MainPID Result ExecMainCode ExecMainStatus'.split(' ');
/** ExecMainCode is the si_code of wait(2): 1 for an exit, 2 and 3 for a signal. */
const EXITED = '1';

/** Also while systemd waits to start it anew: the last end counts. */
function failureIn({ Result, ExecMainCode, ExecMainStatus }: Properties): string | null {
  if (Result === 'success' || Result === undefined) return null;
  if (ExecMainCode === EXITED) return ExecMainStatus ?? Result;
  return ExecMainCode === '0' ? Result : `signal ${ExecMainStatus}`;
}

/** Where no manager of the user answers, the files alone are removed: then nothing of it runs. */
async function remove(name: string): Promise<void> {
  const unit = `${name}.service`;
  const isThere = (await ask('show', '--property=Version', '--value')).code === 0;
  if (isThere) await command('disable', '--now', unit);
  await withFile(fileOf(name), () => {
    rmSync(linkOf(name), { force: true });
    rmSync(fileOf(name), { force: true });
    for (const folder of [dirname(linkOf(name)), unitFolder(), dirname(unitFolder())]) removeEmpty(folder);
  });
  if (!isThere) return;
  await command('daemon-reload');
  await ask('reset-failed', unit);
}

type Properties = Readonly<Partial<Record<string, string>>>;

async function show(name: string, ...properties: readonly string[]): Promise<Properties> {
  return parseProperties(await command('show', `${name}.service`, `--property=${properties.join(',')}`));
}

function parseProperties(text: string): Properties {
  return Object.fromEntries(text.split('\n').map((line) => [line.split('=', 1)[0], line.replace(/^[^=]*=/, '')]));
}

async function command(...args: readonly string[]): Promise<string> {
  return expectDone(`systemctl --user ${args.join(' ')}`, await ask(...args));
}

function ask(...args: readonly string[]) {
  const runtime = runtimeFolder();
  return runTool('systemctl', ['--user', ...args], runtime === undefined ? {} : { XDG_RUNTIME_DIR: runtime });
}
