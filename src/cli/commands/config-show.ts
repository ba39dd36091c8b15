// svcd config show

import { settleSettings, type SettledSetting } from '../../config/config.js';
import type { Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';
import { findRunningDaemon } from '../running-daemon.js';
import { readSettingFlags, SETTING_OPTIONS } from '../setting-options.js';
import { layOut } from '../table.js';

export const configShowCommand: Command = {
  // All flags of "start", so that one can see what a start with them would use.
  options: SETTING_OPTIONS,
  examples: [
    ['svcd config', 'every setting, its value and who set it'],
    ['svcd config show --sandbox --json', 'the same as "svcd start --sandbox" would see it'],
  ],
  run: async (input) => {
    const settled = await settleSettings(readSettingFlags(input));
    if (input.json) return printJson(Object.fromEntries(settled.map(asEntry)));
    const rows = settled.map((one) => [one.setting.name, plain(valueOf(one)), originOf(one)]);
    const home = String(settled.find(({ setting }) => setting.name === 'home')?.value);
    // A daemon that does not answer is no reason to show no settings.
    const running = await findRunningDaemon(home).catch(() => undefined);
    const note = running === undefined ? [] : ['', RUNNING];
    return printLines(...layOut(rows), ...note);
  },
};

const RUNNING =
  'These are for the next start. svcd runs now with what it was started with: "svcd status" shows that.';

function valueOf({ setting, value }: SettledSetting): string {
  if (value !== undefined) return String(value);
  return setting.name === 'timeZone' ? `${systemTimeZone()} (the system's)` : 'none';
}

function systemTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function asEntry({ setting, value, from }: SettledSetting) {
  return [setting.name, { value: value ?? null, from }] as const;
}

function originOf({ setting, from }: SettledSetting): string {
  if (from === 'environment') return `from ${setting.env}`;
  if (from === 'flag') return `from --${setting.flag}`;
  return from === 'file' ? 'from config.json' : 'default';
}
