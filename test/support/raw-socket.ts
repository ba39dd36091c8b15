// Requests below HTTP: bytes out, everything that comes back, whatever an HTTP client would say to either.

import { connect, type Socket } from 'node:net';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; of a repeated header the values in one, as HTTP has it. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** A head from its lines, with the empty line after it. */
export function head(...lines: readonly string[]): string {
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** Opens a connection that never throws; `heard` is all that has come back so far. */
export function openRaw(port: number): { socket: Socket; heard: () => string; closed: Promise<string> } {
  const chunks: Buffer[] = [];
  const socket = connect(port, '127.0.0.1');
  const heard = () => Buffer.concat(chunks).toString('latin1');
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.on('error', () => undefined);
  const closed = new Promise<string>((resolve) => void socket.on('close', () => resolve(heard())));
  return { socket, heard, closed };
}

/** Sends bytes and waits until the other side has closed the connection. */
export function exchangeRaw(port: number, sent: string | Buffer): Promise<string> {
  const { socket, closed } = openRaw(port);
  socket.write(typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent);
  return closed;
}

/** The first answer in what came back. Throws when there is none. */
export function parseAnswer(text: string): RawAnswer {
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n');
  const status = /^HTTP\/1\.1 (\d{3}) /.exec(`${statusLine} `)?.[1];
  if (status === undefined || end === -1) throw new Error(`no answer in ${JSON.stringify(text.slice(0, 200))}`);
  const headers = new Map<string, string>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const [name, value] = [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return { status: Number(status), headers, body: text.slice(end + 4) };
}
