// A setting as people may call it: by its name in config.json, or as the flag.

import { SETTINGS } from '../config/config.js';
import { SvcdError } from '../model/errors.js';
import { findNearest } from './nearest.js';

/** The name in config.json of a setting. Throws `invalid_argument` for one that is unknown or cannot stand there. */
export function getFileName(typed: string): string {
  const setting = SETTINGS.find(({ name, flag }) => name === typed || flag === typed);
  if (setting?.file !== undefined) return setting.file;
  if (setting !== undefined) {
    const message = `${typed} cannot be set in config.json, which lies in it`;
    throw new SvcdError('invalid_argument', message, { hint: `Use --${setting.flag} or ${setting.env}.` });
  }
  const known = SETTINGS.flatMap(({ file }) => file ?? []);
  const nearest = findNearest(typed, known);
  const meant = nearest === undefined ? '' : `; did you mean ${nearest}?`;
  throw new SvcdError('invalid_argument', `there is no setting ${JSON.stringify(typed)}${meant}`, {
    hint: `Settings: ${known.join(', ')}.`,
  });
}
