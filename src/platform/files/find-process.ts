// Which process does something, as far as /proc tells (Linux; of other users' processes only to root). Elsewhere nothing is
// known, which is no error.

import { readdirSync, readFileSync, readlinkSync, type Stats, statSync } from 'node:fs';

export interface FoundProcess {
  readonly pid: number;
  /** The name of its program, as the kernel keeps it: 15 characters at most. */
  readonly name: string;
}

/** State of a listening socket in /proc/net/tcp. */
const LISTENING = '0A';

/** The process that listens on a TCP port; undefined when /proc does not tell. */
export function findListener(port: number): FoundProcess | undefined {
  const hex = port.toString(16).toUpperCase().padStart(4, '0');
  const sockets = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) =>
    linesOf(table).flatMap((line) => {
      // Its number, own address, other address, state, queues, timer, retransmits, user, timeout, inode.
      const [, own = '', , state, , , , , , inode = ''] = line.trim().split(/\s+/);
      return state === LISTENING && own.endsWith(`:${hex}`) ? [`socket:[${inode}]`] : [];
    }),
  );
  if (sockets.length === 0) return undefined;
  const pid = processes().find((one) => opened(one).some((target) => sockets.includes(target)));
  return pid === undefined ? undefined : { pid, name: nameOf(pid) };
}

/** The process that holds a lock of the system on a file; undefined when none does, or /proc does not tell. */
export function findLockHolder(file: string): FoundProcess | undefined {
  const wanted = placeOf(file);
  if (wanted === undefined) return undefined;
  for (const line of linesOf('/proc/locks')) {
    // Its number, kind, how strict, READ or WRITE, process, device and inode, range.
    const [, , , access, pid = '', place = ''] = line.trim().split(/\s+/);
    if (access !== 'WRITE' || Number(pid) <= 0 || !place.endsWith(`:${wanted.ino}`)) continue;
    // Another disk has files of the same number, and some file systems show another device here: what is open decides.
    if (hasOpen(Number(pid), wanted)) return { pid: Number(pid), name: nameOf(Number(pid)) };
  }
  return undefined;
}

/** Whether a process was stopped by a signal (SIGSTOP, Ctrl+Z), and goes on with SIGCONT. */
export function isStopped(pid: number): boolean {
  return /\) [Tt] /.test(textOf(`/proc/${pid}/stat`));
}

/** What a process was started with, its program first; empty when /proc does not tell. */
export function argumentsOf(pid: number): string[] {
  return textOf(`/proc/${pid}/cmdline`).split('\0');
}

/** The soft limit of files that a process may have open; undefined for no limit, and where it is not known. */
export function openFileLimit(pid: number): number | undefined {
  const [, limit] = /^Max open files\s+(\d+)/m.exec(textOf(`/proc/${pid}/limits`)) ?? [];
  return limit === undefined ? undefined : Number(limit);
}

function processes(): number[] {
  return namesIn('/proc').flatMap((name) => (/^\d+$/.test(name) ? [Number(name)] : []));
}

/** Paths in /proc of the open files of a process. */
function openFiles(pid: number): string[] {
  const folder = `/proc/${pid}/fd`;
  return namesIn(folder).map((name) => `${folder}/${name}`);
}

/** What the open files of a process are. */
function opened(pid: number): string[] {
  return openFiles(pid).map((path) => {
    try {
      return readlinkSync(path);
    } catch {
      return '';
    }
  });
}

function hasOpen(pid: number, { ino, dev }: FilePlace): boolean {
  return openFiles(pid).some((path) => {
    const place = placeOf(path);
    return place?.ino === ino && place.dev === dev;
  });
}

function nameOf(pid: number): string {
  return textOf(`/proc/${pid}/comm`).trim();
}

function linesOf(file: string): string[] {
  return textOf(file).split('\n');
}

function textOf(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

type FilePlace = Pick<Stats, 'ino' | 'dev'>;

function placeOf(file: string): FilePlace | undefined {
  try {
    return statSync(file);
  } catch {
    return undefined;
  }
}
