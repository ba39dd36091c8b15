// svcd doctor: everything that svcd needs, checked, with what to do about it.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir, release } from 'node:os';
import { keyFromEnvironment, settleSettings } from '../../config/config.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { systemClock } from '../../platform/clock.js';
import { COMMIT, INSTALLATION, VERSION } from '../../platform/installation.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { checkDates, checkLoss, checkPaid, checkSpending } from '../doctor-money.js';
import { checkDaemon, checkPort, checkService } from '../doctor-service.js';
import {
  type Check,
  checkClock,
  checkDatabase,
  checkDisk,
  checkNode,
  checkPrivacy,
  checkSettings,
  checkSqlite,
} from '../doctor-system.js';
import { formatTable, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { printAnswer } from '../output.js';

const doctorCommand: CommandBody = {
  options: {
    report: textOption('Also write the findings to this new file, without secrets.'),
    'accept-loss': switchOption('Go on without purchases that owned.db lacks, and pay again for what they were.'),
    'mend-dates': switchOption('Count purchases that a wrong clock dated in the future as spent today.'),
  },
  examples: [
    'svcd doctor # exit code 1 when something is bad',
    'svcd doctor --report svcd-report.json # a file to send with a question',
  ],
  run: async (input) => {
    const home = await input.home();
    const checks = await examine(input, home, {
      mendDates: input.flag('mend-dates') === true,
      acceptLoss: input.flag('accept-loss') === true,
    });
    const file = input.text('report');
    if (file !== undefined) await writeReport(file, home, checks);
    if (checks.some(({ state }) => state === 'bad')) process.exitCode = 1;
    return printAnswer(input, { home, checks }, () => [
      ...describe(checks),
      ...(file === undefined ? [] : ['', `The report is in ${file}.`]),
    ]);
  },
};

const SQLITE = 'better-sqlite3';

export const bodies: Bodies = { doctor: doctorCommand };

/** What the user wants mended. */
interface Mends {
  readonly mendDates: boolean;
  readonly acceptLoss: boolean;
}

/** All checks, whatever the first ones find. */
async function examine(input: Input, home: string, { mendDates, acceptLoss }: Mends): Promise<Check[]> {
  return [
    ...(await runCheck('node', checkNode)),
    ...(await runCheck(SQLITE, checkSqlite)),
    ...(await runCheck('home', () => checkPrivacy(home))),
    ...(await runCheck('settings', () => checkSettings(home))),
    ...(await runCheck('owned.db', () => checkDatabase(home, 'owned.db'))),
    ...(await runCheck('purchases', () => checkLoss(home, acceptLoss))),
    ...(await runCheck('spending', () => checkSpending(home))),
    ...(await runCheck('paid', () => checkPaid(home))),
    ...(await runCheck('library.db', () => checkDatabase(home, 'library.db'))),
    ...(await runCheck('disk', () => checkDisk(home))),
    ...(await runCheck('clock', () => checkClock(home))),
    ...(await runCheck('dates', () => checkDates(home, mendDates))),
    ...(await runCheck('daemon', () => checkDaemon(home))),
    ...(await runCheck('port', () => checkPort(home))),
    ...(await runCheck('remote', () => checkService(input))),
  ];
}

function describe(checks: readonly Check[]): string[] {
  const rows = checks.flatMap(({ name, state, words, hint }) => [
    [state, name, sanitize(words)],
    ...(hint === undefined ? [] : [['', '', sanitize(hint)]]),
  ]);
  const bad = checks.filter(({ state }) => state === 'bad').length;
  return [...formatTable(rows), '', bad === 0 ? 'Nothing is bad.' : `${bad} of ${checks.length} are bad.`];
}

/** Runs a check. One that throws is itself a finding, a bad one of this name. */
async function runCheck(
  name: string,
  check: () => Check | Promise<Check> | Promise<readonly Check[]>,
): Promise<Check[]> {
  try {
    return [await check()].flat();
  } catch (error) {
    // Said once, of better-sqlite3: without it no other check can open a database.
    if (isSvcdError(error, 'unsupported_platform') && name !== SQLITE) return [];
    const words = error instanceof Error ? error.message : String(error);
    const hint = isSvcdError(error) ? error.hint : undefined;
    return [{ name, state: 'bad', words, ...(hint === undefined ? {} : { hint }) }];
  }
}

/** Writes the report to a new file of mode 0600. Throws `invalid_argument` when it exists or cannot be written. */
async function writeReport(file: string, home: string, checks: readonly Check[]): Promise<void> {
  const report = {
    svcd: VERSION,
    commit: COMMIT,
    at: new Date(systemClock.now()).toISOString(),
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    settings: await settingsOf(home),
    built_in: listBuiltIn(),
    checks,
  };
  try {
    writeFileSync(file, `${scrub(JSON.stringify(report, null, 2))}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const code = systemCode(cause) ?? 'unknown';
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`;
    throw invalidArgument(`${file} ${why}`, 'Name another file.', cause);
  }
}

/** Name and version of every package that svcd is built of; empty where it runs from its source. */
function listBuiltIn(): string[] {
  const file = new URL('dist/sbom.json', INSTALLATION);
  if (!existsSync(file)) return [];
  const { components } = JSON.parse(readFileSync(file, 'utf8')) as {
    components: readonly { group?: string; name: string; version: string }[];
  };
  return components.map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version}`);
}

async function settingsOf(home: string): Promise<object> {
  try {
    const settled = await settleSettings({ home });
    return Object.fromEntries(settled.map(({ setting, value, from }) => [setting.name, { value, from }]));
  } catch (error) {
    return { unreadable: String(error) };
  }
}

/** Removes secrets that were put where they do not belong (a Key as a setting), and the user's name in paths. */
function scrub(text: string): string {
  const key = keyFromEnvironment();
  const clean = text.replace(/\b(svcd_|sk-)[\w-]{8,}/g, '$1…').replaceAll(homedir(), '~');
  return key === undefined ? clean : clean.replaceAll(key, '…');
}
