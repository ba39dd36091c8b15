// svcd config: every setting with its source, and changes to config.json.

import { join } from 'node:path';
import { type SettledSetting, settleSettings, writeSetting } from '../../config/config.js';
import { readConfigFile } from '../../config/json-file.js';
import { SANDBOX } from '../../config/last-used.js';
import { looksLikeKey, parseFolder } from '../../config/parse-setting.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { SETTINGS, shownValue } from '../../config/settings.js';
import { isSpoofable, parseOrigin } from '../../model/web-origin.js';
import { asHomeTrouble, prepareHome } from '../../platform/files/home-folder.js';
import { requireFolder } from '../../video/lock/plain-folder.js';
import { type Bodies, command, group, type GroupBody } from '../command.js';
import { findRunningDaemon, remoteOf } from '../connection/running-daemon.js';
import { requestDaemon } from '../request-command.js';
import { formatTable, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { readSettingFlags, SETTING_OPTIONS } from '../terminal/options.js';
import { printAnswer, printJson, printLines, printNote } from '../terminal/output.js';
import { readSecret } from '../terminal/terminal-input.js';
import { didYouMean } from '../terminal/usage-error.js';
import { terminalWords } from '../terminal/words.js';
import { refuseMember } from './user-key.js';
import { configWords, originsWords } from './words.js';

const words = configWords();
const NAMES = SETTINGS.flatMap(({ file }) => file ?? []);

const forPages = originsWords();

/** Origins whose web pages may use svcd. */
const originsGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', forPages.list, {
      run: requestDaemon('GET /svcd/origins', ({ origins }: { origins: string[] }) =>
        origins.length === 0 ? forPages.none : origins.map(sanitize),
      ),
    }),
    command('add <origin>', forPages.add, {
      examples: [`svcd config origins add http://localhost:3000 # ${forPages.addExample}`],
      run: async (input) => {
        await allow(input);
        if (isSpoofable(parseOrigin(input.word('origin')))) printNote(forPages.spoofable);
      },
    }),
    command('remove <origin>', forPages.remove, {
      run: requestDaemon(
        (input) => `DELETE ${originPath(input)}`,
        (_, input) => forPages.removed(nameOf(input)),
      ),
    }),
  ],
};

const configGroup: GroupBody = {
  otherwise: 'show',
  commands: [
    command('show', words.show, {
      // All flags of "start", to show what a start with them would use.
      options: SETTING_OPTIONS,
      run: show,
    }),
    command('set <name> [value]', words.set, {
      firstWords: NAMES,
      run: async (input) =>
        printAnswer(input, await write(input, await valueFor(input)), ({ name, value, ...uses }) => [
          words.set.done(name, sanitize(value ?? words.none), isNow(name)),
          ...describeUses(uses),
        ]),
    }),
    command('unset <name>', words.unset, {
      firstWords: NAMES,
      run: async (input) =>
        printAnswer(input, await write(input, undefined), ({ name, ...uses }) => [
          words.unset.done(sanitize(name), isNow(name)),
          ...describeUses(uses),
        ]),
    }),
    command('path', words.path, {
      run: async (input) => printAnswer(input, { path: join(await input.home(), 'config.json') }, ({ path }) => path),
    }),
    group('origins', words.origins, originsGroup),
  ],
};

export const bodies: Bodies = { config: configGroup };

/** The one setting that a running svcd reads again. */
function isNow(name: string): boolean {
  return name === 'folder';
}

async function show(input: Input): Promise<void> {
  const settled = await settleSettings(readSettingFlags(input));
  if (input.json) {
    return printJson(
      Object.fromEntries(settled.map((one) => [one.setting.name, { value: shownValue(one) ?? null, from: one.from }])),
    );
  }
  const rows = settled.map((one) => [one.setting.name, sourceOf(one), sanitize(valueOf(one))]);
  const home = String(settled.find(({ setting }) => setting.name === 'home')?.value);
  // Settings are shown even when the daemon does not answer.
  const running = await findRunningDaemon(home).catch(() => undefined);
  return printLines(...formatTable(rows), ...(running === undefined ? [] : ['', words.running]));
}

