// Builds dist/ from src/: the program in chunks, each loaded when it is first needed, because finding and opening some
// hundred modules is what a start spends its time on. Not part of the published package.

import { copyFileSync, existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { packClient } from './build/client-package.js';
import { buildClient } from './build/client.js';
import { joinChunks } from './build/join-chunks.js';
import { compileSketches } from './build/compile-sketches.js';
import { compileSynonyms } from './build/compile-synonyms.js';
import { commitOf } from './build/commit.js';
import { lazySchemas } from './build/lazy-schemas.js';
import { licencesOf, packageFolders } from './build/licences.js';
import { buildPicker } from './build/picker.js';
import { manPageOf } from './build/man.js';
import { prepareFiles, readPrepared } from './build/prepare-files.js';
import { sbomOf } from './build/sbom.js';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DIST = join(ROOT, 'dist');
const BUILDING = 'building';
/** What search reads long after the start, and would lack only then. */
const TABLES = ['data/glosses/glosses.bin', 'data/hypernyms/hypernyms.txt'];

const REQUIRE = "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);";
/** Machine code; everything else is built in. */
const EXTERNAL = ['better-sqlite3', 'better-sqlite3-12', 'keytar'];

const missing = TABLES.filter((file) => !existsSync(join(ROOT, file)));
if (missing.length > 0) {
  process.stderr.write(
    `svcd: cannot be built without ${missing.join(' and ')}: restore it, or build it anew (data/README.md).\n`,
  );
  process.exit(1);
}
const earlier = readPrepared(DIST);
const startedAt = performance.now();
process.stderr.write('Building svcd, which takes some seconds …\n');
rmSync(DIST, { recursive: true, force: true });
mkdirSync(DIST);
// Who runs svcd meanwhile is told so (bin/svcd.js).
writeFileSync(join(DIST, BUILDING), `${process.pid}`);
process.on('exit', () => rmSync(join(DIST, BUILDING), { force: true }));
const { metafile } = await build({
  absWorkingDir: ROOT,
  entryPoints: [
    'src/cli/main.ts',
    // What runs as a thread or a process of its own.
    'src/auth/keychain-child.ts',
    'src/lottie/lottie-worker.ts',
    'src/picture/draw-worker.ts',
    'src/operations/health/health-thread.ts',
    // Only bin/build/compile-synonyms.js needs it as an entry.
    'src/library/language/shipped-synonyms.ts',
    // The same for bin/build/prepare-files.js.
    'src/daemon/prepare-files.ts',
    // The same of bin/build/compile-sketches.js.
    'src/operations/page/shown-art.ts',
  ],
  outdir: 'dist',
  // All in one folder.
  entryNames: '[name]',
  chunkNames: 'chunk-[hash]',
  bundle: true,
  splitting: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // What pg would load if it were asked for libpq, which it never is.
  external: [...EXTERNAL, 'pg-native'],
  define: { SVCD_COMMIT: JSON.stringify(commitOf(ROOT)) },
  alias: {
    'string-width': './bin/build/string-width.js',
    // yargs wants two functions of it; Node's own loads what colours a terminal, a tenth of a command.
    assert: './bin/build/assert.js',
    // pg asks for it where no password was given, which never happens (platform/postgres/pool.ts); it ships no licence.
    pgpass: './bin/build/no-pgpass.js',
    '@modelcontextprotocol/server/_shims': './bin/build/mcp-shims.js',
  },
  plugins: [lazySchemas],
  minifyWhitespace: true,
  minifySyntax: true,
  // Packages written for `require` ask for Node's own modules by it.
  banner: { js: REQUIRE },
  legalComments: 'none',
  metafile: true,
  logLevel: 'warning',
});
await joinChunks(
  DIST,
  metafile,
  [
    ['main.js', ['src/cli/main.ts']],
    // What people wait for most. The language is chosen before these are loaded, so that main.js cannot hold them.
    ['commands.js', ['src/cli/daemon/daemon.ts', 'src/cli/search/search.ts']],
    // A host starts it for each conversation, beside a daemon.
    ['assistant.js', ['src/mcp/serve-stdio.ts', 'src/mcp/serve-http.ts'], 'video.js'],
    ['daemon.js', ['src/cli/daemon/serve.ts', 'src/daemon/daemon.ts']],
  ],
  [
    'src/auth/keychain-child.ts',
    'src/lottie/lottie-worker.ts',
    'src/picture/draw-worker.ts',
    'src/operations/health/health-thread.ts',
  ],
  REQUIRE,
);
await prepareFiles(ROOT, DIST, metafile, earlier).catch(endInWords);
copyFileSync(
  fileURLToPath(import.meta.resolve('@lottiefiles/dotlottie-web/dotlottie-player.wasm')),
  join(DIST, 'dotlottie-player.wasm'),
);
await compileSynonyms(DIST);
await compileSketches(DIST);
await buildClient(ROOT, DIST);
packClient(ROOT, DIST);
const pages = await buildPicker(ROOT, DIST);
const inputs = [metafile, ...pages].flatMap((one) => Object.keys(one.inputs));
const folders = packageFolders(inputs);
writeFileSync(join(DIST, 'LICENCES.txt'), licencesOf(ROOT, folders));
writeFileSync(join(DIST, 'sbom.json'), sbomOf(ROOT, folders));
writeFileSync(join(DIST, 'svcd.1'), await manPageOf(ROOT, DIST));
process.stderr.write(`Built in ${Math.ceil((performance.now() - startedAt) / 1000)} s.\n`);

/** What the machine lacks is told as svcd itself tells it; minified source says nothing. */
function endInWords(error) {
  if (error.code !== 'unsupported_platform') throw error;
  process.stderr.write(`svcd: ${error.message}\n${error.hint}\n`);
  process.exit(13);
}
