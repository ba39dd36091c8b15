// What svcd stands on, as the doctor checks it: Node.js, SQLite, the PATH, and the limits of the system.

import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { getHeapStatistics } from 'node:v8';
import { programFolders } from '../../config/setting-faults.js';
import { isSvcdError } from '../../model/errors.js';
import { openFileLimit } from '../../platform/files/find-process.js';
import { INSTALLATION } from '../../platform/installation.js';
import { parseJsonRecord } from '../../platform/json.js';
import { openDatabase } from '../../platform/open-database.js';
import { type Finding, findingsOf, quote } from './doctor-finding.js';

const MIB = 1024 * 1024;
const ENOUGH_FILES = 1024;
const ENOUGH_MEMORY = 512 * MIB;
/** What a start with the largest library takes, and some. */
const ENOUGH_HEAP = 256 * MIB;

/** The Node.js that runs this; bin/svcd.js refuses an older one than svcd needs. */
export function checkNode(): Finding {
  const { node, modules } = process.versions;
  return findingsOf('node').ok('node_ok', [node, process.platform, process.arch, modules]);
}

/** Whether better-sqlite3 can be loaded and used. */
export function checkSqlite(): Finding {
  const { ok, bad } = findingsOf('better-sqlite3');
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
export function checkPath(): Finding {
  const { ok, warn } = findingsOf('PATH');
  const own = fileURLToPath(new URL('bin/svcd.js', INSTALLATION));
  const found = findInstalled();
  const [first] = found;
  if (first === undefined) return ok('path_none', [own]);
  const other = found.find(({ real }) => real !== first.real);
  if (other === undefined) return ok('path_ok', [first.file, first.version]);
  // The one to go is the older one; of equal ones that which nobody runs.
  const surplus = isNewer(other.version, first.version) ? first : other;
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
  return isNpms ? `npm uninstall -g --prefix ${quote(prefix)} svcd` : `rm ${quote(file)}`;
}

function isNewer(one: string, other: string): boolean {
  const [a, b] = [one, other].map((version) => version.split(/[.-]/).map(Number)) as [number[], number[]];
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && (a[at] ?? 0) > (b[at] ?? 0);
}

/** How many files and connections the daemon, else a program of this shell, may have open. */
export function checkOpenFiles(daemon: number | undefined): Finding {
  const { ok, warn } = findingsOf('open files');
  const limit = openFileLimit(daemon ?? process.pid);
  if (limit === undefined) return ok('files_ok', ['∞']);
  if (limit >= ENOUGH_FILES) return ok('files_ok', [String(limit)]);
  // Node.js raises the soft limit to the hard one by itself: what it has is the hard one, which root alone raises.
  const whose = daemon === undefined ? '$$' : String(daemon);
  const command = `sudo prlimit --pid ${whose} --nofile=${ENOUGH_FILES * 4}:${ENOUGH_FILES * 4}`;
  return warn('files_low', [limit], command);
}

/** How much memory Node.js and the system allow. */
export function checkMemory(): Finding {
  const { ok, warn } = findingsOf('memory');
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
