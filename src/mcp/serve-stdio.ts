// MCP over standard input and output, until the host closes it.

import { once } from 'node:events';
import { Writable } from 'node:stream';
import { serveStdio, StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import { createServer, type Serving } from './create-server.js';
import type { World } from './tool.js';

/** Serves until standard input ends. */
export async function serveMcp(world: World, serving: Serving): Promise<void> {
  // A device such as /dev/null ends, and is not closed.
  const ended = Promise.race([once(process.stdin, 'end'), once(process.stdin, 'close')]);
  const transport = new StdioServerTransport(process.stdin, takeStdout());
  serveStdio(() => createServer(world, serving), { transport });
  await ended;
}

/** Standard output for the protocol alone; what anything else writes there goes to standard error. */
function takeStdout(): Writable {
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return new Writable({ write: (chunk: Buffer, _encoding, done) => void write(chunk, done) });
}
