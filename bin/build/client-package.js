// The client as a package of its own, for projects that render from a lock and need no svcd: the very files that svcd itself
// exports, without SQLite. `npm pack dist/client-package` makes the tarball.

import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const NAME = '@svcd/client';
const CODE = ['client', 'client-browser', 'slots', 'remotion'];
const TYPES = ['client', 'client-types', 'answer-types', 'svcd-error', 'slots', 'lock-types', 'playhead', 'remotion'];

/** Writes `dist/client-package/`. */
export function packClient(root, dist) {
  const folder = join(dist, 'client-package');
  const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const files = [...CODE.map((name) => `${name}.js`), ...TYPES.map((name) => `${name}.d.ts`)];
  mkdirSync(folder, { recursive: true });
  for (const file of files) copyFileSync(join(dist, file), join(folder, file));
  copyFileSync(join(root, 'src/client/PACKAGE.md'), join(folder, 'README.md'));
  if (existsSync(join(root, 'LICENSE'))) copyFileSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const { version, license, engines, peerDependencies, peerDependenciesMeta } = own;
  const exported = Object.fromEntries(
    ['./client', './slots', './remotion'].map((name) => [
      name === './client' ? '.' : name,
      inFolder(own.exports[name]),
    ]),
  );
  const manifest = {
    name: NAME,
    version,
    description: 'Reads the locked assets of a video, and asks svcd for more.',
    license,
    type: 'module',
    exports: { ...exported, './package.json': './package.json' },
    files,
    engines,
    peerDependencies,
    peerDependenciesMeta,
  };
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The same files beside the manifest. */
function inFolder(targets) {
  return Object.fromEntries(Object.entries(targets).map(([how, file]) => [how, file.replace('./dist/', './')]));
}
