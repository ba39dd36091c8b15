// A place where svcd can be broken and mended: a home, what its owner's shell has, and a shell in which a printed command is
// run as a person would run it.

import { createHash } from 'node:crypto';
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { ROOT } from './doc-table.js';
import { runCommand } from './run-command.js';
import { makeHome, runSvcd } from './run-svcd.js';

export interface Check {
  readonly name: string;
  readonly code: string;
  readonly state: 'ok' | 'warn' | 'bad';
  readonly words: string;
  readonly hint?: string;
  readonly command?: string;
}

export interface Diagnosis {
  readonly code: number | null;
  readonly checks: readonly Check[];
  readonly text: string;
  of(name: string, code?: string): Check | undefined;
}

export class BrokenPlace {
  readonly folder = mkdtempSync(join(tmpdir(), 'svcd-broken-'));
  readonly home = join(this.folder, 'home');
  /** Where the shell is. */
  readonly cwd = join(this.folder, 'work');
  readonly bin = join(this.folder, 'bin');
  /** What a person would fill in for a word in capitals. */
  readonly blanks: Record<string, string> = {};
  /** Written to the commands that ask. */
  stdin = '';
  /** A line that the shell runs first, such as one that sets a limit. */
  before = ':';
  readonly env: Record<string, string>;

  constructor() {
    onTestFinished(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }));
    for (const made of [this.cwd, this.bin]) mkdirSync(made);
    this.program('svcd', `exec '${process.execPath}' '${join(ROOT, 'bin', 'svcd.js')}' "$@"`);
    // Tests run as root, or skip what needs it.
    this.program('sudo', 'exec "$@"');
    this.env = {
      PATH: `${this.bin}:${join(process.execPath, '..')}:/usr/bin:/bin:/usr/sbin:/sbin`,
      HOME: this.folder,
      XDG_CACHE_HOME: join(ROOT, 'node_modules', '.cache'),
      SVCD_HOME: this.home,
      SVCD_BACKGROUND_SYNC: 'false',
    };
  }

  program(name: string, script: string): void {
    writeFileSync(join(this.bin, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(this.bin, name), 0o755);
  }

  config(settings: object): void {
    if (!existsSync(this.home)) mkdirSync(this.home, { mode: 0o700 });
    writeFileSync(join(this.home, 'config.json'), JSON.stringify(settings), { mode: 0o600 });
  }

  /** A home that was used with the sandbox, and owns one sticker. */
  async use(): Promise<void> {
    cpSync(await usedHome(), this.home, { recursive: true });
    chmodSync(this.home, 0o700);
  }

  /** Another installation of this svcd, with other content of package.json. */
  install(name: string, manifest: object): string {
    const folder = join(this.folder, name);
    mkdirSync(folder);
    for (const part of ['bin', 'dist', 'data', 'node_modules']) symlinkSync(join(ROOT, part), join(folder, part));
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    return folder;
  }

  /** Lines in a shell of the owner; what the last one ended with. */
  shell(lines: string) {
    const script = `cd '${this.cwd}'\n${this.before}\n${lines}`;
    const stdin = `printf '%s\\n' '${this.stdin}' | sh -c "$0"`;
    return runCommand('sh', ['-c', stdin, script], this.env);
  }

  doctor(first = ':'): Promise<Diagnosis> {
    return this.shell(`${first} >&2\nsvcd doctor --json`).then(({ code, stdout, stderr }) => {
      const { checks } = JSON.parse(stdout === '' ? '{"checks":[]}' : stdout) as { checks: Check[] };
      const of = (name: string, wanted?: string) =>
        checks.find((one) => one.name === name && (wanted === undefined || one.code === wanted));
      return { code, checks, text: stdout + stderr, of };
    });
  }

  /** A printed command, with its blanks filled in. */
  fill(command: string): string {
    return command.replace(/\b(?:ADDRESS|FILE|PROXY)\b/g, (word) => this.blanks[word] ?? word);
  }

  /** Name, mode, time and content of everything in the home and the working folder. */
  snapshot(): Record<string, string> {
    const seen: Record<string, string> = {};
    const look = (path: string) => {
      const { mode, mtimeMs, size } = statSync(path);
      // Shared memory and an empty log come and go with whoever reads a database.
      if (/-(?:shm|wal)$/.test(path)) return;
      const isFile = statSync(path).isFile();
      const digest = isFile && size < 50_000_000 ? createHash('sha256').update(readFileSync(path)).digest('hex') : '';
      const isFolder = statSync(path).isDirectory();
      seen[path] = [mode.toString(8), isFolder ? '' : mtimeMs, digest].join(' ');
      if (isFolder) for (const name of readdirSync(path)) look(join(path, name));
    };
    for (const root of [this.home, this.cwd]) if (existsSync(root)) look(root);
    return seen;
  }
}

let used: Promise<string> | undefined;

/** Made once; copied for each test. */
function usedHome(): Promise<string> {
  return (used ??= makeUsedHome());
}

async function makeUsedHome(): Promise<string> {
  const { home, remove } = makeHome();
  process.once('exit', remove);
  const env = { SVCD_SANDBOX: 'true' };
  const got = await runSvcd(['get', 'fluent-emoji-flat/balloon', '-o', '/dev/null'], { home, env });
  if (got.code !== 0) throw new Error(got.stderr);
  await runSvcd(['config', 'set', 'sandbox', 'true'], { home });
  await runSvcd(['token', 'show'], { home });
  return home;
}
