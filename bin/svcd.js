#!/usr/bin/env node
// Hands the command line to the built program, and says in words what is missing when that cannot be. An old Node.js must
// be able to read all of this file.

// An import would read every export, and some of them load more of Node.js. One that lacks this is refused below.
const builtin = process.getBuiltinModule || (() => ({}));
const { existsSync, mkdirSync, readFileSync, statSync } = builtin('fs');
const { isAbsolute, join } = builtin('path');

const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
const program = new URL('../dist/main.js', import.meta.url);

const OLD_NODE = `svcd needs Node.js 20.19 or newer, and this is ${process.version}: install Node.js 22 or newer, then svcd with it.`;
const OLD_NODE_ZH = `svcd 需要 Node.js 20.19 或更新版本，当前是 ${process.version}：请安装 Node.js 22 或更新版本，再用它安装 svcd。`;
const NOT_BUILT = 'svcd is not built yet: run "npm ci && npm run build" in its folder first.';
const NOT_BUILT_ZH = 'svcd 尚未构建：请先在它的文件夹中运行 "npm ci && npm run build"。';
const BUILDING = 'svcd is being built: run the command again when "npm run build" or "npm start" has built it.';
const BUILDING_ZH = 'svcd 正在构建：请等 "npm run build" 或 "npm start" 构建完成后再运行这条命令。';
// Many programs ask for the folder while they load, and none says what was wrong.
const NO_FOLDER =
  'svcd: the current folder was deleted: change to one that exists, such as by "cd ~", and run the command again.';
const NO_FOLDER_ZH = 'svcd: 当前文件夹已被删除：请换到存在的文件夹（例如 "cd ~"），再运行这条命令。';

if (major < 20 || (major === 20 && minor < 19)) fail(13, 'unsupported_platform', OLD_NODE, OLD_NODE_ZH);
else if (tried(isBeingBuilt)) fail(12, 'busy', BUILDING, BUILDING_ZH);
else if (!existsSync(program)) fail(1, 'internal', NOT_BUILT, NOT_BUILT_ZH);
else if (tried(process.cwd) === undefined) fail(2, 'invalid_argument', NO_FOLDER, NO_FOLDER_ZH);
else {
  // Where nothing may be written, each start compiles.
  tried(keepCompiled);
  await (await import(program)).main(process.argv.slice(2));
}

/** Codes as in src/cli/terminal/exit-codes.ts. JSON is English; words are by the locale, as in terminal/language.ts. */
function fail(exitCode, code, message, chinese) {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env;
  const words = /^zh([_.@-]|$)/i.test(LC_ALL || LC_MESSAGES || LANG || '') ? chinese : message;
  process.stderr.write(`${process.argv.includes('--json') ? JSON.stringify({ code, message }) : words}\n`);
  process.exitCode = exitCode;
}

/** Whether the process that builds it (bin/build.js) is still at work. Throws where there is none. */
function isBeingBuilt() {
  return process.kill(Number(readFileSync(new URL('../dist/building', import.meta.url), 'utf8')), 0);
}

/** Lets Node keep what it compiled (22.8 up), where others cannot plant code: not in the current folder (empty HOME). */
function keepCompiled() {
  const { enableCompileCache } = builtin('module');
  const folder = join(process.env.XDG_CACHE_HOME || join(builtin('os').homedir(), '.cache'), 'svcd', 'compiled');
  if (enableCompileCache === undefined || !isAbsolute(folder)) return;
  if (!existsSync(folder)) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const { uid, mode } = statSync(folder);
  if (uid === (process.getuid?.() ?? 0) && (mode & 0o022) === 0) enableCompileCache(folder);
}

/** What the work gives; undefined where the system does not let it. */
function tried(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
