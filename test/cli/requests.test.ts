// How often a command asks the daemon, and that only the daemon of the home learns the token.

import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { makeHome, runSvcd } from '../support/run-svcd.js';

const TOKEN = 'svcd_of-this-home';
const STATUS = {
  name: 'svcd',
  pid: process.pid,
  remote: { address: null, sandbox: true, offline: false, forced: false, since: null, why: null, held_until: null },
};

/** A home whose note names a server of this test, which answers everything with what every command can read. */
async function openHome(status: object) {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const mark = request.headers.authorization === `Bearer ${TOKEN}` ? ' with the token' : '';
    seen.push(`${request.method} ${request.url}${mark}`);
    const body = request.url === '/svcd/status' ? status : { budgets: [], tokens: [], results: [] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  writeFileSync(join(home, 'runtime.json'), JSON.stringify({ pid: process.pid, url, token: TOKEN }));
  return { home, seen };
}

describe('a command', () => {
  it.each([
    [['status'], []],
    [['token', 'list'], ['GET /svcd/tokens']],
    [['budget'], ['GET /svcd/spending']],
    [['budget', 'set', '--day', '5'], ['PUT /svcd/budget']],
    [['library', 'pause'], ['POST /svcd/library/pause']],
    [['purchases', 'settle', '7'], ['POST /svcd/purchases/7/settle']],
    [['search', 'x'], ['GET /api/v1/stickers/search?q=x&limit=12']],
  ])('%j asks who answers, without the token, and then its question', async (args, questions) => {
    const { home, seen } = await openHome(STATUS);
    const { code, stderr } = await runSvcd([...args, '--json'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(seen).toEqual(['GET /svcd/status', ...questions.map((one) => `${one} with the token`)]);
  });

  it('sends no token to another program that has the port now', async () => {
    const { home, seen } = await openHome({ ...STATUS, pid: process.pid + 1 });
    expect((await runSvcd(['token', 'list', '--json'], { home })).code).toBe(0);
    expect(seen).toEqual(['GET /svcd/status']);
  });
});
