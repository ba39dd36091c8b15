// Files that answers of the remote name: which are fetched by themselves, which are served, and for how long.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { startTestDaemon, temporaryHome } from '../support/start-daemon.js';

const ORDER = { prompt: 'a cat', size: '1024x1024' };
const KEY = 'sk-user-key';

interface File {
  readonly type?: string;
  readonly bytes?: number;
  readonly status?: number;
}

/** A remote whose image answer names `links`, and which has `files`. */
async function startNaming(links: readonly string[], files: (path: string) => File = () => ({})) {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    request.resume();
    const path = request.url ?? '';
    if (request.method === 'POST') {
      const named = links.map((link) => `http://${request.headers.host}${link}`);
      const image = { size: ORDER.size, width: 1024, height: 1024, links: named };
      response.setHeader('content-type', 'application/json').end(JSON.stringify(image));
      return;
    }
    seen.push(path);
    const { type = 'image/png', bytes = 5, status = 200 } = files(path);
    response.writeHead(status, { 'content-type': type }).end('x'.repeat(bytes));
  });
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  // The balance is asked for before the first purchase.
  const asked = () => seen.filter((path) => path !== '/api/v1/usage');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked };
}

function startBefore(url: string, home = temporaryHome()) {
  return startTestDaemon({ flags: { remote: url }, userKey: KEY, home });
}

async function linksOf(answer: Response): Promise<string[]> {
  return ((await answer.json()) as { links: string[] }).links;
}

describe('a link in an image answer', () => {
  it.each([
    '/API/v1/stickers/food%2Fcake',
    '/api/v1/Stickers/food%2Fcake',
    '/api/v1/stickers/food%2Fcake',
    '/api/v1/x/..;/stickers/food%2Fcake',
    '/api;/v1/stickers/food%2Fcake',
    '/x/%252e%252e/api/v1/stickers/x.png',
    '/api/v1/music/tracks/1.png',
    '/api/v1/tasks/1.png',
    '/api/v1/images',
    '/api/v1/anything',
  ])('to %s is not followed', async (link) => {
    const remote = await startNaming([link, '/pictures/1.png']);
    const svcd = await startBefore(remote.url);
    await svcd.post('/api/v1/images', ORDER);
    await svcd.daemon.close();
    expect(remote.asked()).toEqual(['/pictures/1.png']);
  });

  it('is one of eight at most, and is kept only if it is a picture of bounded size', async () => {
    const links = Array.from({ length: 20 }, (_, i) => `/pictures/${i}.png`);
    const files = (path: string): File => {
      if (path.endsWith('/1.png')) return { type: 'text/html' };
      return path.endsWith('/2.png') ? { bytes: 17 * 1024 * 1024 } : {};
    };
    const remote = await startNaming(links, files);
    const home = temporaryHome();
    const svcd = await startBefore(remote.url, home);
    await svcd.post('/api/v1/images', ORDER);
    await svcd.daemon.close();
    expect([...new Set(remote.asked())]).toEqual(links.slice(0, 8));
    const again = await startTestDaemon({ flags: { remote: remote.url, offline: true }, home });
    const statuses = await Promise.all(links.map(async (one) => (await again.get(`/svcd/files${one}`)).status));
    expect(statuses.map((status, i) => (status === 200 ? i : -1)).filter((i) => i >= 0)).toEqual([0, 3, 4, 5, 6, 7]);
  });
});

describe('a file of the remote', () => {
  it('is served once an answer named it, also after a restart when an owned image names it', async () => {
    let status = 503;
    const remote = await startNaming(['/pictures/a%20cat.png?v=1'], () => ({ status }));
    const home = temporaryHome();
    const first = await startBefore(remote.url, home);
    expect((await first.get('/svcd/files/pictures/a%20cat.png?v=1')).status).toBe(404);
    expect(remote.asked()).toEqual([]);
    const [link = ''] = await linksOf(await first.post('/api/v1/images', ORDER));
    expect(link).toBe(`${first.url}/svcd/files/pictures/a%20cat.png?v=1`);
    // It could not be kept with the answer.
    await first.daemon.close();
    status = 200;
    const second = await startBefore(remote.url, home);
    expect(await (await second.get('/svcd/files/pictures/a%20cat.png?v=1')).text()).toBe('xxxxx');
    expect((await second.get('/svcd/files/pictures/a%20cat.png?v=2')).status).toBe(404);
    expect((await second.get('/svcd/files/pictures/other.png')).status).toBe(404);
  });

  it('is served from what another answer named, and an address of svcd itself is never one', async () => {
    const remote = await startNaming(['/svcd/tokens', '/svcd/files/pictures/1.png']);
    const svcd = await startBefore(remote.url);
    expect(await linksOf(await svcd.post('/api/v1/music/list', {}))).toEqual([
      `${svcd.url}/svcd/files/svcd/tokens`,
      `${svcd.url}/svcd/files/svcd/files/pictures/1.png`,
    ]);
    expect((await svcd.get('/svcd/files/svcd/tokens')).status).toBe(200);
    expect(remote.asked()).toEqual(['/svcd/tokens']);
  });
});
