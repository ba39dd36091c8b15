// Builds what other programs import: a file for browsers, a file for Node.js upon it, and the declarations of their types.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const MAX_BYTES = 12 * 1024;
const SOURCE = 'src/client';
/** Of the files with declarations those that importers see. */
const TYPES = {
  connect: 'client',
  'client-types': 'client-types',
  'answer-types': 'answer-types',
  'svcd-error': 'svcd-error',
};

/** Names of fields that only the client's own files see, in both files the same; no library has a field of these names. */
const INTERNAL =
  /^(address|askService|begin|bearer|forget|isFresh|isGiven|isSvcd|isUnsent|leftMs|locate|locator|noteBreak|options|pass|path|plain|renew|sleep|take|tokenFor|usualMs)$/;

/** Throws when a file is larger than promised, or the browser's asks for something of Node.js. */
export async function buildClient(root, dist) {
  const common = {
    absWorkingDir: root,
    outdir: dist,
    bundle: true,
    format: 'esm',
    minify: true,
    legalComments: 'none',
    mangleProps: INTERNAL,
  };
  const { metafile, mangleCache } = await build({
    ...common,
    entryPoints: { 'client-browser': `${SOURCE}/connect-in-browser.ts` },
    platform: 'browser',
    target: 'es2022',
    metafile: true,
    // Without one none is given back.
    mangleCache: {},
  });
  // One SvcdError, and no code twice: what is in the browser's file is imported from there.
  const shared = new Set(Object.keys(metafile.inputs));
  const fromBrowser = {
    name: 'from-browser',
    setup: ({ onResolve }) =>
      onResolve({ filter: /^\.\// }, ({ path }) =>
        shared.has(`${SOURCE}/${path.slice(2, -3)}.ts`) ? { path: './client-browser.js', external: true } : undefined,
      ),
  };
  await build({
    ...common,
    entryPoints: { client: `${SOURCE}/connect.ts` },
    platform: 'node',
    target: 'node20.19',
    plugins: [fromBrowser],
    mangleCache,
  });
  for (const name of ['client.js', 'client-browser.js']) {
    const { size } = statSync(join(dist, name));
    if (size > MAX_BYTES) throw new Error(`dist/${name} has ${size} bytes, at most ${MAX_BYTES} are promised`);
  }
  // Names that the file of Node.js asks for and the other does not have fail here.
  await import(join(dist, 'client.js'));
  writeTypes(root, dist);
}

function writeTypes(root, dist) {
  const folder = mkdtempSync(join(dist, 'types-'));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const flags =
      '--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --target es2023 --module nodenext';
    const args = [tsc, join(root, SOURCE, 'connect.ts'), ...flags.split(' '), '--types', 'node', '--outDir', folder];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the types of the client cannot be made: ${stdout}`);
    for (const [from, to] of Object.entries(TYPES)) {
      writeFileSync(join(dist, `${to}.d.ts`), readFileSync(join(folder, `${from}.d.ts`), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
