// Whose program is at the other end of a connection within this machine: Linux tells the user of every socket.

import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';

/** The user's number; undefined where the system does not say: another system, another machine or container. */
export async function userAtOtherEnd(socket: Pick<Socket, 'localPort' | 'remotePort'>): Promise<number | undefined> {
  for (const file of process.platform === 'linux' ? ['/proc/net/tcp', '/proc/net/tcp6'] : []) {
    for (const line of (await readFile(file, 'latin1').catch(() => '')).split('\n')) {
      // proc(5): number, local address, remote address, state, queues, timer, retransmits, user.
      const [, local, remote, , , , , user] = line.trim().split(/\s+/);
      if (portIn(local) === socket.remotePort && portIn(remote) === socket.localPort) return Number(user);
    }
  }
  return undefined;
}

const portIn = (address = ''): number => Number.parseInt(address.slice(address.indexOf(':') + 1), 16);
