// `npm run build`: one build at a time, for two that empty dist/ and fill it would fail each other; and what is missing in words.
// `--if-changed`, as `npm start` runs it, leaves what is built of the files that are there.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fileAt = (path) => fileURLToPath(new URL(path, import.meta.url));
const CACHE = fileAt('../node_modules/.cache');
// Several checkouts may share their packages.
const LOCK = `${CACHE}/build-${createHash('sha1').update(fileAt('..')).digest('hex').slice(0, 8)}.pid`;
/** The last that a build writes. */
const BUILT = fileAt('../dist/svcd.1');
const LOOK_MS = 200;
/** A file is empty for a moment after it was made; one that stays so is of a build that was killed. */
const EMPTY_MS = 5000;

/** What a build reads; the last is written by each install. */
const READ = ['bin', 'data', 'src', 'package.json', 'package-lock.json', 'node_modules/.package-lock.json'];

if (existsSync(fileAt('../node_modules/esbuild'))) {
  if (!process.argv.includes('--if-changed') || !isBuilt()) await buildOnce();
} else {
  process.stderr.write('svcd: the packages that build it are missing: run "npm ci" in its folder first.\n');
  process.exitCode = 1;
}

function isBuilt() {
  try {
    const { mtimeMs } = statSync(BUILT);
    return READ.every((name) => isOlder(fileAt(`../${name}`), mtimeMs));
  } catch {
    return false;
  }
}

/** A folder is younger when something in it came or went. */
function isOlder(path, at) {
  const stat = statSync(path);
  if (stat.mtimeMs > at) return false;
  return !stat.isDirectory() || readdirSync(path).every((name) => isOlder(`${path}/${name}`, at));
}

async function buildOnce() {
  mkdirSync(CACHE, { recursive: true });
  if (!take()) {
    process.stderr.write('svcd is being built by another command; waiting for it …\n');
    while (!take()) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    // It has built what lies here now.
    if (existsSync(BUILT)) return;
  }
  await import('./build.js');
}

/** Whether it is this process that builds. What was left by a build that was killed counts for nothing. */
function take() {
  try {
    writeFileSync(LOCK, `${process.pid}`, { flag: 'wx' });
  } catch {
    if (isRunning()) return false;
    rmSync(LOCK, { force: true });
    return take();
  }
  process.on('exit', () => rmSync(LOCK, { force: true }));
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => process.exit(1));
  return true;
}

/** Whether the process that the lock names builds; never this one, which may bear the number of one that was killed. */
function isRunning() {
  try {
    const pid = Number(readFileSync(LOCK, 'utf8'));
    if (pid === 0) return Date.now() - statSync(LOCK).mtimeMs < EMPTY_MS;
    return pid !== process.pid && process.kill(pid, 0);
  } catch (error) {
    return error.code === 'EPERM';
  }
}
