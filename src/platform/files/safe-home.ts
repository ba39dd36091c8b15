// Whether a home folder is the caller's alone: the one who can write config.json in it chooses where the Key is sent.
// Windows has other rights than these bits; a user's folders are private there.

import { existsSync, readdirSync, statSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join } from 'node:path';
import { type ErrorCode, SvcdError, systemCode } from '../../model/errors.js';
import { shellWord } from './shell-word.js';

/** What a user does whose home cannot be found, or not be used. */
export const NO_HOME = 'Give a folder with --home DIR, or set SVCD_HOME to an absolute path.';

/** `path` itself; throws `invalid_config` for a folder that a variable names and that depends on the current folder. */
export function requireAbsolute(path: string, variables: Readonly<Record<string, string | undefined>>): string {
  if (isAbsolute(path)) return path;
  const [name, value] = Object.entries(variables).find(([, one]) => one !== undefined && !isAbsolute(one)) ?? [];
  const what = name === undefined ? 'the home folder' : `${name}=${JSON.stringify(value)}`;
  const why = `${what} is not an absolute path: settings would come from the current folder`;
  throw new SvcdError('invalid_config', why, { hint: NO_HOME });
}

/**
 * Throws `invalid_config` for a home that is no folder, that is another user's, or that other users can write in, and for such a file of
 * settings in it. What cannot be looked at is left to whoever opens it.
 */
export function requireSafeHome(home: string): void {
  const uid = process.getuid?.();
  if (uid === undefined) return;
  const folder = statOf(home);
  if (folder === undefined) refuseClosed(home);
  if (folder === undefined) return requireOwnParent(home, uid);
  // Root, too, obeys the owner of the folder: that user names the remote, and puts links where root writes.
  if (folder.uid !== uid) throw foreign(`the home folder ${home}`, folder.uid, uid, home, 'home_not_writable');
  if (!folder.isDirectory()) {
    throw new SvcdError('invalid_config', `the home ${home} is not a folder`, { hint: NO_HOME });
  }
  // An empty one too: it may be there for others (a second /tmp), who would find it closed.
  if (canOthersWrite(folder)) throw writable(`the home folder ${home}`, folder, `chmod 700 ${home}`);
  for (const name of readdirSync(home).filter((one) => one.endsWith('.json'))) {
    const path = join(home, name);
    const file = statOf(path);
    if (file === undefined) continue;
    if (file.uid !== uid && file.uid !== 0) throw foreign(path, file.uid, uid, path);
    if (canOthersWrite(file)) throw writable(path, file, `chmod 600 ${path}`);
  }
}

/** Root makes no folders where another user's links may lead anywhere. */
function requireOwnParent(home: string, uid: number): void {
  if (uid !== 0) return;
  let above = dirname(home);
  while (statOf(above) === undefined && dirname(above) !== above) above = dirname(above);
  const owner = statOf(above)?.uid ?? 0;
  if (owner !== 0)
    throw foreign(`${above}, where the home folder ${home} would be made,`, owner, uid, above, 'home_not_writable');
}

/** A group that is the caller's alone counts as the caller: that is how Debian and others set up their users. */
function canOthersWrite({ mode, gid }: Stats): boolean {
  const isPrivateGroup = gid === process.getgid?.() && gid === process.getuid?.();
  return (mode & 0o002) !== 0 || ((mode & 0o020) !== 0 && !isPrivateGroup);
}

function foreign(
  what: string,
  owner: number,
  uid: number,
  path: string,
  code: ErrorCode = 'invalid_config',
): SvcdError {
  return new SvcdError(code, `${what} belongs to user ${owner}, and you are user ${uid}`, {
    hint: `Run svcd as that user, give a folder of yours with --home DIR, or make it yours: chown -R ${uid} ${shellWord(path)}`,
  });
}

function writable(what: string, { mode }: Stats, command: string): SvcdError {
  const bits = (mode & 0o7777).toString(8);
  return new SvcdError('invalid_config', `${what} can be written by other users (mode ${bits})`, {
    hint: `Check that nobody changed its files, because they decide where your Key is sent. Then run: ${command}`,
  });
}

/** What lies in a folder that this user may not look into is not the same as nothing. */
function refuseClosed(home: string): void {
  try {
    statSync(home);
  } catch (cause) {
    if (systemCode(cause) !== 'EACCES') return;
    throw new SvcdError('home_not_writable', `the home folder ${home} is closed to this user (EACCES)`, {
      hint: NO_HOME,
    });
  }
}

/** Undefined for what is not there, or may not be looked at. */
export function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined;
  }
}

/** What svcd, or its user for svcd, puts into a home. */
const OUR_NAME = /^(?:(?:library|owned|sandbox|daemon|svcd)[-.]|(?:runtime|config|origins|synonyms|last-used)\.)/;

/** What svcd itself writes in a home, and goes on using. */
const KEPT_NAME =
  /^(?:(?:library|owned|sandbox)\.db.*|owned\.mark|(?:daemon|start|sandbox)\.lock.*|svcd\.(?:log|err).*|(?:(?:sandbox-)?runtime|config|origins|last-used)\.json.*)$/i;

/** Whether a path is that of a file svcd keeps in a home, this one or another: the locks and marks show a home. */
export function isKeptFile(path: string, home?: string): boolean {
  const isHome = (folder: string) =>
    (home !== undefined && isSame(folder, home)) ||
    ['daemon.lock', 'owned.mark'].some((name) => existsSync(join(folder, name)));
  const folder = dirname(path);
  return basename(folder) === 'reports' ? isHome(dirname(folder)) : KEPT_NAME.test(basename(path)) && isHome(folder);
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [statOf(one), statOf(other)];
  return a !== undefined && b !== undefined && a.dev === b.dev && a.ino === b.ino;
}

/** Whether a folder may be made private: it is empty, or holds nothing but svcd's own files. */
export function isOurs(folder: string): boolean {
  return readdirSync(folder).every((name) => OUR_NAME.test(name));
}
