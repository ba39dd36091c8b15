// svcd key remove

import { findHome, loadConfig, writeSetting } from '../../config/config.js';
import { removeKeyFile } from '../../auth/key-file.js';
import { createKeychain } from '../../auth/keychain.js';
import type { KeyReport } from '../../auth/user-key.js';
import type { Command } from '../command.js';
import { findKeyFile, getAccount, KEY_OPTIONS, refreshDaemon } from '../keep-key.js';
import { describeKeySource } from '../describe-key.js';
import { printJson, printLines } from '../output.js';

export const keyRemoveCommand: Command = {
  options: {
    ...KEY_OPTIONS,
    'key-file': { type: 'string', requiresArg: true, describe: 'Remove this key file instead.' },
  },
  examples: [
    ['svcd key remove', 'forget the Key of the configured remote'],
    ['svcd key remove --key-file ~/.config/service.key', 'remove a key file'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const path = findKeyFile(input);
    const account = path === undefined ? await getAccount(input, home) : undefined;
    const removed = path === undefined ? await removeEntry(account ?? '') : await removeFile(home, path);
    const daemon = await refreshDaemon(home);
    if (input.json) return printJson({ removed, account: account ?? null, path: path ?? null, daemon });
    const where = path ?? `the OS keychain, for ${account}`;
    const told = removed ? `The Key was removed from ${where}.` : `There was no Key in ${where}.`;
    return printLines(told, ...stillUsed(daemon));
  },
};

async function removeEntry(account: string): Promise<boolean> {
  return createKeychain().remove(account);
}

async function removeFile(home: string, path: string): Promise<boolean> {
  const removed = await removeKeyFile(path);
  const { keyFile } = await loadConfig({ home });
  if (keyFile === path) writeSetting(home, 'keyFile', undefined);
  return removed;
}

function stillUsed(daemon: KeyReport | null): string[] {
  if (daemon === null) return [];
  if (daemon.source === 'none')
    return ['The running daemon has no Key any more: what is owned is served still.'];
  return [`The running daemon has another one, ${describeKeySource(daemon.source)}.`];
}
