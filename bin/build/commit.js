// The commit that a build is made from, which people name when they report something.

import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

/** Its first digits, with `-dirty` where files were changed since; null without git, or where this folder is no clone. */
export function commitOf(root) {
  // Unpacked inside of another repository, svcd is none of that one's commits.
  if (!existsSync(join(root, '.git'))) return null;
  const args = ['describe', '--always', '--dirty', '--exclude', '*', '--abbrev=7'];
  const { status, stdout } = spawnSync('git', args, { cwd: root, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : null;
}
