#!/usr/bin/env node
// Hands the command line to the built program, and says in words what is missing when that cannot be.

import { existsSync } from 'node:fs';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  // 13 is "unsupported platform" in src/cli/exit-codes.ts.
  fail(`svcd needs Node 20.19 or newer; this is ${process.version}.`, 13);
} else if (!existsSync(program)) {
  fail('svcd is not built yet: run "npm run build" in its folder first.', 1);
} else {
  const { main } = await import(program.href);
  await main(process.argv.slice(2));
}

function fail(message, exitCode) {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}
