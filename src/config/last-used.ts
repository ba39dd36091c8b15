// last-used.json in the home folder: the remote that `svcd start` was last told to use by a flag or the environment.
// Every later command and start uses it too, unless config.json, the environment or a flag names another.

import { join } from 'node:path';
import { replaceFile } from '../platform/files/files.js';
import { findRuntime } from '../platform/files/runtime-file.js';
import { isRecord } from '../platform/json.js';
import { readJsonFile, unusableFile, type JsonFile } from './json-file.js';

/** The sandbox inside svcd, as a remote. An address is never this word. */
export const SANDBOX = 'sandbox';

/** `sandbox` or an address, not checked yet; undefined when nothing is remembered. Throws `invalid_config`. */
export function readLastUsed(home: string): string | undefined {
  const file = fileIn(home);
  const held = readJsonFile(file);
  // svcd 0.1.0 wrote no such file, but noted in runtime.json the sandbox that its last daemon ran.
  if (held === undefined) return findRuntime(home)?.sandbox === undefined ? undefined : SANDBOX;
  const value = isRecord(held) ? held['remote'] : undefined;
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  throw unusableFile(file, 'it must hold {"remote": "sandbox"}, an address or null');
}

/** Remembers `sandbox` or an address; undefined forgets. Throws the system's error. */
export function writeLastUsed(home: string, remote: string | undefined): void {
  replaceFile(fileIn(home).path, `${JSON.stringify({ remote: remote ?? null })}\n`);
}

function fileIn(home: string): JsonFile {
  return {
    path: join(home, 'last-used.json'),
    hint: 'Remove it; then "svcd start --sandbox" or "svcd start --remote https://…" writes a new one.',
  };
}
