// The folder of the user who runs svcd. There may be none: a container runs as any number, without HOME.

import { homedir } from 'node:os';
import { SvcdError } from '../../model/errors.js';
import { NO_HOME } from './safe-home.js';

/** Throws `invalid_config` for a user whom the system does not know. */
export function userFolder(): string {
  try {
    return homedir();
  } catch (cause) {
    const who = `user ${process.getuid?.() ?? ''}`.trim();
    const message = `HOME is not set, and the system knows no home folder of ${who}`;
    throw new SvcdError('invalid_config', message, { cause, hint: NO_HOME });
  }
}

/** A text with ~ in its place: for what is shown to others. */
export function hideUserFolder(text: string): string {
  try {
    return text.replaceAll(userFolder(), '~');
  } catch {
    return text;
  }
}
