// Prepares the sandbox's databases (src/daemon/prepare-files.ts), which takes seconds, unless an earlier build did so with
// the same code, the same data and the same SQLite.

import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ENTRY = 'src/daemon/prepare-files.ts';
/** Says what an earlier build made them with. */
const MADE_WITH = 'made-with.txt';

/** What an earlier build left, by name: dist/ is emptied in between. */
export function readPrepared(dist) {
  const folder = join(dist, 'prepared');
  try {
    return new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  } catch {
    // The first build.
    return new Map();
  }
}

/** Writes `dist/prepared/`. */
export async function prepareFiles(root, dist, { inputs }, earlier) {
  const folder = join(dist, 'prepared');
  const code = [...reachable(ENTRY, inputs)].toSorted((a, b) => (a < b ? -1 : 1));
  const madeWith = digestOf([...code, 'package-lock.json'].map((path) => readFileSync(join(root, path))));
  if (earlier.get(MADE_WITH)?.toString() === madeWith && isMadeOfThese(root, earlier)) {
    mkdirSync(folder);
    for (const [name, bytes] of earlier) writeFileSync(join(folder, name), bytes);
    return;
  }
  const { prepareFiles: prepare } = await import(pathToFileURL(join(dist, 'prepare-files.js')).href);
  await prepare(folder);
  writeFileSync(join(folder, MADE_WITH), madeWith);
}

function reachable(file, inputs, found = new Set()) {
  if (found.has(file)) return found;
  found.add(file);
  for (const { path } of inputs[file]?.imports ?? []) if (path in inputs) reachable(path, inputs, found);
  return found;
}

function isMadeOfThese(root, earlier) {
  const { madeOf, files } = JSON.parse(earlier.get('manifest.json')?.toString() ?? '{}');
  if (madeOf === undefined || !Object.keys(files).every((name) => earlier.has(`${name}.br`))) return false;
  return Object.entries(madeOf).every(([path, digest]) => {
    try {
      return digestOf([readFileSync(join(root, 'data', path))]) === digest;
    } catch {
      return false;
    }
  });
}

function digestOf(parts) {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest('hex');
}