async function write(input: Input, value: string | undefined): Promise<Written & Partial<Uses>> {
  const home = await input.home();
  const typed = input.word('name');
  // One that svcd does not know can only be taken out.
  const isThere = value === undefined && Object.hasOwn(readConfigFile(home), typed);
  const name = isThere ? typed : getFileName(typed);
  if (value !== undefined && (name === 'remote' || name === 'sandbox')) refuseMember(home, words.ofHub(name));
  prepareHome(home);
  if (name === 'folder' && value !== undefined) requireFolder(parseFolder(value, 'config set folder'), home);
  try {
    writeSetting(home, name, value);
  } catch (error) {
    throw asHomeTrouble(home, error);
  }
  const answer = { name, value: value === undefined ? null : readValue(name, value).shown, home };
  return name === 'remote' || name === 'sandbox' ? { ...answer, ...(await findUses(home)) } : answer;
}

/** What was typed; of what may hold a password also from a prompt or stdin, since arguments are seen by others. */
async function valueFor(input: Input): Promise<string> {
  const name = getFileName(input.word('name'));
  const typed = input.findWord('value');
  if (typed !== undefined) {
    // Not refused: it has been seen by now, and scripts go on.
    const { parsed, shown } = readValue(name, typed);
    if (shown !== parsed) printNote(words.passwordSeen(name));
    return typed;
  }
  const missing = () => invalidArgument(terminalWords().missing('VALUE', 'config set <name> [value]'));
  if (settingIn(name)?.show === undefined) throw missing();
  const given = (await readSecret(words.prompt(name), name)).trim();
  if (given === '') throw missing();
  return given;
}

function settingIn(name: string) {
  return SETTINGS.find(({ file }) => file === name);
}

/** A value as it is kept, and without a password. Throws as the setting does. */
function readValue(name: string, value: string): { readonly parsed: string; readonly shown: string } {
  const setting = settingIn(name);
  if (setting?.show === undefined) return { parsed: value, shown: value };
  const parsed = String(setting.parse(value, `config set ${name}`));
  return { parsed, shown: setting.show(parsed) };
}

interface Written {
  readonly name: string;
  readonly value: string | null;
  readonly home: string;
}

interface Uses {
  /** What the next start and commands without a daemon use: `sandbox`, an address or `none`. */
  readonly next: string;
  /** What the daemon that runs uses; null when none does. */
  readonly now: string | null;
}

async function findUses(home: string): Promise<Uses> {
  // The setting is written, also when the daemon does not answer.
  const running = await findRunningDaemon(home).catch(() => undefined);
  return { next: (await chooseRemote({ home })).remote, now: running === undefined ? null : remoteOf(running.status) };
}

/** What follows from a change of the remote. */
function describeUses({ next, now }: Partial<Uses>): string[] {
  return [
    ...(next === undefined ? [] : [words.uses(named(next))]),
    ...(now === undefined || now === null || now === next ? [] : [words.keeps(named(now))]),
  ];
}

function named(remote: string): string {
  return remote === SANDBOX ? words.remotes.sandbox : remote === 'none' ? words.remotes.none : remote;
}

/** The name in config.json of a setting called by that name or as a flag. Throws `invalid_argument`. */
function getFileName(typed: string): string {
  const setting = SETTINGS.find(({ name, flag }) => name === typed || flag === typed);
  if (setting?.file !== undefined) return setting.file;
  if (setting !== undefined) {
    throw invalidArgument(words.notInFile(typed), words.useOption(setting.flag, setting.env));
  }
  const shown = looksLikeKey(typed) ? words.likeKey : JSON.stringify(typed);
  throw invalidArgument(words.unknown(shown, didYouMean(typed, NAMES)), words.known(NAMES.join(', ')));
}

function valueOf({ setting, value }: SettledSetting): string {
  if (value !== undefined) return String(shownValue({ setting, value }));
  if (setting.name !== 'timeZone') return words.none;
  return words.ofSystem(new Intl.DateTimeFormat().resolvedOptions().timeZone);
}

function sourceOf({ setting, from, endedBy, variable }: SettledSetting): string {
  if (endedBy !== undefined) return words.because[endedBy];
  if (from === 'environment') return words.from(variable ?? setting.env);
  if (from === 'flag') return words.from(`--${setting.flag}`);
  if (from === 'file') return words.from('config.json');
  return from === 'last_used' ? words.lastUsed : words.initial;
}

const allow = requestDaemon(
  (input) => `PUT ${originPath(input)}`,
  (_, input) => [forPages.added(nameOf(input)), forPages.needToken],
);

function originPath(input: Input): `/${string}` {
  return `/svcd/origins/${encodeURIComponent(parseOrigin(input.word('origin')))}`;
}

function nameOf(input: Input): string {
  return sanitize(parseOrigin(input.word('origin')));
}
