// The user's own synonyms, synonyms.txt in the home: read, and followed while the daemon runs. What a line means is
// language/synonym-table.ts.

import { unwatchFile, watchFile, type Stats } from 'node:fs';
import { join } from 'node:path';
import { systemCode } from '../model/errors.js';
import { readForeignFile } from '../platform/files/foreign-file.js';
import type { Log } from '../platform/log.js';
import { readSynonymTable } from './language/synonym-table.js';

const LOOK_EVERY_MS = 1000;
/** A hundred times what is written by hand; more would hold up the answers while it is read. */
export const SYNONYMS_MAX_BYTES = 256 * 1024;
const MAX_PROBLEMS_LOGGED = 5;

/** Where the user's synonyms are, or would be. */
export function userSynonymsPath(home: string): string {
  return join(home, 'synonyms.txt');
}

/** The user's table, empty when there is none; what is wrong with it is logged, and only the sound lines count. */
export function readUserSynonyms(home: string, log: Log): string {
  const file = userSynonymsPath(home);
  try {
    const text = readForeignFile(file, SYNONYMS_MAX_BYTES).toString('utf8');
    tellProblems(text, file, log);
    return text;
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') log.warn('synonyms ignored', { file, reason: (error as Error).message });
    return '';
  }
}

/** Calls back after the user's table was written, made or removed, within about a second; returns how to stop. */
export function followUserSynonyms(home: string, onChange: () => void): () => void {
  const file = userSynonymsPath(home);
  const listener = (now: Stats, before: Stats) => {
    if (now.mtimeMs !== before.mtimeMs || now.size !== before.size || now.ino !== before.ino) onChange();
  };
  // Looks by itself, off the request path, and where events of the file system do not reach.
  watchFile(file, { interval: LOOK_EVERY_MS, persistent: false }, listener);
  return () => unwatchFile(file, listener);
}

function tellProblems(text: string, file: string, log: Log): void {
  const { entries, problems } = readSynonymTable(text);
  for (const { line, what } of problems.slice(0, MAX_PROBLEMS_LOGGED)) {
    log.warn('synonym line passed over', { file, line, reason: what });
  }
  log.info('synonyms read', { file, entries: entries.length, passedOver: problems.length });
}
