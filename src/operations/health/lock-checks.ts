// The lock of a video in the current folder: whether its files are there, and where not, whether they could be brought back.

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Lock } from '../../api/lock.js';
import { isSvcdError } from '../../model/errors.js';
import { withReadableHome } from '../../platform/files/home-copy.js';
import { isWritable } from '../../platform/files/home-folder.js';
import { type Database, openReadOnly } from '../../platform/open-database.js';
import { readLock } from '../../video/lock/read-lock.js';
import { verifyFiles } from '../../video/lock/verify-files.js';
import { type Finding, findingsOf, quote } from './finding.js';
import type { SystemPlace } from './place.js';

const NAMED = 3;

/** The lock that `svcd verify` would take here. */
export function checkLock({ home, lockFile: file }: SystemPlace): Finding {
  const { ok, warn } = findingsOf('lock');
  if (file === undefined) return ok('lock_none');
  let lock: Lock;
  try {
    ({ lock } = readLock(file));
  } catch (error) {
    if (!isSvcdError(error)) throw error;
    return warn('lock_unreadable', [error.message, error.hint ?? '']);
  }
  const problems = verifyFiles(lock, dirname(file));
  const files = new Set(Object.values(lock.assets).map((one) => one.file)).size;
  if (problems.length === 0) return ok('lock_ok', [file, files]);
  const wrong = [...new Set(problems.map((problem) => problem.file))];
  const names = [...wrong.slice(0, NAMED), ...(wrong.length > NAMED ? ['…'] : [])].join(', ');
  const lost = countLost(home, lock, new Set(problems.map(({ slot }) => slot)));
  const fetch = `svcd fetch --locked --lock ${quote(file)}`;
  if (lost === 0) return warn('lock_unmet', [file, names], fetch);
  return warn('lock_lost', [file, names, lost], `svcd owned import FILE && ${fetch}`);
}

/** How many files of these slots svcd has nothing to make from. */
function countLost(home: string, lock: Lock, slots: ReadonlySet<string>): number {
  const wanted = Object.entries(lock.assets).filter(([slot]) => slots.has(slot));
  if (!existsSync(join(home, 'owned.db'))) return new Set(wanted.map(([, { sha256 }]) => sha256)).size;
  const owned = withReadableHome(home, isWritable(home), (folder) => readOwned(join(folder, 'owned.db')));
  const lost = wanted.filter(([, asset]) => {
    if (owned.digests.has(asset.sha256)) return false;
    // Those come with svcd or are registered; another form is made from what is owned.
    if (asset.source === 'default' || asset.source === 'shipped') return false;
    return !(asset.kind === 'sticker' && asset.form !== 'as-bought' && owned.presets.has(asset.preset));
  });
  return new Set(lost.map(([, { sha256 }]) => sha256)).size;
}

function readOwned(file: string): { digests: ReadonlySet<string>; presets: ReadonlySet<string> } {
  const db = openReadOnly(file);
  try {
    const rows = db.prepare<[], { item: string; sha256: string }>('SELECT item, sha256 FROM owned').all();
    const own = hasTable(db, 'own_sticker')
      ? db.prepare<[], { preset: string; sha256: string }>('SELECT preset, sha256 FROM own_sticker').all()
      : [];
    return {
      digests: new Set([...rows, ...own].map(({ sha256 }) => sha256)),
      presets: new Set([...rows.map(({ item }) => item.replace(/^sticker:/, '')), ...own.map(({ preset }) => preset)]),
    };
  } finally {
    db.close();
  }
}

function hasTable(db: Database, name: string): boolean {
  return db.prepare('SELECT 1 FROM sqlite_master WHERE name = ?').get(name) !== undefined;
}
