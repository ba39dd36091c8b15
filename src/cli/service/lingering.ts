// Lingering: systemd starts a user's services at boot, and not at the first login (loginctl enable-linger). It holds for
// the user and not for one service, so a note outside of the homes says that svcd switched it on, and for which.

import { readFileSync, rmSync } from 'node:fs';
import { userInfo } from 'node:os';
import { dirname } from 'node:path';
import { lingerNote } from '../../config/user-session.js';
import { makeFolder, replaceFile } from '../../platform/files/files.js';
import { parseJson } from '../../platform/json.js';
import { serviceWords } from './words.js';
import { managerFailed, removeEmpty, withFile } from './failure.js';
import { complaintOf, runTool } from './run-tool.js';

/** What became of it: nothing was asked, it was on before, or svcd switched it on or off. */
export type LingerChange = 'none' | 'was_on' | 'switched_on' | 'switched_off';

/** Whether this user's services start at boot; false where nobody can be asked. */
export async function lingers(): Promise<boolean> {
  const end = await runTool('loginctl', ['show-user', userInfo().username, '--property=Linger', '--value']);
  return end.code === 0 && end.stdout.trim() === 'yes';
}

/** Switches it on for a service. Throws `service_manager_failed`. */
export async function linger(name: string): Promise<LingerChange> {
  const ours = readNote();
  const isOn = await lingers();
  if (isOn && ours.length === 0) return 'was_on';
  // Before it is done: a note too many is harmless, switching on without one could not be undone.
  await writeNote([...new Set([...ours, name])]);
  if (isOn) return 'was_on';
  try {
    await loginctl('enable-linger');
  } catch (error) {
    await writeNote(ours);
    throw error;
  }
  return 'switched_on';
}

/** Switches it off when svcd switched it on and no other service of svcd needs it. Throws `service_manager_failed`. */
export async function endLingering(name: string): Promise<LingerChange> {
  const ours = readNote();
  if (!ours.includes(name)) return 'none';
  const rest = ours.filter((one) => one !== name);
  if (rest.length === 0 && (await lingers())) {
    await loginctl('disable-linger');
    await writeNote(rest);
    return 'switched_off';
  }
  await writeNote(rest);
  return 'none';
}

function readNote(): string[] {
  try {
    const names = parseJson(readFileSync(lingerNote()));
    return Array.isArray(names) ? names.filter((one) => typeof one === 'string') : [];
  } catch {
    return [];
  }
}

async function writeNote(names: readonly string[]): Promise<void> {
  const file = lingerNote();
  await withFile(file, () => {
    if (names.length === 0) {
      rmSync(file, { force: true });
      return removeEmpty(dirname(file));
    }
    makeFolder(dirname(file));
    replaceFile(file, `${JSON.stringify(names)}\n`);
  });
}

async function loginctl(change: string): Promise<void> {
  // The user is named: without a session of the caller loginctl would not know which one is meant.
  const args = [change, userInfo().username];
  const end = await runTool('loginctl', args);
  if (end.code === 0) return;
  const command = `loginctl ${args.join(' ')}`;
  throw managerFailed(serviceWords().lingerFailed(command, complaintOf(end)), serviceWords().lingerHint(command));
}
