// The servers that are compared, each a process of its own on the servers' core: the built svcd with its
// sandbox, bare hono, nginx.

import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { endChild, type Workbench } from './workbench.js';

export interface Server {
  readonly url: string;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface SvcdServer extends Server {
  /** The local token of its home. */
  readonly token: string;
}

const SVCD = join(import.meta.dirname, '..', '..', 'bin', 'svcd.js');
const BARE_HONO = join(import.meta.dirname, 'bare-hono.mjs');
const NGINX_TRIES = 100;

/** Starts the built svcd with its sandbox, or another remote, on a home; as a hub by another command. */
export async function startSvcd(
  bench: Workbench,
  home: string,
  command = ['start'],
  remote = ['--sandbox'],
): Promise<SvcdServer> {
  const args = [SVCD, ...command, ...remote, '--port', '0', '--home', home, '--json'];
  const child = bench.spawn('server', process.execPath, { args, stdio: ['ignore', 'pipe', 'pipe'] });
  const line = await firstLine(child, 'svcd');
  const { url, token } = line.local ?? line;
  if (token === undefined) throw new Error('svcd told no token');
  return { ...serverOf(child, url), token };
}

/** Starts bare hono on svcd's paths: texts to give out in turn, or the file of whatever sticker is asked for. */
export async function startBareHono(bench: Workbench, answers: readonly string[] | Uint8Array): Promise<Server> {
  const [kind, bytes] = answers instanceof Uint8Array ? ['sticker', answers] : ['texts', JSON.stringify(answers)];
  const file = join(bench.makeFolder('bare-hono'), kind);
  writeFileSync(file, bytes);
  const child = bench.spawn('server', process.execPath, { args: [BARE_HONO, kind, file] });
  return serverOf(child, (await firstLine(child, 'bare hono')).url);
}

/** Starts nginx, serving `bytes` as a file at `path`. */
export async function startNginx(bench: Workbench, path: string, bytes: Uint8Array): Promise<Server> {
  const folder = bench.makeFolder('nginx');
  const file = join(folder, 'www', decodeURIComponent(path));
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, bytes);
  const port = await findFreePort();
  writeFileSync(join(folder, 'nginx.conf'), nginxConfig(folder, port));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')];
  const child = bench.spawn('server', 'nginx', { args, stdio: ['ignore', 'ignore', 'ignore'] });
  const server = serverOf(child, `http://127.0.0.1:${port}`);
  await untilAnswered(server.url + path, child);
  return server;
}

// One process, the settings Debian ships for static files, and no path outside the folder.
function nginxConfig(folder: string, port: number): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((kind) => `${kind}_temp_path ${folder}/temp;`)
    .join(' ');
  return `
daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid;
events { worker_connections 256; }
http {
  access_log off; sendfile on; tcp_nopush on; default_type application/json; ${temporary}
  server { listen 127.0.0.1:${port}; root ${folder}/www; }
}
`;
}

function serverOf(child: ChildProcess, url: string): Server {
  if (child.pid === undefined) throw new Error(`${child.spawnfile} did not start`);
  return { url, pid: child.pid, stop: () => endChild(child) };
}

interface FirstLine {
  readonly url: string;
  readonly token?: string;
  /** Of a hub: what its own machine uses. */
  readonly local?: FirstLine;
}

async function firstLine(child: ChildProcess, name: string): Promise<FirstLine> {
  if (child.stdout === null) throw new Error(`${name} has no output to read`);
  let complaint = '';
  child.stderr?.on('data', (chunk: Buffer) => (complaint = chunk.toString('utf8')));
  for await (const line of createInterface({ input: child.stdout })) return JSON.parse(line) as FirstLine;
  throw new Error(`${name} did not come up: ${complaint}`);
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  return port;
}

async function untilAnswered(url: string, child: ChildProcess): Promise<void> {
  for (let tries = 0; tries < NGINX_TRIES && child.exitCode === null; tries++) {
    const status = await fetch(url).then(
      async (response) => {
        await response.arrayBuffer();
        return response.status;
      },
      () => undefined,
    );
    if (status === 200) return;
    await wait(20);
  }
  throw new Error('nginx does not answer');
}
