// A command and a daemon of different svcd: said once by each command, on stderr.

import type { DaemonStatus } from '../../api/answers.js';
import { compareVersions } from '../../platform/compare-versions.js';
import { buildOf, VERSION } from '../../platform/installation.js';
import { sanitize } from '../terminal/format.js';
import { printNote } from '../terminal/output.js';
import { connectionWords } from './words.js';

let isSaid = false;

/** Says that the daemon is of another version than this command, or another build of it. */
export function noteOtherVersion(running: Partial<Pick<DaemonStatus, 'version'>> & { readonly build?: string }): void {
  const note = isSaid ? undefined : describeOther(running, { version: VERSION, build: buildOf() });
  if (note === undefined) return;
  isSaid = true;
  printNote(sanitize(note));
}

/** The same as a sentence; undefined when both are the same. A daemon of 0.1.0 names no build. */
export function describeOther(
  running: { readonly version?: string; readonly build?: string },
  own: { readonly version: string; readonly build: string },
): string | undefined {
  const words = connectionWords();
  if (running.version === undefined) return undefined;
  if (running.version !== own.version) {
    const isNewer = compareVersions(own.version, running.version) > 0;
    return isNewer
      ? words.commandNewer(own.version, running.version)
      : words.commandOlder(own.version, running.version);
  }
  return running.build === own.build ? undefined : words.otherBuild(own.version);
}
