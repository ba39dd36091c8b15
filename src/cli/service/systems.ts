// The systems that start programs at login, a row each: where a service is written down, its text, and the commands. Those of
// launchd and of Windows are not tested, only their texts: no Mac and no Windows was at hand.

import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { environmentWith } from '../../config/environment.js';
import { runtimeFolder, unitFolder } from '../../config/user-session.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import { define, type Definition, nameFor, plistText, recordIn, taskText, unitText } from './templates.js';
import { serviceWords } from './words.js';

/** What the system says of a service now; null where it cannot be asked. */
export interface ServiceState {
  /** Whether the next login starts it. */
  readonly enabled: boolean | null;
  /** The process that runs as the service. */
  readonly pid: number | null;
  /** The exit code, or signal, of an end that was no success. */
  readonly failed: string | null;
  /** Why the system could not be asked. */
  readonly trouble: string | null;
}

/** Arguments of its tool; of one that begins with `-` a failure is what was wanted, or no harm. */
type Command = readonly string[];

interface System {
  readonly kind: 'systemd' | 'launchd' | 'task';
  readonly tool: string;
  /** Where the service of a name is written down: a file, or the task's name. */
  placeOf(name: string): string;
  textOf(definition: Definition): string;
  /** Succeeds where something can be installed. */
  readonly usable: Command;
  /** After its text was written: every login starts it. */
  load(name: string): readonly Command[];
  /** Starts it; one that runs is ended first, gracefully. */
  start(name: string): readonly Command[];
  end(name: string): readonly Command[];
  /** After its file is gone. */
  forget(name: string): readonly Command[];
  ask(name: string): Command;
  readState(name: string, said: string): Omit<ServiceState, 'trouble'>;
  /** The command that shows the latest lines of its output; undefined where there is none. */
  outputCommand(name: string): string | undefined;
  /** How often a command is tried: launchd unloads in the background, and refuses to load until that is done. */
  readonly tries: number;
}

const unit = (name: string) => `${name}.service`;
const domain = () => `gui/${process.getuid?.() ?? 0}`;
/** The link by which a login starts it, as `[Install]` in the unit says. */
const linkOf = (name: string) => join(unitFolder(), 'default.target.wants', unit(name));

