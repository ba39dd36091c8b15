// Which file a typed program is on Windows, and how a command line for it is quoted. Untested on Windows itself: a pure
// function of what the system would say.

import { win32 } from 'node:path';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { runWords } from './words.js';

/** What is asked of the system. */
export interface ProgramWorld {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly isFile: (path: string) => boolean;
}

export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  /** Whether `args` are the command line as Windows shall get it, with all its quotes. */
  readonly verbatim: boolean;
}

/**
 * The program to start for what was typed. Windows starts `npm` only by its whole name, `npm.cmd`, and Node refuses to
 * start a .cmd or .bat without a shell (CVE-2024-27980), because cmd.exe reads quotes in its own way. Throws
 * `invalid_argument` for an argument that cannot be quoted for it.
 */
export function resolveProgram(program: string, args: readonly string[], world: ProgramWorld): Program {
  if (world.platform !== 'win32') return { file: program, args, verbatim: false };
  const file = findOnWindows(program, world) ?? program;
  if (!/\.(cmd|bat)$/i.test(file)) return { file, args, verbatim: false };
  const line = [`"${file}"`, ...args.map((arg) => quoteForBatch(arg, file))].join(' ');
  // Extensions on, for %cd:~,%; delayed expansion off, for "!"; no AutoRun.
  return {
    file: lookUp(world.env, 'ComSpec') ?? 'cmd.exe',
    args: ['/e:ON', '/v:OFF', '/d', '/c', `"${line}"`],
    verbatim: true,
  };
}

/** The file that the words mean: in a folder that was typed, else of PATH, with an extension of PATHEXT. */
function findOnWindows(program: string, { env, isFile }: ProgramWorld): string | undefined {
  const extensions = (lookUp(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';').filter((one) => one !== '');
  const typed = win32.extname(program).toLowerCase();
  // Beside npm.cmd lies npm, which is for other shells.
  const isWhole = extensions.some((one) => one.toLowerCase() === typed);
  const endings = isWhole ? ['', ...extensions] : extensions;
  const folders = /[\\/:]/.test(program) ? [''] : (lookUp(env, 'PATH') ?? '').split(';').filter((one) => one !== '');
  for (const folder of folders) {
    const path = folder === '' ? win32.normalize(program) : win32.join(unquoted(folder), program);
    const found = endings.map((ending) => path + ending.toLowerCase()).find(isFile);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Names of variables have no case on Windows. */
function lookUp(env: ProgramWorld['env'], name: string): string | undefined {
  const key = Object.keys(env).find((one) => one.toUpperCase() === name.toUpperCase());
  return key === undefined ? undefined : env[key];
}

function unquoted(folder: string): string {
  return folder.replace(/^"(.*)"$/, '$1');
}

/**
 * One argument of a batch file, as Rust's standard library quotes it (library/std/src/sys/args/windows.rs,
 * append_bat_arg): a quote is doubled, so that cmd.exe never leaves the quoted state, in its own reading and in that of
 * `%*`; `%` becomes `%%cd:~,%`, which expands to itself.
 */
function quoteForBatch(arg: string, file: string): string {
  if (/[\0\r\n]/.test(arg)) {
    throw invalidArgument(runWords().cannotQuote(file, arg));
  }
  const inner = arg.replace(/(\\*)"/g, '$1$1""').replaceAll('%', '%%cd:~,%');
  // oxlint-disable-next-line no-control-regex -- C1 controls are quoted too, as there.
  if (arg !== '' && !/[^\w#$*+\-./:?@\\\u00a0-\uffff]|\\$/.test(arg)) return inner;
  return `"${inner.replace(/(\\+)$/, '$1$1')}"`;
}
