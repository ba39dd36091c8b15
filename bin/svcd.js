#!/usr/bin/env node
// Hands the command line to the built program, and says in words what is missing when that cannot be.

import { existsSync, mkdirSync, statSync } from 'node:fs';
import nodeModule from 'node:module';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  // 13 is "unsupported platform" in src/cli/exit-codes.ts.
  fail(`svcd needs Node 20.19 or newer; this is ${process.version}.`, 13);
} else if (!existsSync(program)) {
  fail('svcd is not built yet: run "npm ci && npm run build" in its folder first.', 1);
} else {
  keepCompiled();
  const { main } = await import(program);
  await main(process.argv.slice(2));
}

function fail(message, exitCode) {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

/** Lets Node keep what it compiled (22.8 up), where others cannot plant code: not in the current folder (empty HOME). */
function keepCompiled() {
  const folder = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'svcd', 'compiled');
  try {
    if (nodeModule.enableCompileCache === undefined || !isAbsolute(folder)) return;
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const { uid, mode } = statSync(folder);
    if (uid === (process.getuid?.() ?? 0) && (mode & 0o022) === 0) nodeModule.enableCompileCache(folder);
  } catch {
    // Where nothing may be written, each start compiles.
  }
}
