// Builds dist/ from src/: few files in place of some hundred, because finding and opening each module is what a start
// spends its time on. Not part of the published package.

import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');

/** Machine code, and what finds its own files beside itself; everything else is built in. */
const EXTERNAL = ['better-sqlite3', 'keytar', '@bokuweb/zstd-wasm'];

const COMMON = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  external: EXTERNAL,
  minifyWhitespace: true,
  minifySyntax: true,
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
};

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

/** Large, and not needed before svcd talks to a remote. */
const lateUndici = {
  name: 'late undici',
  setup({ onResolve }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: './undici.cjs', external: true }));
  },
};

rmSync(DIST, { recursive: true, force: true });
const builds = await Promise.all([
  // A script and no module, for what is compiled of a module cannot be kept (bin/svcd.js).
  build({
    ...COMMON,
    entryPoints: ['src/cli/main.ts'],
    outfile: 'dist/main.cjs',
    format: 'cjs',
    // A script that is loaded so can import by `require` alone.
    supported: { 'dynamic-import': false },
    define: { 'import.meta.url': 'ownAddress' },
    // A function of what a script lacks; bin/svcd.js calls it.
    banner: {
      js: "(function (module, require, __filename) { const ownAddress = require('node:url').pathToFileURL(__filename).href;",
    },
    footer: { js: '})' },
    plugins: [lateStringWidth, lateUndici],
  }),
  // What runs as a thread or a process of its own.
  build({
    ...COMMON,
    entryPoints: ['src/library/rebuild-worker.ts', 'src/auth/keychain-child.ts'],
    outdir: 'dist',
    // All in one folder: see src/platform/installation.ts.
    entryNames: '[name]',
    format: 'esm',
  }),
  build({
    ...COMMON,
    // The client alone, and what undici's own index does to it: all of undici takes three times as long to load.
    stdin: {
      contents: `
        import api from 'undici/lib/api/index.js';
        import Client from 'undici/lib/dispatcher/client.js';
        import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
        Object.assign(Dispatcher.prototype, api);
        export { Client };`,
      resolveDir: ROOT,
    },
    outfile: 'dist/undici.cjs',
    format: 'cjs',
  }),
]);
spellInAscii(join(DIST, 'main.cjs'));
await compileSynonyms();
const inputs = builds.flatMap(({ metafile }) => Object.keys(metafile.inputs));
writeFileSync(join(DIST, 'LICENCES.txt'), licencesOf(inputs));

/** The shipped synonyms, so that no start has to read them line by line. */
async function compileSynonyms() {
  // In dist/, because it finds data/ from where it lies.
  const script = join(DIST, 'compile-synonyms.js');
  await build({
    ...COMMON,
    entryPoints: ['src/library/language/shipped-synonyms.ts'],
    outfile: script,
    format: 'esm',
  });
  const { compileShippedSynonyms } = await import(pathToFileURL(script).href);
  writeFileSync(join(DIST, 'synonyms.bin'), compileShippedSynonyms());
  rmSync(script);
}

/** Characters of regular expressions by their numbers: text of ASCII alone is half as large in memory. */
function spellInAscii(file) {
  const spell = (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
  writeFileSync(file, readFileSync(file, 'utf8').replace(/[^\0-\x7f]/g, spell));
}

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
