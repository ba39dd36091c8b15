// Which program is started on Windows, and how a batch file gets its arguments. Not run on Windows: the rules are those
// of its documentation and of Rust's standard library.

import { describe, expect, it } from 'vitest';
import { resolveProgram, type ProgramWorld } from '../../src/cli/run/run-child.js';

const NODE = 'C:\\Program Files\\nodejs';
const FILES = new Set([
  `${NODE}\\npm`,
  `${NODE}\\npm.cmd`,
  `${NODE}\\node.exe`,
  'C:\\work\\render.bat',
  'C:\\tools\\x.com',
]);
const windows: ProgramWorld = {
  platform: 'win32',
  env: { Path: `C:\\Windows;"${NODE}";C:\\tools`, PATHEXT: '.COM;.EXE;.BAT;.CMD', COMSPEC: 'C:\\Windows\\cmd.exe' },
  isFile: (path) => FILES.has(path),
};
const resolve = (program: string, ...args: string[]) => resolveProgram(program, args, windows);
/** What cmd.exe gets for the arguments of npm. */
const quoted = (...args: string[]) =>
  resolve('npm', ...args)
    .args.at(-1)
    ?.slice(`""${NODE}\\npm.cmd"`.length, -1);

describe('a program', () => {
  it('is what was typed, everywhere but on Windows', () => {
    const typed = { file: 'npm', args: ['run', 'a b'], verbatim: false };
    expect(resolveProgram('npm', ['run', 'a b'], { ...windows, platform: 'linux' })).toEqual(typed);
  });

  it('npm is npm.cmd on Windows, by cmd.exe, and not the file beside it for other shells', () => {
    expect(resolve('npm', 'run', 'render')).toEqual({
      file: 'C:\\Windows\\cmd.exe',
      args: ['/e:ON', '/v:OFF', '/d', '/c', `""${NODE}\\npm.cmd" run render"`],
      verbatim: true,
    });
  });

  it.each([
    ['node', `${NODE}\\node.exe`],
    ['NODE.EXE', 'NODE.EXE'],
    ['node.exe', `${NODE}\\node.exe`],
    ['x', 'C:\\tools\\x.com'],
    ['nothing', 'nothing'],
    ['C:/tools/x', 'C:\\tools\\x.com'],
  ])('%s is started without a shell', (typed, file) => {
    expect(resolve(typed, 'a b')).toEqual({ file, args: ['a b'], verbatim: false });
  });

  it('in a folder that was typed needs no PATH', () => {
    expect(resolve('C:\\work\\render').args.at(-1)).toBe('""C:\\work\\render.bat""');
  });
});

describe('an argument of a batch file', () => {
  it.each([
    ['plain', ' plain'],
    ['--a=b', ' "--a=b"'],
    ['a b', ' "a b"'],
    ['', ' ""'],
    ['日落', ' 日落'],
    ['a&calc', ' "a&calc"'],
    ['a"&calc&"', ' "a""&calc&"""'],
    ['a\\"b', ' "a\\\\""b"'],
    ['C:\\a\\', ' "C:\\a\\\\"'],
    ['%PATH%', ' "%%cd:~,%PATH%%cd:~,%"'],
    ['^!', ' "^!"'],
  ])('%j cannot leave its quotes', (arg, line) => {
    expect(quoted(arg)).toBe(line);
  });

  it.each([['a\nb'], ['a\rb'], ['a\0b']])('%j is refused', (arg) => {
    expect(() => quoted(arg)).toThrow(/line break/);
  });
});
