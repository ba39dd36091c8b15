// Builds the page: dist/picker/ with a script, a style, a worker that draws, all named by their content and compressed, and
// the document that names them. Fails where a part is heavier than promised.

import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { build } from 'esbuild';

/** Bytes after brotli: before the first tiles can be seen, of what draws them, and of everything. */
const MOST = { first: 36 * 1024, worker: 55 * 1024, all: 140 * 1024 };

const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#5b4bd6"/>' +
  '<path d="M4 10l3-5 2 3 1-1.5 2 3.5z" fill="#fff"/></svg>';

export async function buildPicker(root, dist) {
  const folder = join(dist, 'picker');
  mkdirSync(folder, { recursive: true });
  const common = {
    absWorkingDir: root,
    outdir: folder,
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    bundle: true,
    minify: true,
    target: 'es2022',
    platform: 'browser',
    legalComments: 'none',
    metafile: true,
    logLevel: 'warning',
    tsconfig: 'src/picker/tsconfig.json',
  };
  // A worker of the classic kind: it loads nothing further.
  const worker = await build({ ...common, entryPoints: { worker: 'src/picker/player/worker.ts' }, format: 'iife' });
  const exporting = await build({
    ...common,
    entryPoints: { 'worker-export': 'src/picker/export/worker.ts' },
    format: 'iife',
  });
  const late = await build({ ...common, entryPoints: { late: 'src/picker/late.css' } });
  const [workerName] = namesOf(worker.metafile);
  const [lateStyle] = namesOf(late.metafile);
  const [exportName] = namesOf(exporting.metafile);
  const page = await build({
    ...common,
    entryPoints: { main: 'src/picker/main.tsx' },
    format: 'esm',
    splitting: true,
    define: {
      WORKER_FILE: JSON.stringify(`/svcd/picker/${workerName}`),
      EXPORT_WORKER_FILE: JSON.stringify(`/svcd/picker/${exportName}`),
      STYLE_NAMES: readFileSync(join(root, 'data', 'styles.json'), 'utf8'),
      LATE_STYLE: JSON.stringify(`/svcd/picker/${lateStyle}`),
    },
  });
  const icon = writeNamed(folder, 'icon', 'svg', ICON);
  const manifest = writeNamed(
    folder,
    'svcd',
    'webmanifest',
    JSON.stringify({
      name: 'svcd',
      start_url: '/',
      display: 'standalone',
      icons: [{ src: `/svcd/picker/${icon}`, sizes: 'any', type: 'image/svg+xml' }],
    }),
  );
  const names = namesOf(page.metafile);
  const script = names.find((name) => /^main-\w+\.js$/.test(name));
  const style = names.find((name) => /^main-\w+\.css$/.test(name));
  const parts = neededBy(page.metafile, script);
  const html =
    '<!doctype html><html lang="en"><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark">' +
    `<title>svcd</title><link rel="icon" href="/svcd/picker/${icon}"><link rel="manifest" href="/svcd/picker/${manifest}">` +
    // What the script shares with parts that are loaded late is asked for at the same time as the script.
    parts.map((name) => `<link rel="modulepreload" href="/svcd/picker/${name}">`).join('') +
    `<link rel="stylesheet" href="/svcd/picker/${style}">` +
    `<script type="module" src="/svcd/picker/${script}"></script>` +
    '<div id="app"></div><noscript>svcd needs JavaScript here. In a terminal, "svcd --help" tells more.</noscript></html>';
  writeFileSync(join(folder, 'index.html'), html);
  const files = [...names, lateStyle, workerName, exportName, icon, manifest];
  writeFileSync(join(folder, 'files.json'), JSON.stringify(files));
  const sizes = new Map(files.map((name) => [name, compress(folder, name)]));
  const all = [...sizes.values()].reduce((sum, one) => sum + one, brotli(html).length);
  check(
    'what is loaded before the first tiles',
    [script, style, ...parts].reduce((sum, name) => sum + sizes.get(name), brotli(html).length),
    MOST.first,
  );
  check('the worker', sizes.get(workerName), MOST.worker);
  check('the whole page', all, MOST.all);
  return [worker.metafile, exporting.metafile, page.metafile];
}

function namesOf({ outputs }) {
  return Object.keys(outputs).map((path) => basename(path));
}

/** The chunks that a script imports before it runs, and theirs. */
function neededBy({ outputs }, script) {
  const found = new Set([script]);
  for (const name of found) {
    const [, output] = Object.entries(outputs).find(([path]) => basename(path) === name);
    for (const { path, kind } of output.imports) if (kind === 'import-statement') found.add(basename(path));
  }
  found.delete(script);
  return [...found];
}

function writeNamed(folder, name, ending, content) {
  const digest = createHash('sha256').update(content).digest('hex').slice(0, 8).toUpperCase();
  const file = `${name}-${digest}.${ending}`;
  writeFileSync(join(folder, file), content);
  return file;
}

function compress(folder, name) {
  const small = brotli(readFileSync(join(folder, name)));
  writeFileSync(join(folder, `${name}.br`), small);
  return small.length;
}

function brotli(content) {
  const bytes = Buffer.from(content);
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
  return brotliCompressSync(bytes, { params });
}

function check(what, bytes, most) {
  if (bytes > most)
    throw new Error(`dist/picker: ${what} has ${bytes} bytes after brotli, at most ${most} are promised`);
}