const SYSTEMS: Readonly<Partial<Record<NodeJS.Platform, System>>> = {
  linux: {
    kind: 'systemd',
    tool: 'systemctl --user',
    placeOf: (name) => join(unitFolder(), unit(name)),
    textOf: unitText,
    usable: ['show', '--property=Version', '--value'],
    load: (name) => [['daemon-reload'], ['enable', unit(name)]],
    // After five failures in five minutes systemd starts it no more, until told to forget them.
    start: (name) => [
      ['-reset-failed', unit(name)],
      ['restart', unit(name)],
    ],
    end: (name) => [['disable', '--now', unit(name)]],
    forget: (name) => [['daemon-reload'], ['-reset-failed', unit(name)]],
    ask: (name) => ['show', unit(name), '--property=UnitFileState,MainPID,Result,ExecMainCode,ExecMainStatus'],
    readState: (name, said) => {
      const shown = Object.fromEntries(said.split('\n').map((line) => line.split('=', 2) as [string, string]));
      const pid = Number(shown['MainPID'] ?? 0);
      return {
        enabled: shown['UnitFileState'] === 'enabled' || existsSync(linkOf(name)),
        pid: pid > 0 ? pid : null,
        failed: failureIn(shown),
      };
    },
    outputCommand: (name) => `journalctl --user -u ${unit(name)} -n 20`,
    tries: 1,
  },
  darwin: {
    kind: 'launchd',
    tool: 'launchctl',
    placeOf: (name) => join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`),
    textOf: plistText,
    usable: ['print', domain()],
    load: (name) => [['enable', `${domain()}/${name}`]],
    start: (name) => [
      ['-bootout', `${domain()}/${name}`],
      ['bootstrap', domain(), join(homedir(), 'Library', 'LaunchAgents', `${name}.plist`)],
    ],
    end: (name) => [['-bootout', `${domain()}/${name}`]],
    forget: () => [],
    ask: (name) => ['print', `${domain()}/${name}`],
    readState: (_name, said) => {
      const [, pid] = /^\s*pid = (\d+)$/m.exec(said) ?? [];
      const [, exit = '0'] = /^\s*last exit code = (\d+)/m.exec(said) ?? [];
      // Not loaded is what a login mends, unless it was disabled; both are mended by installing.
      return { enabled: said !== '', pid: pid === undefined ? null : Number(pid), failed: exit === '0' ? null : exit };
    },
    outputCommand: () => undefined,
    tries: 20,
  },
  win32: {
    kind: 'task',
    tool: 'schtasks',
    placeOf: (name) => `\\${name}`,
    textOf: (definition) => taskText(definition, userInfo().username),
    usable: ['/Query'],
    load: () => [],
    start: (name) => [
      ['-/End', '/TN', name],
      ['/Run', '/TN', name],
    ],
    end: (name) => [
      ['-/End', '/TN', name],
      ['/Delete', '/TN', name, '/F'],
    ],
    forget: () => [],
    ask: (name) => ['/Query', '/TN', name, '/XML'],
    // The scheduler does not tell the process: the home's own runtime.json does.
    readState: (_name, said) => ({
      enabled: !/<Settings>[^]*<Enabled>false<\/Enabled>[^]*<\/Settings>/.test(said),
      pid: null,
      failed: null,
    }),
    outputCommand: () => undefined,
    tries: 1,
  },
};

/** ExecMainCode is the si_code of wait(2): 1 for an exit, 2 and 3 for a signal. Also while systemd waits to start it anew. */
function failureIn(shown: Readonly<Partial<Record<string, string>>>): string | null {
  const { Result, ExecMainCode, ExecMainStatus } = shown;
  if (Result === 'success' || Result === undefined) return null;
  if (ExecMainCode === '1') return ExecMainStatus ?? Result;
  return ExecMainCode === '0' ? Result : `signal ${ExecMainStatus}`;
}

export interface FoundService {
  readonly system: System;
  readonly name: string;
  /** Where it is written down. */
  readonly place: string;
  /** What is there: nothing, a service of svcd, or somebody else's of the same name. */
  readonly installed: 'no' | 'yes' | 'foreign';
  /** What it was made from; undefined unless svcd made it. */
  readonly definition: Definition | undefined;
  readonly text: string | undefined;
}

/** Reads what is written down for a home. Asks no tool where that is a file. Throws `service_manager_failed`. */
export async function findService(home: string): Promise<FoundService> {
  const system = SYSTEMS[process.platform];
  if (system === undefined) throw managerFailed(serviceWords().noManager(process.platform));
  const name = await nameFor(home);
  const place = system.placeOf(name);
  const text = await read(system, name, place);
  const definition = text === undefined ? undefined : recordIn(name, text);
  const installed = text === undefined ? 'no' : definition === undefined ? 'foreign' : 'yes';
  return { system, name, place, installed, definition, text };
}

/** The scheduler keeps a text of its own making, so that what was changed in it is not seen: ours is made from its record. */
async function read(system: System, name: string, place: string): Promise<string | undefined> {
  if (system.kind !== 'task') {
    return withFile(place, () => (existsSync(place) ? readFileSync(place, 'utf8') : undefined));
  }
  const end = await run(system, system.ask(name));
  if (end.code !== 0) return undefined;
  const definition = recordIn(name, end.stdout);
  return definition === undefined ? end.stdout : system.textOf(definition);
}

export interface Drift {
  readonly code: 'differs' | 'disabled' | 'failed';
  readonly what: string;
  /** The one command that mends it. */
  readonly mend: string;
}

/** What keeps a service from being what `svcd service install` would make of it now. */
export async function driftOf(home: string, found: FoundService, state: ServiceState): Promise<Drift[]> {
  const { definition, system, place, text } = found;
  if (definition === undefined) return [];
  const words = serviceWords().drift;
  const drift: [Drift['code'], string][] = [];
  if (system.textOf(await define(home, definition.flags)) !== text) drift.push(['differs', words.differs(place)]);
  if (state.enabled === false) drift.push(['disabled', words.disabled]);
  if (state.failed !== null && state.pid === null) drift.push(['failed', words.failed(state.failed)]);
  return drift.map(([code, what]) => ({ code, what, mend: 'svcd service install' }));
}

export async function stateOf({ system, name }: FoundService): Promise<ServiceState> {
  const end = await run(system, system.ask(name));
  const unknown = { enabled: null, pid: null, failed: null };
  if (end.code === undefined || (end.code !== 0 && system.kind !== 'launchd')) {
    return { ...unknown, trouble: complaintOf(end) };
  }
  return { ...system.readState(name, end.code === 0 ? end.stdout : ''), trouble: null };
}

/** Throws `service_manager_failed` when nothing can be installed. */
export async function assertUsable({ system }: FoundService): Promise<void> {
  const words = serviceWords();
  const end = await run(system, system.usable);
  if (end.code === 0) return;
  if (system.kind !== 'systemd') throw toolFailed(system, system.usable, end);
  if (end.code === undefined) throw managerFailed(words.noSystemd, words.noSystemdHint);
  throw managerFailed(words.noUserManager(complaintOf(end)), words.noUserManagerHint);
}

/** Writes it down and lets every login start it. */
export async function writeService({ system, name, place }: FoundService, text: string): Promise<void> {
  if (system.kind === 'task') return writeTask(system, name, text);
  await withFile(place, () => {
    // 0755, as the system itself makes it: other programs of the user look there.
    makeFolder(dirname(place), 0o755);
    replaceFile(place, text);
  });
  await runAll(system, system.load(name));
}

/** The tool takes the text from a file, as UTF-16. */
async function writeTask(system: System, name: string, text: string): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-task-'));
  try {
    const file = join(folder, 'task.xml');
    writeFileSync(file, `\ufeff${text}`, 'utf16le');
    await runAll(system, [['/Create', '/TN', name, '/XML', file, '/F']]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export async function restartService({ system, name }: FoundService): Promise<void> {
  await runAll(system, system.start(name));
}

/** Ends it and forgets it. Where no manager of the user answers, the files alone are removed: then nothing of it runs. */
export async function removeService({ system, name, place }: FoundService): Promise<void> {
  const isThere = (await run(system, system.usable)).code === 0;
  if (isThere) await runAll(system, system.end(name));
  if (system.kind !== 'task') {
    await withFile(place, () => {
      rmSync(place, { force: true });
      if (system.kind !== 'systemd') return;
      rmSync(linkOf(name), { force: true });
      for (const folder of [dirname(linkOf(name)), unitFolder(), dirname(unitFolder())]) removeEmpty(folder);
    });
  }
  if (isThere) await runAll(system, system.forget(name));
}

/** Whether this user's services start at boot; false where nobody can be asked. */
export async function startsAtBoot({ system }: FoundService): Promise<boolean> {
  if (system.kind !== 'systemd') return false;
  const end = await runTool('loginctl', ['show-user', userInfo().username, '--property=Linger', '--value']);
  return end.code === 0 && end.stdout.trim() === 'yes';
}

const AGAIN_AFTER_MS = 500;

/** Throws `service_manager_failed` with the tool's own words. */
async function runAll(system: System, commands: readonly Command[]): Promise<void> {
  for (const command of commands) {
    let end = await run(system, command);
    if (command[0]?.startsWith('-') === true) continue;
    for (let tries = 1; end.code !== 0 && tries < system.tries; tries++) {
      await sleep(AGAIN_AFTER_MS);
      end = await run(system, command);
    }
    if (end.code !== 0) throw toolFailed(system, command, end);
  }
}

function run({ tool }: System, [first = '', ...rest]: Command): Promise<ToolEnd> {
  const [program = '', ...args] = tool.split(' ');
  return runTool(program, [...args, first.replace(/^-/, ''), ...rest]);
}

interface ToolEnd {
  /** Null when a signal ended it; undefined when there is no such program. */
  readonly code: number | null | undefined;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a tool of the system, with its words in English where it has them: some are compared. Never rejects. */
function runTool(program: string, args: readonly string[]): Promise<ToolEnd> {
  const runtime = runtimeFolder();
  const env = environmentWith({ LC_ALL: 'C', ...(runtime !== undefined && { XDG_RUNTIME_DIR: runtime }) });
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], env });
  const said = { stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (part: string) => (said.stdout += part));
  child.stderr.setEncoding('utf8').on('data', (part: string) => (said.stderr += part));
  return new Promise((resolve) => {
    child.on('error', (error) =>
      resolve({ code: systemCode(error) === 'ENOENT' ? undefined : null, stdout: '', stderr: error.message }),
    );
    child.on('close', (code) => resolve({ code, ...said }));
  });
}

/** What it said went wrong, in one line. */
function complaintOf({ code, stdout, stderr }: ToolEnd): string {
  const [first] = [...stderr.split('\n'), ...stdout.split('\n')]
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return first ?? `exit code ${code ?? 'unknown'}`;
}

function toolFailed({ tool }: System, command: Command, end: ToolEnd): SvcdError {
  const words = serviceWords();
  if (end.code === undefined) return managerFailed(words.noTool(tool.split(' ', 1)[0] ?? tool));
  const typed = `${tool} ${command.join(' ')}`;
  return managerFailed(words.toolFailed(typed, complaintOf(end)), words.tryIt(typed));
}

export function managerFailed(message: string, hint?: string, cause?: unknown): SvcdError {
  return new SvcdError('service_manager_failed', message, { cause, hint });
}

/** Does something with the file of a service. Throws `service_manager_failed` naming it. */
async function withFile<T>(path: string, act: () => T | Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (cause) {
    const words = serviceWords();
    const why = systemCode(cause) ?? (cause instanceof Error ? cause.message : String(cause));
    throw managerFailed(words.fileFailed(path, why), words.fileHint, cause);
  }
}

/** Removes a folder that nothing is in any more. */
function removeEmpty(folder: string): void {
  if (existsSync(folder) && readdirSync(folder).length === 0) rmdirSync(folder);
}
