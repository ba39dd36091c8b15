// Builds what other programs import: a file for Node.js and one for browsers, and the declarations of their types.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';

const MAX_BYTES = 12 * 1024;
const SOURCE = 'src/client';
/** What its declarations consist of; the others are of no concern to those who import it. */
const TYPES = { connect: 'client', 'client-types': 'client-types', 'answer-types': 'answer-types', 'svcd-error': 'svcd-error' };

/** Throws when a file is larger than promised, or the browser's asks for something of Node.js. */
export async function buildClient(root, dist) {
  const common = { absWorkingDir: root, outdir: dist, bundle: true, format: 'esm', minify: true, legalComments: 'none' };
  await build({
    ...common,
    entryPoints: { client: `${SOURCE}/connect.ts` },
    platform: 'node',
    target: 'node20.19',
    // With the package's own name it finds the program that it may start.
    keepNames: false,
  });
  await build({
    ...common,
    entryPoints: { 'client-browser': `${SOURCE}/connect-in-browser.ts` },
    // Anything of Node.js fails here.
    platform: 'browser',
    target: 'es2023',
  });
  for (const name of ['client.js', 'client-browser.js']) {
    const { size } = statSync(join(dist, name));
    if (size > MAX_BYTES) throw new Error(`dist/${name} has ${size} bytes, at most ${MAX_BYTES} are promised`);
  }
  writeTypes(root, dist);
}

function writeTypes(root, dist) {
  const folder = mkdtempSync(join(dist, 'types-'));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const args = [tsc, '-p', root, '--noEmit', 'false', '--declaration', '--emitDeclarationOnly', '--outDir', folder];
    const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
    if (status !== 0) throw new Error(`the types of the client cannot be made: ${stdout}`);
    for (const [from, to] of Object.entries(TYPES)) {
      writeFileSync(join(dist, `${to}.d.ts`), readFileSync(join(folder, SOURCE, `${from}.d.ts`), 'utf8'));
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
