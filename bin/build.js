// Builds dist/ from src/: few files in place of some hundred, because finding and opening each module is what a start
// spends its time on. What is imported late stays a file of its own. Not part of the published package.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');

/** What runs as a program, a process or a thread of its own. */
const ENTRIES = ['src/cli/main.ts', 'src/library/rebuild-worker.ts', 'src/credentials/keychain-child.ts'];

/** Machine code, and what finds its own files beside itself; everything else is built in. */
const EXTERNAL = ['better-sqlite3', 'keytar', '@bokuweb/zstd-wasm'];

// Packages that are not modules ask for Node's own by `require`.
const REQUIRE = `import { createRequire as newRequire } from 'node:module'; const require = newRequire(import.meta.url);`;

/** Tables of Unicode are asked of the system when the module begins: a fifth of a start, and only help needs them. */
const lateStringWidth = {
  name: 'late string-width',
  setup({ onResolve, onLoad, resolve }) {
    onResolve({ filter: /^string-width$/ }, async ({ path, pluginData, ...asked }) => {
      if (pluginData === 'found') return undefined;
      const { resolveDir, kind, importer } = asked;
      const found = await resolve(path, { resolveDir, kind, importer, pluginData: 'found' });
      return { path: found.path, namespace: 'late' };
    });
    onLoad({ filter: /./, namespace: 'late' }, ({ path }) => ({
      resolveDir: dirname(path),
      contents: `
        let widthOf;
        export default function stringWidth(...args) {
          widthOf ??= require(${JSON.stringify(path)}).default;
          return widthOf(...args);
        }`,
    }));
  },
};

rmSync(DIST, { recursive: true, force: true });
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: ENTRIES,
  // All in one folder: see src/installation.ts.
  outdir: 'dist',
  entryNames: '[name]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  banner: { js: REQUIRE },
  plugins: [lateStringWidth],
  minify: true,
  // For `NODE_OPTIONS=--enable-source-maps`; not in the package.
  sourcemap: 'linked',
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
writeFileSync(join(DIST, 'LICENCES.txt'), licencesOf(Object.keys(metafile.inputs)));

/** The licences of what was built in, which have to go with every copy. */
function licencesOf(files) {
  const texts = new Set(files.toSorted().map(packageFolder).filter(Boolean).map(licenceOf));
  return `svcd contains parts of these packages.\n\n${[...texts].join('\n\n')}`;
}

/** `node_modules/a/node_modules/b` of a file in there. */
function packageFolder(file) {
  return /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function licenceOf(folder) {
  const path = join(ROOT, folder);
  const { name, version, license } = JSON.parse(readFileSync(join(path, 'package.json'), 'utf8'));
  const file = readdirSync(path).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} ships no licence; it must not be built in`);
  const line = '-'.repeat(72);
  return `${line}\n${name} ${version} (${license})\n${line}\n\n${readFileSync(join(path, file), 'utf8').trim()}\n`;
}
