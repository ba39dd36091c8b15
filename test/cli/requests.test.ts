// How often a command asks the daemon, and that it first asks who answers.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { homeInTest, serve } from '../support/in-test.js';
import { runHere } from '../support/run-here.js';

const TOKEN = 'svcd_of-this-home';
const STATUS = {
  name: 'svcd',
  pid: process.pid,
  remote: { address: null, sandbox: true, offline: false, forced: false, since: null, why: null, held_until: null },
};

/** A home whose note names a server of this test, which answers everything with what every command can read. */
async function openHome() {
  const home = homeInTest();
  const seen: string[] = [];
  const url = await serve((request, response) => {
    const mark = request.headers.authorization === `Bearer ${TOKEN}` ? ' with the token' : '';
    seen.push(`${request.method} ${request.url}${mark}`);
    const body = request.url === '/svcd/status' ? STATUS : { budgets: [], tokens: [], results: [] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
  });
  writeFileSync(join(home, 'runtime.json'), JSON.stringify({ pid: process.pid, url, token: TOKEN }));
  return { home, seen };
}

describe('a command', () => {
  it.each([
    [['status'], ['GET /svcd/status']],
    [['token', 'list'], ['GET /svcd/tokens']],
    [['budget'], ['GET /svcd/spending']],
    [['budget', 'set', '--day', '5'], ['PUT /svcd/budget']],
    [['library', 'pause'], ['POST /svcd/library/pause']],
    [['purchases', 'settle', '7'], ['POST /svcd/purchases/7/settle']],
    [['search', 'x'], ['GET /api/v1/stickers/search?q=x&limit=12']],
  ])('%j asks who answers, without the token, and then its question', async (args, questions) => {
    const { home, seen } = await openHome();
    const { code, stderr } = await runHere([...args, '--json'], { home });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(seen).toEqual(['GET /svcd/status', ...questions.map((one) => `${one} with the token`)]);
  });
});
