// Whose program is at the other end of a connection within this machine: Linux tells the user of every socket.

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

type Ends = Pick<Socket, 'localAddress' | 'localPort' | 'remoteAddress' | 'remotePort'>;

/** As proc(5) numbers it. One that is closing belongs to nobody any more, and would be told as root's. */
const ESTABLISHED = '01';

/** The user's number; undefined where the system does not say: another system, another machine or container. */
export async function userAtOtherEnd(socket: Ends): Promise<number | undefined> {
  const [theirs, ours] = [
    endOf(socket.remoteAddress, socket.remotePort),
    endOf(socket.localAddress, socket.localPort),
  ] as const;
  for (const file of process.platform === 'linux' ? ['/proc/net/tcp', '/proc/net/tcp6'] : []) {
    for (const line of (await readFile(file, 'latin1').catch(() => '')).split('\n')) {
      // Number, local address, remote address, state, queues, timer, retransmits, user.
      const [, local = '', remote = '', state, , , , user] = line.trim().split(/\s+/);
      if (state === ESTABLISHED && local.endsWith(theirs) && remote.endsWith(ours)) return Number(user);
    }
  }
  return undefined;
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
