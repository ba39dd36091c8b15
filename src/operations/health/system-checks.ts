// What svcd stands on: Node.js, SQLite, the PATH, the daemon and its port, the limits of the system, a proxy. Looked at by
// the doctor alone, in a process of its own: it is about the shell of the user, and some of it may hang.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { settleSettings } from '../../config/config.js';
import { hidePassword } from '../../config/parse-setting.js';
import { findProxies, type NamedProxy, programFolders } from '../../config/setting-faults.js';
import { isSvcdError, systemCode } from '../../model/errors.js';
import { compareVersions } from '../../platform/compare-versions.js';
import { findListener, isStopped, openFileLimit } from '../../platform/files/find-process.js';
import { findRuntime } from '../../platform/files/runtime-file.js';
import { INSTALLATION, VERSION } from '../../platform/installation.js';
import { parseJsonRecord } from '../../platform/json.js';
import { openDatabase } from '../../platform/open-database.js';
import { bad, ok, type Told, warn } from './finding.js';
import { shellWord } from '../../platform/files/shell-word.js';
import type { SystemPlace } from './place.js';

const HIGHEST_PORT = 65_535;
const MIB = 1024 * 1024;
const ENOUGH_FILES = 1024;
const ENOUGH_MEMORY = 512 * MIB;
/** What a start with the largest library takes, and some. */
const ENOUGH_HEAP = 256 * MIB;

/** The Node.js that runs this; bin/svcd.js refuses an older one than svcd needs. */
export function checkNode(): Told {
  const { node, modules } = process.versions;
  return ok('node_ok', [node, process.platform, process.arch, modules]);
}

/** Whether better-sqlite3 can be loaded and used. */
export function checkSqlite(): Told {
  try {
    const db = openDatabase(':memory:', { migrations: [], durability: 'normal' });
    const version = db.prepare<[], { version: string }>('SELECT sqlite_version() AS version').get()?.version ?? '';
    db.close();
    return ok('sqlite_ok', [version]);
  } catch (error) {
    if (!isSvcdError(error, 'unsupported_platform')) throw error;
    const hint = error.hint ?? '';
    return bad('sqlite_missing', [error.message, hint], /"(npm [^"]+)"/.exec(hint)?.[1]);
  }
}

interface InstalledSvcd {
  /** As the shell finds it. */
  readonly file: string;
  readonly real: string;
  readonly version: string;
}

/** Which svcd a shell runs, and whether another one is behind it. */
export function checkPath(): Told {
  const own = fileURLToPath(new URL('bin/svcd.js', INSTALLATION));
  const found = findInstalled();
  const [first] = found;
  if (first === undefined) return ok('path_none', [own]);
  const other = found.find(({ real }) => real !== first.real);
  if (other === undefined) return ok('path_ok', [first.file, first.version]);
  // The one to go is the older one; of equal ones that which nobody runs.
  const surplus = compareVersions(other.version, first.version) > 0 ? first : other;
  return warn('path_twice', [first.file, first.version, other.file, other.version], removalOf(surplus));
}

function findInstalled(): InstalledSvcd[] {
  const name = process.platform === 'win32' ? 'svcd.cmd' : 'svcd';
  return programFolders()
    .map((folder) => join(folder, name))
    .filter((file) => existsSync(file))
    .map((file) => {
      const real = realpathSync(file);
      return { file, real, version: versionAt(real) };
    });
}

/** Of the package that a program belongs to; npm's link leads into its `bin`. */
function versionAt(real: string): string {
  for (let folder = dirname(real); dirname(folder) !== folder; folder = dirname(folder)) {
    const manifest = join(folder, 'package.json');
    if (!existsSync(manifest)) continue;
    const { version } = parseJsonRecord(readFileSync(manifest)) ?? {};
    return typeof version === 'string' ? version : '?';
  }
  return '?';
}

/** By npm, where npm put it: PREFIX/bin/svcd leads to PREFIX/lib/node_modules/svcd. */
function removalOf({ file, real }: InstalledSvcd): string {
  const prefix = dirname(dirname(file));
  const isNpms = real.startsWith(join(prefix, 'lib', 'node_modules', 'svcd', '/'));
  return isNpms ? `npm uninstall -g --prefix ${shellWord(prefix)} svcd` : `rm ${shellWord(file)}`;
}

/** How many files and connections the daemon, else a program of this shell, may have open. */
export function checkOpenFiles({ daemon: { running } }: Pick<SystemPlace, 'daemon'>): Told {
  const limit = openFileLimit(running?.pid ?? process.pid);
  if (limit === undefined || limit >= ENOUGH_FILES) return ok('files_ok', [limit ?? '∞']);
  // Node.js raises the soft limit to the hard one by itself: what it has is the hard one, which root alone raises.
  const whose = running?.pid ?? '$$';
  const command = `sudo prlimit --pid ${whose} --nofile=${ENOUGH_FILES * 4}:${ENOUGH_FILES * 4}`;
  return warn('files_low', [limit], command);
}

