// last-used.json in the home folder: the remote that `svcd start` was last told to use by a flag or the environment.
// Every later command and start uses it too, unless config.json, the environment or a flag names another.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';
import { replaceFile } from '../platform/files.js';
import { findRuntime } from '../platform/home-folder.js';

/** The sandbox inside svcd, as a remote. An address is never this word. */
export const SANDBOX = 'sandbox';

/** `sandbox` or an address, not checked yet; undefined when nothing is remembered. Throws `invalid_config`. */
export function readLastUsed(home: string): string | undefined {
  const file = fileIn(home);
  const text = readText(file);
  // svcd 0.1.0 wrote no such file, but noted in runtime.json the sandbox that its last daemon ran.
  if (text === undefined) return findRuntime(home)?.sandbox === undefined ? undefined : SANDBOX;
  const value = parse(text, file);
  if (value === null) return undefined;
  if (typeof value === 'string') return value;
  throw unusable(file, 'it must hold {"remote": "sandbox"}, an address or null');
}

/** Remembers `sandbox` or an address; undefined forgets. Throws the system's error. */
export function writeLastUsed(home: string, remote: string | undefined): void {
  replaceFile(fileIn(home), `${JSON.stringify({ remote: remote ?? null })}\n`);
}

function readText(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw unusable(file, `it cannot be read (${code ?? 'unknown'})`, cause);
  }
}

function parse(text: string, file: string): unknown {
  try {
    return (JSON.parse(text) as { remote?: unknown } | null)?.remote;
  } catch (cause) {
    throw unusable(file, 'it is not valid JSON', cause);
  }
}

function unusable(file: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_config', `${file}: ${why}`, {
    cause,
    hint: 'Remove it; then "svcd start --sandbox" or "svcd start --remote https://…" writes it anew.',
  });
}

function fileIn(home: string): string {
  return join(home, 'last-used.json');
}
