// Whose program is at the other end of a connection within this machine: Linux tells the user of every socket.

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** Of a socket that no program holds any more, which would be told as root's. */
const NO_INODE = '0';
/** No user's number: the system tells of this connection, and that nobody holds its other end. */
const NOBODY = -1;

/**
 * The user's number, also while half of the connection is closed; one that no user has where nobody holds the other end any
 * more; undefined where the system does not say: another system, another machine or container.
 */
export async function userAtOtherEnd(socket: Ends): Promise<number | undefined> {
  const [theirs, ours] = [
    endOf(socket.remoteAddress, socket.remotePort),
    endOf(socket.localAddress, socket.localPort),
  ] as const;
  let isTold = false;
  for (const file of process.platform === 'linux' ? ['/proc/net/tcp', '/proc/net/tcp6'] : []) {
    for (const line of (await readFile(file, 'latin1').catch(() => '')).split('\n')) {
      // Number, local address, remote address, state, queues, timer, retransmits, user, timeout, inode.
      const [, local = '', remote = '', , , , , user, , inode] = line.trim().split(/\s+/);
      if (local.endsWith(theirs) && remote.endsWith(ours) && inode !== NO_INODE) return Number(user);
      isTold ||= local.endsWith(ours) && remote.endsWith(theirs);
    }
  }
  return isTold ? NOBODY : undefined;
}

const judged = new WeakMap<object, Promise<boolean>>();

/**
 * Whether the other end is a program of the user who runs svcd or of root, as far as the system says; looked up once for each
 * connection. What lets a page in may be seen by other users, in the list of processes or by a port that they listen on.
 */
export function isOfThisUser(socket: Ends): Promise<boolean> {
  const known =
    judged.get(socket) ??
    userAtOtherEnd(socket).then((user) => user === undefined || user === 0 || user === process.getuid?.());
  judged.set(socket, known);
  return known;
}

/** An address of IPv4 or ::1 and its port as they stand there: four bytes at a time, the last one first. */
function endOf(address = '', port = 0): string {
  const bytes =
    address === '::1'
      ? [0, 0, 0, 1]
      : address
          .replace(/^::ffff:/i, '')
          .split('.')
          .map(Number);
  const hex = [...bytes.toReversed(), port >> 8, port & 0xff].map((one) => one.toString(16).padStart(2, '0')).join('');
  return `${hex.slice(0, 8)}:${hex.slice(8)}`.toUpperCase();
}
