// svcd config: every setting with its source, and changes to config.json.

import { join } from 'node:path';
import { type SettledSetting, settleSettings, writeSetting } from '../../config/config.js';
import { SETTINGS, shownValue } from '../../config/settings.js';
import { readConfigFile } from '../../config/json-file.js';
import { looksLikeKey, parseFolder } from '../../config/parse-setting.js';
import { SANDBOX } from '../../config/last-used.js';
import { findBelonging } from '../../config/membership.js';
import { chooseRemote } from '../../config/remote-choice.js';
import { requireFolder } from '../../video/lock/plain-folder.js';
import { SvcdError } from '../../model/errors.js';
import { asHomeTrouble, prepareHome } from '../../platform/files/home-folder.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { formatTable, sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { readSettingFlags, SETTING_OPTIONS } from '../terminal/options.js';
import { printAnswer, printJson, printLines } from '../terminal/output.js';
import { findRunningDaemon, remoteOf } from '../connection/running-daemon.js';
import { didYouMean } from '../terminal/usage-error.js';
import { configWords } from './config-words.js';
import { joinWords } from '../hub/join-words.js';

const words = configWords();

const configGroup: GroupBody = {
  otherwise: 'show',
  commands: [
    command('show', words.show, {
      // All flags of "start", to show what a start with them would use.
      options: SETTING_OPTIONS,
      run: show,
    }),
    command('set <name> <value>', words.set, {
      run: async (input) =>
        printAnswer(input, await write(input, input.word('value')), ({ name, value, ...uses }) => [
          words.set.done(name, sanitize(value ?? words.none), isNow(name)),
          ...describeUses(uses),
        ]),
    }),
    command('unset <name>', words.unset, {
      run: async (input) =>
        printAnswer(input, await write(input, undefined), ({ name, ...uses }) => [
          words.unset.done(sanitize(name), isNow(name)),
          ...describeUses(uses),
        ]),
    }),
    command('path', words.path, {
      run: async (input) => printAnswer(input, { path: join(await input.home(), 'config.json') }, ({ path }) => path),
    }),
    { usage: 'origins', what: words.origins, load: () => import('./origins.js') },
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
  const rows = settled.map((one) => [one.setting.name, sanitize(valueOf(one)), sourceOf(one)]);
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
  if (value !== undefined && (name === 'remote' || name === 'sandbox')) refuseMember(home, name);
  prepareHome(home);
  if (name === 'folder' && value !== undefined) requireFolder(parseFolder(value, 'config set folder'), home);
  try {
    writeSetting(home, name, value);
  } catch (error) {
    throw asHomeTrouble(home, error);
  }
  const answer = { name, value: value ?? null, home };
  return name === 'remote' || name === 'sandbox' ? { ...answer, ...(await findUses(home)) } : answer;
}

/** Of a home that belongs to a hub, the hub is the remote. Throws `invalid_config`. */
function refuseMember(home: string, name: string): void {
  if (findBelonging(home).kind === 'alone') return;
  const { settingOfHub, leaveFirst } = joinWords();
  throw new SvcdError('invalid_config', settingOfHub(name), { hint: leaveFirst });
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
  const known = SETTINGS.flatMap(({ file }) => file ?? []);
  const shown = looksLikeKey(typed) ? words.likeKey : JSON.stringify(typed);
  throw invalidArgument(words.unknown(shown, didYouMean(typed, known)), words.known(known.join(', ')));
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
