// svcd config: every setting with its source, and changes to config.json.

import { join } from 'node:path';
import { SETTINGS, type SettledSetting, settleSettings, writeSetting } from '../../config/config.js';
import { looksLikeKey, parseFolder } from '../../config/parse-setting.js';
import { chooseRemote, nameRemote } from '../../config/remote-choice.js';
import { requireFolder } from '../../lock/plain-folder.js';
import { asHomeTrouble, prepareHome } from '../../platform/home-folder.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { formatTable, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { readSettingFlags, SETTING_OPTIONS } from '../options.js';
import { printAnswer, printJson, printLines } from '../output.js';
import { findRunningDaemon, remoteOf } from '../running-daemon.js';
import { didYouMean } from '../usage-error.js';

const RUNNING =
  'These settings apply to the next start. The running svcd keeps those it was started with: see "svcd status".';

const configGroup: GroupBody = {
  otherwise: 'show',
  commands: [
    command('show', 'Show every setting and where its value comes from.', {
      // All flags of "start", to show what a start with them would use.
      options: SETTING_OPTIONS,
      examples: [
        'svcd config # every setting, its value and its source',
        'svcd config show --sandbox --json # the settings that "svcd start --sandbox" would use',
      ],
      run: show,
    }),
    command('set <name> <value>', 'Write a setting to config.json.', {
      examples: [
        'svcd config set remote https://assets.example.com # use this service from the next start on',
        'svcd config set deadlineMs 3000 # wait less long for the service',
        'svcd config set folder ~/Videos/stickers # where the page puts files, for your editing program',
      ],
      run: async (input) =>
        printAnswer(input, await write(input, input.word('value')), ({ name, value, ...uses }) => [
          `${name} is ${sanitize(value ?? 'none')} from ${begins(name)} on.`,
          ...describeUses(uses),
        ]),
    }),
    command('unset <name>', 'Remove a setting from config.json.', {
      examples: ['svcd config unset remote # use the default again'],
      run: async (input) =>
        printAnswer(input, await write(input, undefined), ({ name, ...uses }) => [
          `${name} is not in config.json from ${begins(name)} on.`,
          ...describeUses(uses),
        ]),
    }),
    command('path', 'Print the path of config.json.', {
      examples: ['$EDITOR "$(svcd config path)" # edit the settings by hand'],
      run: async (input) => printAnswer(input, { path: join(await input.home(), 'config.json') }, ({ path }) => path),
    }),
  ],
};

export const bodies: Bodies = { config: configGroup };

/** The one setting that a running svcd reads again. */
function begins(name: string): string {
  return name === 'folder' ? 'now' : 'the next start';
}

async function show(input: Input): Promise<void> {
  const settled = await settleSettings(readSettingFlags(input));
  if (input.json) {
    return printJson(
      Object.fromEntries(settled.map(({ setting, value, from }) => [setting.name, { value: value ?? null, from }])),
    );
  }
  const rows = settled.map((one) => [one.setting.name, sanitize(valueOf(one)), sourceOf(one)]);
  const home = String(settled.find(({ setting }) => setting.name === 'home')?.value);
  // Settings are shown even when the daemon does not answer.
  const running = await findRunningDaemon(home).catch(() => undefined);
  return printLines(...formatTable(rows), ...(running === undefined ? [] : ['', RUNNING]));
}

async function write(input: Input, value: string | undefined): Promise<Written & Partial<Uses>> {
  const home = await input.home();
  const name = getFileName(input.word('name'));
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
    ...(next === undefined ? [] : [`This home uses ${nameRemote(next)} then.`]),
    ...(now === undefined || now === null || now === next
      ? []
      : [`The running svcd keeps ${nameRemote(now)} until "svcd stop".`]),
  ];
}

/** The name in config.json of a setting called by that name or as a flag. Throws `invalid_argument`. */
function getFileName(typed: string): string {
  const setting = SETTINGS.find(({ name, flag }) => name === typed || flag === typed);
  if (setting?.file !== undefined) return setting.file;
  if (setting !== undefined) {
    const message = `${typed} cannot be set in config.json, which is inside it`;
    throw invalidArgument(message, `Use --${setting.flag} or ${setting.env}.`);
  }
  const known = SETTINGS.flatMap(({ file }) => file ?? []);
  const named = looksLikeKey(typed) ? 'of that name, which looks like a Key' : JSON.stringify(typed);
  const message = `there is no setting ${named}${didYouMean(typed, known)}`;
  throw invalidArgument(message, `Settings: ${known.join(', ')}.`);
}

function valueOf({ setting, value }: SettledSetting): string {
  if (value !== undefined) return String(value);
  if (setting.name !== 'timeZone') return 'none';
  return `${new Intl.DateTimeFormat().resolvedOptions().timeZone} (the system's)`;
}

function sourceOf({ setting, from, endedBy }: SettledSetting): string {
  if (endedBy !== undefined) return `because there is a ${endedBy}`;
  if (from === 'environment') return `from ${setting.env}`;
  if (from === 'flag') return `from --${setting.flag}`;
  if (from === 'file') return 'from config.json';
  return from === 'last_used' ? 'as this home was last used' : 'default';
}
