#!/usr/bin/env node
// Hands the command line to the built program, and says in words what is missing when that cannot be. Compiling the
// program takes a quarter of a start, so what was compiled is kept beside it, as Python keeps its own.

import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';
import zlib from 'node:zlib';

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const program = fileURLToPath(new URL('../dist/main.cjs', import.meta.url));
const compiled = `${program}.compiled`;
// Checksums of the program and of what follows: V8 itself looks at no more than the length of either.
const CHECKED_BYTES = 8;
/** So much more than what is kept. */
const WORTH_KEEPING = 1.02;

if (major < 20 || (major === 20 && minor < 19)) {
  // 13 is "unsupported platform" in src/cli/exit-codes.ts.
  fail(`svcd needs Node 20.19 or newer; this is ${process.version}.`, 13);
} else if (!existsSync(program)) {
  fail('svcd is not built yet: run "npm run build" in its folder first.', 1);
} else {
  const { main, keep } = loadProgram();
  await main(process.argv.slice(2), keep);
}

function fail(message, exitCode) {
  process.stderr.write(`${message}\n`);
  process.exitCode = exitCode;
}

/** The program's `main`, and what keeps its code compiled, unless it is kept already. */
function loadProgram() {
  const source = readFileSync(program);
  const sum = zlib.crc32(source);
  const cachedData = findCompiled(sum);
  // It is ASCII (bin/build.js).
  const script = new vm.Script(source.toString('latin1'), { filename: program, cachedData });
  const module = { exports: {} };
  script.runInThisContext()(module, createRequire(program), program);
  const keptBytes = script.cachedDataRejected === true ? 0 : (cachedData?.length ?? 0);
  const keep = () => {
    const code = script.createCachedData();
    // What a daemon compiles depends on what it was asked: one that did more serves the next one better.
    if (code.length > keptBytes * WORTH_KEEPING) keepCompiled(sum, code);
  };
  return { main: module.exports.main, keep };
}

/** What was kept of exactly this program, whole; V8 refuses what another version of it compiled. */
function findCompiled(sum) {
  try {
    const kept = readFileSync(compiled);
    const code = kept.subarray(CHECKED_BYTES);
    return kept.subarray(0, CHECKED_BYTES).equals(checksums(sum, code)) ? code : undefined;
  } catch {
    return undefined;
  }
}

function keepCompiled(sum, code) {
  const unfinished = `${compiled}.${process.pid}`;
  try {
    writeFileSync(unfinished, Buffer.concat([checksums(sum, code), code]));
    renameSync(unfinished, compiled);
  } catch {
    // Where nothing may be written, each start compiles; a full disk must not fill up with what was begun.
    discard(unfinished);
  }
}

function discard(file) {
  try {
    rmSync(file, { force: true });
  } catch {
    // It could not be made either.
  }
}

function checksums(sum, code) {
  const sums = Buffer.alloc(CHECKED_BYTES);
  sums.writeUInt32LE(sum, 0);
  sums.writeUInt32LE(zlib.crc32(code), 4);
  return sums;
}