/** How much memory Node.js and the system allow. */
export function checkMemory(): Told {
  const heap = getHeapStatistics().heap_size_limit;
  // Node.js takes less by itself where the container has less: then that is what there is to mend.
  const allowed = Math.min(process.constrainedMemory() || Infinity, groupLimit());
  if (allowed < ENOUGH_MEMORY) return warn('memory_low', [Math.floor(allowed / MIB)]);
  if (heap < ENOUGH_HEAP) return warn('memory_heap', [Math.floor(heap / MIB)], 'unset NODE_OPTIONS');
  return ok('memory_ok', [Math.floor(Math.min(heap, allowed) / MIB)]);
}

/** The limit of the control group this process is in, of version 2 and 1; Infinity without one. */
function groupLimit(): number {
  for (const file of ['/sys/fs/cgroup/memory.max', '/sys/fs/cgroup/memory/memory.limit_in_bytes']) {
    try {
      const limit = Number(readFileSync(file, 'utf8').trim());
      // Version 1 says a number near 2^63 where there is no limit.
      if (limit > 0) return limit;
    } catch {
      // Not of that version.
    }
  }
  return Infinity;
}

/** Whether a daemon runs on the home, answers, and is of this version. */
export function checkDaemon({ home, daemon: { running, silent, holder } }: SystemPlace): Told {
  if (silent !== undefined) {
    if (isStopped(silent.pid)) return bad('daemon_stopped', [silent.pid], `kill -CONT ${silent.pid}`);
    return bad('daemon_silent', [silent.pid, silent.url], `kill -9 ${silent.pid}`);
  }
  if (running === undefined) {
    // A daemon that nothing tells of is what the check of the token finds.
    if (holder !== undefined && findRuntime(home) !== undefined) return warn('daemon_held', [holder]);
    return warn('daemon_none', [], 'svcd start --detach');
  }
  const { url, pid, version } = running;
  if (version !== VERSION) return warn('daemon_version', [version, VERSION], 'svcd restart');
  return ok('daemon_ok', [version, url, pid]);
}

/** What keeps the service that starts svcd at login from being what it should be. */
export async function checkService({ findService }: SystemPlace): Promise<Told[]> {
  const found = await findService();
  if (found === undefined) return [ok('service_none')];
  if (found.drift.length === 0) return [ok('service_ok', [found.place])];
  return found.drift.map(({ what, mend }) => warn('service_drift', [what], mend));
}

/** Whether the port is the daemon's, or free for it. */
export async function checkPort({ home, config, daemon, findSvcdAt }: SystemPlace): Promise<Told | []> {
  const { running, silent, holder } = daemon;
  if (config === undefined) return [];
  const { port } = config;
  if (running !== undefined) return ok('port_ok', [new URL(running.url).port, '@port_own']);
  const code = port === 0 ? undefined : await tryPort(port);
  if (code === undefined) return ok('port_ok', [port === 0 ? '@any_port' : port, '@port_free']);
  const listener = findListener(port);
  // Its own daemon, which another check tells of.
  if (listener !== undefined && listener.pid === (silent?.pid ?? holder)) return ok('port_ok', [port, '@port_own']);
  const command = await otherPort(home, port);
  const other = code === 'EADDRINUSE' ? await findSvcdAt(`http://127.0.0.1:${port}`) : undefined;
  if (other !== undefined) return bad('port_svcd', [port, other], command);
  if (listener !== undefined) return bad('port_taken', [port, listener.name, listener.pid], command);
  return bad('port_refused', [port, code], command);
}

/** What makes the next start use a port that is free, wherever this one comes from. */
async function otherPort(home: string, taken: number): Promise<string> {
  const from = (await settleSettings({ home })).find(({ setting }) => setting.name === 'port')?.from;
  let port = Math.max(taken, 1023) + 1;
  while (port < HIGHEST_PORT && (await tryPort(port)) !== undefined) port += 1;
  return from === 'environment' ? `export SVCD_PORT=${port}` : `svcd config set port ${port}`;
}

/** The system's code for why a port cannot be listened on; undefined when it can. */
function tryPort(port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.on('error', (error) => resolve(systemCode(error) ?? 'unknown'));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(undefined)));
  });
}

/** Through which proxy the remote is asked, and whether programs may go astray on the way to svcd itself. */
export function checkProxy({ config, remote }: SystemPlace): Told | [] {
  if (config === undefined || remote === undefined) return [];
  const { named, exceptions } = findProxies();
  const excepted = exceptions.includes('*') || exceptions.includes('127.0.0.1');
  // What is asked for http addresses is asked for 127.0.0.1, too.
  const http = named.find(({ variable }) => /^(?:http|all)_proxy$/i.test(variable));
  if (http !== undefined && !excepted) {
    const list = shellWord([...exceptions, '127.0.0.1', 'localhost'].join(','));
    return warn('proxy_loopback', [http.variable, shown(http)], `export NO_PROXY=${list} no_proxy=${list}`);
  }
  if (config.proxy !== undefined && remote.startsWith('https:')) return ok('proxy_used', [hidePassword(config.proxy)]);
  const odd = named.find((one) => shown(one) === '?');
  if (odd !== undefined) return warn('proxy_odd', [odd.variable], `unset ${odd.variable}`);
  const [first] = named;
  return first === undefined ? ok('proxy_none') : ok('proxy_unused', [first.variable, shown(first)]);
}

/** Without user and password. */
function shown({ address }: NamedProxy): string {
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).origin;
  } catch {
    return '?';
  }
}
