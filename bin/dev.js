// npm run dev: builds, runs svcd with the sandbox, and builds and restarts it whenever something in src/ or bin/ changes. The
// browser shows the new page when it is loaded again. Not part of the published package.

import { spawn } from 'node:child_process';
import { watch } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
/** Saving several files at once is one change. */
const SETTLE_MS = 200;

let daemon;
let isBusy = false;
let isStale = false;
let timer;

for (const folder of ['src', 'bin']) {
  watch(join(ROOT, folder), { recursive: true }, () => {
    clearTimeout(timer);
    timer = setTimeout(() => void renew(), SETTLE_MS);
  });
}
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => void stop().then(() => process.exit(0)));
await renew();

/** Builds; if that went well, another daemon takes the place of the one that runs. */
async function renew() {
  isStale = true;
  if (isBusy) return;
  isBusy = true;
  while (isStale) {
    isStale = false;
    // The build empties dist/, of which a daemon that runs still loads parts.
    await stop();
    if ((await ended(spawn(process.execPath, ['bin/build-once.js'], { cwd: ROOT, stdio: 'inherit' }))) !== 0) continue;
    daemon = spawn(process.execPath, ['bin/svcd.js', 'start', '--sandbox', ...process.argv.slice(2)], {
      cwd: ROOT,
      stdio: 'inherit',
    });
  }
  isBusy = false;
}

async function stop() {
  if (daemon === undefined || daemon.exitCode !== null) return;
  const end = ended(daemon);
  daemon.kill('SIGTERM');
  await end;
}

function ended(child) {
  return new Promise((resolve) => child.once('exit', resolve));
}
