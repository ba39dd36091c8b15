// Builds what other programs import: a file for browsers, a file for Node.js upon it, and the declarations of their types.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { build } from 'esbuild';
import { declareAnswers } from './client-types.js';

const MAX_BYTES = 12 * 1024;
const SOURCE = 'src/client';
/** Of the files with declarations those that importers see; what svcd answers is written out besides. */
const TYPES = {
  connect: 'client',
  'client-types': 'client-types',
  'svcd-error': 'svcd-error',
  'slots/lock-types': 'lock-types',
  'slots/playhead': 'playhead',
  'slots/open-slots': 'slots',
  'slots/remotion': 'remotion',
};
/** Bytes that a template's bundle gets of a lock's slots, and the user's own packages, which are found where they are. */
const SLOTS = { 'open-slots': { name: 'slots', most: 2560 }, remotion: { name: 'remotion', most: 3584 } };
const PEERS = ['react', 'remotion', '@remotion/lottie'];

/** Names of fields that only the client's own files see, in both files the same; no library has a field of these names. */
const INTERNAL =
  /^(address|askService|begin|bearer|end|forget|isFresh|isGiven|isSvcd|isUnsent|leftMs|locate|locator|mustList|noteBreak|options|orEnd|pass|path|plain|price|renew|sleep|take|tokenFor|usualMs|wasThere)$/;

/** What importers may ask the browser's file for. */
const PUBLIC = new Set(['SvcdError', 'connect', 'isSvcdError']);

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
  shortenExports(join(dist, 'client-browser.js'), join(dist, 'client.js'));
  for (const name of ['client.js', 'client-browser.js']) {
    const { size } = statSync(join(dist, name));
    if (size > MAX_BYTES) throw new Error(`dist/${name} has ${size} bytes, at most ${MAX_BYTES} are promised`);
  }
  // Names that the file of Node.js asks for and the other does not have fail here.
  await import(join(dist, 'client.js'));
  await buildSlots(common, dist);
  await writeTypes(root, dist);
}

/** What the browser's file exports for the other alone needs no name that anybody could read. */
function shortenExports(browser, node) {
  const names = new Map();
  const shorten = (name) => {
    if (!PUBLIC.has(name) && !names.has(name)) names.set(name, `_${names.size.toString(36)}`);
    return names.get(name) ?? name;
  };
  const rewrite = (file, clause, name) => {
    const text = readFileSync(file, 'utf8').replace(clause, (list) => list.replace(name, shorten));
    writeFileSync(file, text);
  };
  rewrite(browser, /\bexport\{[^}]*\};\s*$/, /(?<= as )\w+/g);
  rewrite(node, /\bimport\{[^}]*\}from"\.\/client-browser\.js"/g, /(?<=[{,])\w+(?= as )/g);
}

/** Entries of their own: the client's files have no byte left, and these need nothing of it. */
async function buildSlots(common, dist) {
  const beside = {
    name: 'beside',
    setup: ({ onResolve }) => onResolve({ filter: /open-slots\.js$/ }, () => ({ path: './slots.js', external: true })),
  };
  for (const [source, { name, most }] of Object.entries(SLOTS)) {
    await build({
      ...common,
      mangleProps: undefined,
      entryPoints: { [name]: `${SOURCE}/slots/${source}.ts` },
      platform: 'neutral',
      target: 'es2022',
      external: PEERS,
      plugins: source === 'remotion' ? [beside] : [],
    });
    const { size } = statSync(join(dist, `${name}.js`));
    if (size > most) throw new Error(`dist/${name}.js has ${size} bytes, at most ${most} are promised`);
  }
}

async function writeTypes(root, dist) {
  const folder = mkdtempSync(join(dist, 'types-'));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
    const flags =
      '--ignoreConfig --declaration --emitDeclarationOnly --strict --skipLibCheck --target es2023 --module nodenext';
    const entries = ['connect.ts', 'slots/remotion.ts', 'slots/remotion-peers.d.ts'].map((one) =>
      join(root, SOURCE, one),
    );
    const args = [tsc, ...entries, ...flags.split(' '), '--types', 'node', '--outDir', folder];
    const { status, stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`the types of the client cannot be made: ${stdout}`);
    for (const [from, to] of Object.entries(TYPES)) {
      const text = readFileSync(join(folder, 'client', `${from}.d.ts`), 'utf8');
      const renamed = text
        .replaceAll('./open-slots.js', './slots.js')
        .replaceAll('./slots/lock-types.js', './lock-types.js');
      writeFileSync(join(dist, `${to}.d.ts`), renamed);
    }
    writeFileSync(join(dist, 'answer-types.d.ts'), await declareAnswers(root, folder));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
