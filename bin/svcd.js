#!/usr/bin/env node
// Hands the command line to the built program, and says in words what is missing when that cannot be. An old Node.js must
// be able to read all of this file.

import nodeModule from 'node:module';

// An import would read every export, and some of them load more of Node.js.
const require = nodeModule.createRequire(import.meta.url);
const { existsSync, mkdirSync, statSync } = require('fs');
const { homedir } = require('os');
const { isAbsolute, join } = require('path');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/main.js', import.meta.url);

if (major < 20 || (major === 20 && minor < 19)) {
  // 13 is "unsupported platform" in src/cli/terminal/exit-codes.ts.
  fail(
    'unsupported_platform',
    `svcd needs Node.js 20.19 or newer, and this is ${process.version}: install Node.js 22 or newer, then svcd with it.`,
    `svcd 需要 Node.js 20.19 或更新版本，当前是 ${process.version}：请安装 Node.js 22 或更新版本，再用它安装 svcd。`,
    13,
  );
} else if (!existsSync(program)) {
  fail(
    'internal',
    'svcd is not built yet: run "npm ci && npm run build" in its folder first.',
    'svcd 尚未构建：请先在它的文件夹中运行 "npm ci && npm run build"。',
    1,
  );
} else if (!hasFolder()) {
  // 2 is "wrong command" in src/cli/terminal/exit-codes.ts. Many programs ask for the folder, and none says what was wrong.
  fail(
    'invalid_argument',
    'svcd: the current folder was deleted: change to one that exists, such as by "cd ~", and run the command again.',
    'svcd: 当前文件夹已被删除：请换到存在的文件夹（例如 "cd ~"），再运行这条命令。',
    2,
  );
} else {
  keepCompiled();
  const { main } = await import(program);
  await main(process.argv.slice(2));
}

function hasFolder() {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

/** JSON is English; words are by the locale, as in src/cli/terminal/language.ts. */
function fail(code, message, chinese, exitCode) {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const words = /^zh([_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? chinese : message;
  const isJson = process.argv.slice(2).includes('--json');
  process.stderr.write(`${isJson ? JSON.stringify({ code, message }) : words}\n`);
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
