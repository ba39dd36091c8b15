// A line that can break: it stands between a client and a server, and cuts, holds or loses what goes through it.

import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a client of PostgreSQL sends to commit; without its last byte it would be found in `READ COMMITTED`. */
export const COMMIT = 'COMMIT\0';

/** `up` is from the client to the server. */
export type Direction = 'up' | 'down';

export interface TcpProxy {
  readonly port: number;
  /** Connections taken so far. */
  readonly taken: number;
  /** Ends all connections and refuses new ones. */
  cut(): void;
  /** Holds what goes these ways, until `mend`. */
  stall(...directions: Direction[]): void;
  /** Loses what goes these ways, without a sign to either end. */
  drop(...directions: Direction[]): void;
  /**
   * The next time that a client sends these bytes, the server gets them, and no answer comes back on that connection;
   * `cut` ends it after the server has answered. Resolves then.
   */
  loseAnswerTo(bytes: string, how?: 'silence' | 'cut'): Promise<void>;
  /** Cuts all lines in place of the so manyth message from a client from now on; resolves then. */
  cutAt(message: number): Promise<void>;
  /** Lets everything through again; what was lost stays lost. */
  mend(): void;
  close(): Promise<void>;
}

interface Line {
  readonly client: Socket;
  readonly server: Socket;
  /** The answers on it are lost. */
  mute: boolean;
}

/** Opens a way to a port of this machine, which takes so long in each direction. */
export async function startTcpProxy(target: number, delayMs = 0): Promise<TcpProxy> {
  const lines = new Set<Line>();
  const [stalled, dropped] = [new Set<Direction>(), new Set<Direction>()];
  let isCut = false;
  let taken = 0;
  let countdown: { left: number; reached: () => void } | undefined;
  let trap: { bytes: string; how: 'silence' | 'cut'; sprung: () => void } | undefined;

  const end = (line: Line) => {
    lines.delete(line);
    line.client.destroy();
    line.server.destroy();
  };
  const pass = (line: Line, direction: Direction) => {
    const [from, to] = direction === 'up' ? [line.client, line.server] : [line.server, line.client];
    from.on('data', (bytes: Buffer) => {
      if (dropped.has(direction)) return;
      if (direction === 'down' && line.mute) return;
      if (direction === 'up' && countdown !== undefined && (countdown.left -= 1) === 0) {
        isCut = true;
        for (const one of lines) end(one);
        return countdown.reached();
      }
      if (direction === 'up' && trap !== undefined && bytes.includes(trap.bytes)) {
        const { how, sprung } = trap;
        trap = undefined;
        line.mute = true;
        line.server.once('data', () => {
          if (how === 'cut') end(line);
          sprung();
        });
      }
      if (delayMs === 0) to.write(bytes);
      else setTimeout(() => to.write(bytes), delayMs);
    });
    from.on('error', () => end(line)).on('close', () => end(line));
  };
  const server = createServer((client) => {
    taken += 1;
    if (isCut) return void client.destroy();
    const line = { client, server: connect(target, '127.0.0.1'), mute: false };
    lines.add(line);
    for (const direction of ['up', 'down'] as const) pass(line, direction);
    hold(line);
  });
  const hold = ({ client, server: behind }: Line) => {
    for (const [direction, socket] of [
      ['up', client],
      ['down', behind],
    ] as const) {
      if (stalled.has(direction)) socket.pause();
      else socket.resume();
    }
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    get taken() {
      return taken;
    },
    cut: () => {
      isCut = true;
      for (const line of lines) end(line);
    },
    stall: (...directions) => {
      for (const direction of directions) stalled.add(direction);
      for (const line of lines) hold(line);
    },
    drop: (...directions) => {
      for (const direction of directions) dropped.add(direction);
    },
    loseAnswerTo: (bytes, how = 'silence') => new Promise((resolve) => (trap = { bytes, how, sprung: resolve })),
    cutAt: (message) => new Promise((resolve) => (countdown = { left: message, reached: resolve })),
    mend: () => {
      isCut = false;
      countdown = undefined;
      trap = undefined;
      stalled.clear();
      dropped.clear();
      for (const line of lines) hold(line);
    },
    close: async () => {
      for (const line of lines) end(line);
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
