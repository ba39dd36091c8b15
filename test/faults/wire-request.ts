// One HTTP request read from a raw socket: as much of the protocol as svcd speaks to its remote.

import type { Socket } from 'node:net';

export interface WireRequest {
  readonly method: string;
  /** As sent, with its query. */
  readonly path: string;
  /** What the bearer is. */
  readonly key: string | undefined;
  readonly body: string;
}

const HEAD_END = '\r\n\r\n';

/** Reads a request; undefined when the connection ends before it is whole. */
export async function readRequest(socket: Socket): Promise<WireRequest | undefined> {
  let bytes = Buffer.alloc(0);
  try {
    for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
      bytes = Buffer.concat([bytes, chunk as Buffer]);
      const request = parseRequest(bytes);
      if (request === undefined) continue;
      // Goes on reading, so that the client's going away is noticed.
      socket.resume();
      return request;
    }
  } catch {
    // A client that resets the connection in mid request asked for nothing.
  }
  return undefined;
}

function parseRequest(bytes: Buffer): WireRequest | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const head = bytes.toString('latin1', 0, headEnd);
  const [method = '', path = ''] = head.split(' ', 2);
  const length = Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0);
  const body = bytes.subarray(headEnd + HEAD_END.length);
  if (body.length < length) return undefined;
  const key = /^authorization: *bearer (\S+)/im.exec(head)?.[1];
  return { method, path, key, body: body.toString('utf8', 0, length) };
}
