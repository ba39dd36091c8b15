// runtime.json, by which commands and programs find the daemon of a home. The client has this file too: it loads no more of
// svcd than it must.

import { randomBytes } from 'node:crypto';
import { existsSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { TOKEN_PREFIX } from '../../model/spender.js';
import { replaceFile } from './files.js';
import { isAlive } from './process-alive.js';

/** What runtime.json says of the daemon on a home. */
export interface Runtime {
  /** Null after a clean stop. */
  readonly pid: number | null;
  readonly url: string;
  /** The local token; it outlives a restart, so that clients keep working. */
  readonly token: string;
  /** The sandbox it runs inside, and the token of its control surface. */
  readonly sandbox?: { readonly url: string; readonly token: string };
  /** Where machines come in, of a hub; it outlives a restart too. */
  readonly hub?: { readonly url: string };
  /** How it was started; undefined after a clean stop, and of a version that did not say. */
  readonly launch?: Launch;
}

/** How a daemon was started, as far as another start in its place needs to know. */
export interface Launch {
  readonly by: 'terminal' | 'background' | 'service';
  /** The service manager and its name for the service; set for a service. */
  readonly manager?: string;
  readonly unit?: string;
  /** Settings that no file of the home tells, by flag. */
  readonly flags: Readonly<Record<string, string | boolean>>;
  /** Variables of the environment with further ones, whose values hold a password and are not written down. */
  readonly inherits?: readonly string[];
}

const RUNTIME = 'runtime.json';
/** With what the name of a copy begins (home-copy.ts). */
export const COPY_MARK = 'home-copy';

/**
 * The daemon of this home (by another `name`: the sandbox alone) as its file tells; undefined without a readable one. While
 * a daemon serves the home from a copy, that is the one.
 */
export function findRuntime(home: string, name = RUNTIME): Runtime | undefined {
  try {
    const folder = name === RUNTIME ? (findHomeCopy(home) ?? home) : home;
    const value = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Partial<Runtime>;
    const { pid = null, url, token, sandbox, hub, launch } = value;
    if (typeof url !== 'string' || typeof token !== 'string') return undefined;
    return {
      pid: typeof pid === 'number' ? pid : null,
      url,
      token,
      ...(sandbox !== undefined && { sandbox }),
      ...(typeof hub?.url === 'string' && { hub }),
      ...(typeof launch?.flags === 'object' && launch.flags !== null && { launch }),
    };
  } catch {
    // Missing, or damaged by another program: as if no daemon had run.
    return undefined;
  }
}

/**
 * The same while its process lives, which is of the user whose file it is or of root: another user may have got the number of one
 * that was killed, and its port. What answers there has to prove that it is that process (client/is-itself.ts).
 */
export function findLiving(home: string): (Runtime & { readonly pid: number }) | undefined {
  const runtime = findRuntime(home);
  const pid = runtime?.pid ?? undefined;
  return runtime !== undefined && pid !== undefined && isAlive(pid) && !isForeign(pid, join(home, RUNTIME))
    ? { ...runtime, pid }
    : undefined;
}

/** Whether a process is another user's than a file, as far as the system says. */
function isForeign(pid: number, file: string): boolean {
  const [owner, writer] = [`/proc/${pid}`, file].map((path) => statSync(path, { throwIfNoEntry: false })?.uid);
  return owner !== undefined && owner !== 0 && writer !== undefined && owner !== writer;
}

/** The home of a user who names none. Throws what `folder` throws, which may not know the user. */
export function usualHome(
  { XDG_DATA_HOME, LOCALAPPDATA }: Readonly<Record<string, string | undefined>>,
  folder: () => string = homedir,
): string {
  if (process.platform === 'darwin') return join(folder(), 'Library', 'Application Support', 'svcd');
  if (process.platform === 'win32') return join(LOCALAPPDATA || join(folder(), 'AppData', 'Local'), 'svcd', 'Data');
  return join(XDG_DATA_HOME || join(folder(), '.local', 'share'), 'svcd');
}

/** A new local token with 192 random bits. */
export function newToken(): string {
  return TOKEN_PREFIX + randomBytes(24).toString('base64url');
}

/** Writes the file that findRuntime reads. */
export function writeRuntime(home: string, runtime: Runtime, name = RUNTIME): void {
  const file = join(home, name);
  replaceFile(file, `${JSON.stringify(runtime, null, 2)}\n`);
}

/** Where the daemon that serves a home from a copy has it; undefined when none does. */
export function findHomeCopy(home: string): string | undefined {
  // A copy is not itself copied.
  if (basename(home).startsWith(COPY_MARK)) return undefined;
  return copyPlaces(home).find((place) => isOwnFolder(place) && existsSync(join(place, 'runtime.json')));
}

/** The same for every process of the user: a command finds the daemon by it. */
export function copyPlaces(home: string): string[] {
  const name = `${COPY_MARK}-${process.getuid?.() ?? 0}-${shortHash(home)}`;
  const folders = process.platform === 'win32' ? [tmpdir()] : ['/tmp', tmpdir(), '/dev/shm'];
  return [...new Set(folders)].filter((folder) => existsSync(folder)).map((folder) => join(folder, name));
}

/** 64 bits of FNV: every command asks for it, and loading a digest takes it 5 ms. */
function shortHash(text: string): string {
  let [low, high] = [0x811c9dc5, 0xcbf29ce4];
  for (const byte of Buffer.from(text)) {
    low = Math.imul(low ^ byte, 0x01000193);
    high = Math.imul(high ^ byte ^ (low >>> 16), 0x01000193);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

/** Whether a folder is there, no link, and nobody else's. */
export function isOwnFolder(path: string): boolean {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined || !stat.isDirectory()) return false;
  return process.getuid === undefined || (stat.uid === process.getuid() && (stat.mode & 0o077) === 0);
}
