// What the commands of a video are given: the copy, the template package, and how what happens is told.

import type { Connect } from '../../video/apply/asker.js';
import { readCopy, type NamedCopy } from '../../video/apply/read-copy.js';
import { openPackage, type TemplatePackage } from '../../video/template/open-package.js';
import { switchOption, textOption } from '../command.js';
import { withClient } from '../connection/client.js';
import type { Input } from '../terminal/input.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { readStdinBytes } from '../terminal/terminal-input.js';
import { TELLING } from './telling.js';
import { videoWords } from './words.js';

const words = videoWords();

export const COPY_OPTIONS = {
  copy: textOption(words.copy),
  'changed-on-purpose': switchOption(words.changedOnPurpose),
};

/** The name of the file of copy. Throws `invalid_argument`. */
export function copyFileIn(input: Input, command: string): string {
  const file = input.text('copy');
  if (file === undefined) throw invalidArgument(words.copyMissing, words.copyMissingHint(command));
  return file;
}

/** The copy and the package that were named. Throws `invalid_argument`, and what opening a package throws. */
export async function readInput(
  input: Input,
  command: string,
): Promise<{ named: NamedCopy; template: TemplatePackage | undefined }> {
  const named = await readCopy(copyFileIn(input, command), () => readStdinBytes(words.theCopy), TELLING.words);
  const path = input.findWord('package');
  const changedOnPurpose = input.flag('changed-on-purpose') ?? false;
  const options = { changedOnPurpose, command: `svcd ${command}` };
  return { named, template: path === undefined ? undefined : await openPackage(path, options) };
}

/** Asks the daemon, or the same app in this process. */
export function connectFor(input: Input, spends: boolean): Connect {
  return (work) => withClient({ ...input, spends }, work);
}
