// What the system shall start at login: this Node, this svcd, one home, and the settings that were typed.

import { createHash } from 'node:crypto';
import { existsSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findHome } from '../../config/find-home.js';
import { INSTALLATION, VERSION } from '../../platform/installation.js';
import { parseJson } from '../../platform/json.js';

/** Never a Key, a token or a part of the environment: other users may read what the system keeps. */
export interface Definition {
  /** The same on every platform: `svcd`, or `svcd-NAME-HASH` for another home than the usual one. */
  readonly name: string;
  readonly home: string;
  readonly node: string;
  readonly script: string;
  /** Settings as arguments of `svcd start`, such as `--port=7900`. */
  readonly flags: readonly string[];
  /** Of the svcd that wrote it. */
  readonly version: string;
}

/** The path that systemd fills in, when a unit has credentials (systemd.exec, LoadCredential). */
export const CREDENTIALS = '${CREDENTIALS_DIRECTORY}';

/** What this svcd would write for a home. */
export async function define(home: string, flags: readonly string[]): Promise<Definition> {
  return {
    name: await nameFor(home),
    home,
    node: process.execPath,
    script: fileURLToPath(new URL('bin/svcd.js', INSTALLATION)),
    flags,
    version: VERSION,
  };
}

/**
 * A name for each home, so that several can have a service. Its own folder's name is in it, for people; the hash tells
 * apart homes whose folders are named alike.
 */
export async function nameFor(home: string): Promise<string> {
  const [own, usual] = [realOf(home), realOf(await findHome({}, {}).catch(() => ''))];
  if (own === usual) return 'svcd';
  const readable = basename(own)
    .replaceAll(/[^A-Za-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '')
    .slice(0, 24)
    .toLowerCase();
  const hash = createHash('sha256').update(own).digest('hex').slice(0, 8);
  return ['svcd', readable, hash].filter((part) => part !== '').join('-');
}

/** The program and its arguments. */
export function commandOf({ node, script, home, flags }: Definition): string[] {
  return [node, script, 'start', `--home=${home}`, ...flags];
}

/** One line that the file of a service carries, from which it can be written again. */
export function recordOf({ home, node, script, flags, version }: Definition): string {
  return JSON.stringify({ home, node, script, flags, version });
}

/** Reads it; undefined for what is no record. */
export function readRecord(name: string, line: string | undefined): Definition | undefined {
  const { home, node, script, flags, version } = (parseJson(Buffer.from(line ?? '')) ?? {}) as Partial<Definition>;
  if (![home, node, script, version].every((one) => typeof one === 'string') || !Array.isArray(flags)) return undefined;
  return { name, home, node, script, flags, version } as Definition;
}

/** Settings that were typed, over those of before; a flag's last value counts. */
export function mergeFlags(before: readonly string[], typed: readonly string[]): string[] {
  const byName = new Map([...before, ...typed].map((flag) => [flag.split('=', 1)[0], flag]));
  return [...byName.values()];
}

function realOf(path: string): string {
  return existsSync(path) ? realpathSync(path) : path;
}
