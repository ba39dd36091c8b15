// svcd doctor: everything that svcd needs, checked, with the one command that mends what is wrong. It changes nothing unless
// told to, costs nothing, and ends within some seconds whatever hangs.

import { spawn } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { release } from 'node:os';
import { createInterface } from 'node:readline';
import type { HealthRow, Language } from '../../api/health.js';
import { keyFromEnvironment } from '../../config/environment.js';
import { systemCode } from '../../model/errors.js';
import { findMissing, inOrder } from '../../operations/health/checks.js';
import { toRow } from '../../operations/health/to-row.js';
import { systemClock } from '../../platform/clock.js';
import { hideUserFolder } from '../../platform/files/user-folder.js';
import { COMMIT, INSTALLATION, VERSION } from '../../platform/installation.js';
import { parseJsonRecord } from '../../platform/json.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { examine, type Told } from './examine.js';
import { formatTable, homeOption, inLocalTime, namingHome, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { chosenLanguage } from '../terminal/language.js';
import { printAnswer } from '../terminal/output.js';
import { doctorWords } from './words.js';

const words = doctorWords();

/** Longer than any check by itself; what has not come by then hangs in the system. */
const PATIENCE_MS = 15_000;

/** A row of GET /svcd/health as `--json` has it: by the name that programs know, and with its commands for this home. */
interface Check extends Pick<HealthRow, 'name' | 'code' | 'words'> {
  readonly state: HealthRow['status'];
  readonly hint?: string;
  readonly command?: string;
}

const doctorCommand: CommandBody = {
  options: {
    report: textOption(words.report),
    'accept-loss': switchOption(words.acceptLoss),
    'mend-dates': switchOption(words.mendDates),
    // The process that looks, which this one starts.
    examine: { type: 'boolean', hidden: true },
  },
  examples: words.examples,
  run: async (input) => {
    const language = input.json ? 'en' : chosenLanguage();
    if (input.flag('examine') === true) {
      const mends = { mendDates: input.flag('mend-dates') === true, acceptLoss: input.flag('accept-loss') === true };
      return examine(input.text('home'), mends, language);
    }
    const { home, checks, settings } = await lookAround(input, language);
    input.answeredBy.sandbox = checks.some(({ code }) => code === 'remote_sandbox');
    const file = input.text('report');
    if (file !== undefined) {
      // Whoever is asked for help may read another language than the one who asks.
      const inEnglish = language === 'en' ? checks : (await lookAround(input, 'en')).checks;
      writeReport(file, { settings, checks: inEnglish });
    }
    if (checks.some(({ state }) => state === 'bad')) process.exitCode = 1;
    return printAnswer(input, { home, checks }, () => [
      ...describe(checks),
      ...(file === undefined ? [] : ['', words.reportIs(file)]),
    ]);
  },
};

export const bodies: Bodies = { doctor: doctorCommand };

interface Examined {
  readonly home: string | null;
  readonly checks: readonly Check[];
  readonly settings: object;
}

/** Has a process look, and ends it when it takes too long. Checks that it did not come to are told, too. */
async function lookAround(input: Input, language: Language): Promise<Examined> {
  const home = input.text('home');
  const args = [
    process.argv[1] ?? '',
    'doctor',
    '--examine',
    `--lang=${language}`,
    ...(home === undefined ? [] : [`--home=${home}`]),
    ...['accept-loss', 'mend-dates'].filter((name) => input.flag(name) === true).map((name) => `--${name}`),
  ];
  // A start of the process that fails before the first check says why on stderr.
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const found: HealthRow[] = [];
  let told: { home: string | null; settings: object } = { home: null, settings: {} };
  createInterface({ input: child.stdout }).on('line', (line) => {
    const one = parseJsonRecord(line) as Told | undefined;
    if (one !== undefined && 'rows' in one) found.push(...one.rows);
    else if (one !== undefined) told = { ...told, ...one };
  });
  const why = await endOf(child);
  child.stdout.destroy();
  child.unref();
  const missing = why === undefined ? [] : findMissing(['system', 'home', 'remote'], found, why, PATIENCE_MS);
  const rows = inOrder([...found, ...missing.map((finding) => toRow(finding, language))]);
  return { ...told, checks: rows.map(toCheck) };
}

/** The signal that ended it, `timeout` when it took too long; undefined when it came to its end. */
function endOf(child: ReturnType<typeof spawn>): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      resolve('timeout');
      child.kill('SIGKILL');
    }, PATIENCE_MS);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      resolve(signal ?? (code === 0 ? undefined : `exit ${code}`));
    });
  });
}

function toCheck({ name, code, status, words: text, hint, command }: HealthRow): Check {
  return {
    name,
    code,
    state: status,
    words: text,
    ...(hint !== null && { hint: namingHome(hint) }),
    // Each of them would speak of another home.
    ...(command !== null && { command: command.replace(/(?<=^|&& )svcd .*?(?= && |$)/g, (own) => own + homeOption()) }),
  };
}

function describe(checks: readonly Check[]): string[] {
  const rows = checks.flatMap(({ name, state, words: text, hint, command }) => [
    [words.states[state], words.names[name] ?? name, sanitize(inLocalTime(text))],
    ...(command === undefined ? [] : [['', '', sanitize(words.run(command))]]),
    ...(hint === undefined ? [] : [['', '', sanitize(hint)]]),
  ]);
  const bad = checks.filter(({ state }) => state === 'bad').length;
  return [...formatTable(rows), '', bad === 0 ? words.nothingBad : words.someBad(bad, checks.length)];
}

/** Writes the report to a new file of mode 0600. Throws `invalid_argument` when it exists or cannot be written. */
function writeReport(file: string, found: { readonly settings: object; readonly checks: readonly Check[] }): void {
  const report = {
    svcd: VERSION,
    commit: COMMIT,
    at: new Date(systemClock.now()).toISOString(),
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    settings: found.settings,
    built_in: listBuiltIn(),
    checks: found.checks,
  };
  try {
    writeFileSync(file, `${scrub(JSON.stringify(report, null, 2))}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const code = systemCode(cause) ?? 'unknown';
    throw invalidArgument(code === 'EEXIST' ? words.exists(file) : words.unwritable(file, code), words.another, cause);
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

/** Removes secrets that were put where they do not belong (a Key as a setting), and the user's name in paths. */
function scrub(text: string): string {
  const key = keyFromEnvironment();
  const clean = hideUserFolder(text.replace(/\b(svcd_|sk-)[\w-]{8,}/g, '$1…'));
  return key === undefined ? clean : clean.replaceAll(key, '…');
}
