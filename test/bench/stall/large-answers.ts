// npm run bench:large [-- COUNT MEGABYTES]: how long image answers of many megabytes that come at once hold the loop of svcd, until
// what memory it grows, and when all of them are owned. A client in a thread of its own asks for little all the while.

import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { openWorkbench } from '../workbench.js';
import { startSvcd } from '../start-server.js';
import { startPinger } from './pinger.js';

const [count = 8, megabytes = 31] = process.argv.slice(2).map(Number);
const bench = openWorkbench();

// Answers are sent when all were asked for, as fast as they are taken.
const picture = randomBytes(megabytes * 0.75 * 1_000_000).toString('base64');
const waiting: (() => void)[] = [];
const service = createServer((request, response) => {
  const answer = () => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ size: '1024x1024', b64_json: picture, asked: request.url }));
  };
  request.resume();
  if (request.url !== '/api/v1/images') return void response.end('{}');
  if (waiting.push(answer) === count) waiting.forEach((one) => one());
});
service.listen(0, '127.0.0.1');
await once(service, 'listening');

const home = bench.makeFolder('home');
const keyFile = join(bench.makeFolder('key'), 'key');
writeFileSync(keyFile, 'sk-bench', { mode: 0o600 });
const remote = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
const svcd = await startSvcd(
  bench,
  home,
  ['start', '--background-sync=false', '--key-file', keyFile],
  ['--remote', remote],
);
const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
await fetch(`${svcd.url}/svcd/budget`, { method: 'PUT', headers, body: '{"request":null,"day":null,"month":null}' });
const pinger = startPinger(svcd);
await wait(3000);
const before = peakMb();
const begun = performance.now();
const longest = await pinger.longestDuring(async () => {
  const asked = Array.from({ length: count }, async (_unused, at) => {
    const body = JSON.stringify({ prompt: `picture ${at}`, size: '1024x1024' });
    const answer = await fetch(`${svcd.url}/api/v1/images`, { method: 'POST', headers, body });
    for await (const _ of answer.body ?? []) continue;
    return `${answer.status} ${answer.headers.get('x-svcd-source')}`;
  });
  const told = await Promise.all(asked);
  if (told.some((one) => one !== '200 remote')) throw new Error(told.join(', '));
});
const seconds = (performance.now() - begun) / 1000;
const after = await pinger.longestDuring(() => wait(5000));
process.stdout.write(
  `${count} answers of ${megabytes} MB: computed ${longest.computed.toFixed(0)} ms, waited ${longest.waited.toFixed(0)} ms at the ` +
    `longest (${after.computed.toFixed(0)} ms afterwards); ${seconds.toFixed(1)} s; ${peakMb() - before} MB more than ${before}\n`,
);
await pinger.end();
await svcd.stop();
process.exit(0);

/** The most memory that svcd had at once. */
function peakMb(): number {
  const [, kilobytes = 0] = /VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${svcd.pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}
