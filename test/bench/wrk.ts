// The load generator: wrk, on its own core, asking servers in turn so that noise falls on all of them alike.

import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { median } from './report.js';
import type { Server } from './start-server.js';
import { missingProgram, type Workbench } from './workbench.js';

export interface Load {
  /** GET these paths in turn, or POST these bodies in turn to one path. */
  readonly kind: 'paths' | 'bodies';
  readonly lines: readonly string[];
  /** Where bodies go. */
  readonly path?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const ROUNDS = 9;
const SECONDS = 1;
const WARM_UP_SECONDS = 1;
const CONNECTIONS = 16;
const SCRIPT = join(import.meta.dirname, 'load.lua');

/** How throughput is measured, for people. */
export const HOW_LOADED = `wrk with ${CONNECTIONS} connections, ${ROUNDS} rounds of ${SECONDS} s each in turn, the median`;

/** Why no load can be made; undefined when it can. */
export function missingWrk(): string | undefined {
  return missingProgram('wrk', 'wrk');
}

/** Requests a second of each server under the same load. Throws when one answers with an error. */
export async function raceServers(bench: Workbench, servers: readonly Server[], load: Load): Promise<number[]> {
  const file = join(bench.makeFolder('load'), 'lines');
  writeFileSync(file, load.lines.join('\n'));
  const rounds: number[][] = servers.map(() => []);
  for (const server of servers) await runWrk(bench, server, load, file, WARM_UP_SECONDS);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [at, server] of servers.entries()) {
      rounds[at]?.push(await runWrk(bench, server, load, file, SECONDS));
    }
  }
  return rounds.map(median);
}

async function runWrk(bench: Workbench, server: Server, load: Load, file: string, seconds: number): Promise<number> {
  const headers = Object.entries(load.headers).flatMap(([name, value]) => ['-H', `${name}: ${value}`]);
  const shape = ['-t', '1', '-c', String(CONNECTIONS), '-d', `${seconds}s`, '-s', SCRIPT];
  const args = [...shape, ...headers, server.url + (load.path ?? '/'), '--', load.kind, file];
  const child = bench.spawn('load', 'wrk', { args });
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => chunks.push(chunk));
  await once(child, 'close');
  return readRate(Buffer.concat(chunks).toString('utf8'));
}

function readRate(output: string): number {
  const wrong = /Non-2xx.*|Socket errors:.*/.exec(output);
  const rate = /Requests\/sec:\s*([\d.]+)/.exec(output)?.[1];
  if (wrong === null && rate !== undefined) return Number(rate);
  throw new Error(`wrk: ${wrong?.[0] ?? output}`);
}
