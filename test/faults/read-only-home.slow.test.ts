// A home that cannot be written when svcd starts: what is owned, known and shipped is served, nothing is bought, and that is
// said everywhere.

import { execFileSync } from 'node:child_process';
import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { tinyLottie } from '../sandbox/tiny-catalogue.js';
import { describeIf, SMALL_DISKS } from '../support/requires.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';
import { fillUp, mountSmallDisk } from './disk-trouble.js';

interface Trouble {
  readonly home: string;
  /** A program that runs svcd so that the trouble is one for root too. */
  readonly through?: readonly string[];
  readonly begin: () => void;
  readonly end: () => void;
}

const FULL = 'lies on a full disk';
const TROUBLES: [string, () => Trouble][] = [
  [
    'is mounted read-only',
    () => {
      const home = mountSmallDisk(24, 0).folder;
      const remount = (mode: string) => void execFileSync('mount', ['-o', `remount,${mode}`, home]);
      return { home, begin: () => remount('ro'), end: () => remount('rw') };
    },
  ],
  [
    'has no right to be written (chmod -R a-w)',
    () => {
      const { home, remove } = makeHome();
      const change = (folder: number, file: number) => {
        for (const name of readdirSync(home, { withFileTypes: true })) {
          if (name.isFile()) chmodSync(join(home, name.name), file);
        }
        chmodSync(home, folder);
      };
      onTestFinished(() => {
        change(0o700, 0o600);
        remove();
      });
      const through = ['setpriv', '--bounding-set', '-dac_override'];
      return { home, through, begin: () => change(0o500, 0o400), end: () => change(0o700, 0o600) };
    },
  ],
  [
    FULL,
    () => {
      const home = mountSmallDisk(24, 0).folder;
      return { home, begin: () => fillUp(home, 0), end: () => rmSync(join(home, 'filling')) };
    },
  ],
];

async function startRemote() {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    response.setHeader('content-type', 'application/json');
    if (!path.startsWith('/api/v1/stickers/') || path.includes('?')) return void response.end('{}');
    seen.push(path);
    response.setHeader('x-service-credits-remaining', '9').end(tinyLottie(path));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

interface Asked {
  readonly method?: string;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function ask({ info }: StartedSvcd, path: string, { headers: more = {}, ...init }: Asked = {}) {
  const headers = { authorization: `Bearer ${info.token}`, 'content-type': 'application/json', ...more };
  const answer = await fetch(info.url + path, { ...init, headers });
  const told = ['x-svcd-source', 'x-svcd-reason'].map((name) => answer.headers.get(name));
  return { status: answer.status, told, body: (await answer.json()) as Record<string, unknown> };
}

describeIf(SMALL_DISKS, 'a home that', () => {
  it.each(TROUBLES)(
    '%s is served, and buys nothing',
    async (what, make) => {
      const [by, reason, refusedBy] =
        what === FULL ? ['disk_full', 'disk_full', 507] : ['read_only', 'spending_stopped', 403];
      const remote = await startRemote();
      const { home, through = [], begin, end } = make();
      const env = { SERVICE_API_KEY: 'sk-test' };
      const start = async () => {
        const svcd = await startSvcd(['--remote', remote.url], { home, env, through });
        onTestFinished(svcd.stop);
        return svcd;
      };
      const run = (...args: string[]) => runSvcd(args, { home, env, through, cwd: '/tmp' });

      const first = await start();
      expect((await ask(first, stickerPath('food/cake'))).told).toEqual(['remote', null]);
      // Killed, so that what was learned lies in the logs of the databases.
      await first.end('SIGKILL');
      begin();

      const svcd = await start();
      expect(svcd.info.home).toBe(home);
      expect((await ask(svcd, stickerPath('food/cake'))).told).toEqual(['owned', null]);
      expect((await ask(svcd, '/api/v1/stickers/search?q=cake')).status).toBe(200);
      expect((await ask(svcd, stickerPath('food/bread'))).told).toEqual(['default', reason]);
      const strict = await ask(svcd, stickerPath('food/bread'), { headers: { 'x-svcd-fallback': 'off' } });
      expect([strict.status, strict.body]).toMatchObject([refusedBy, { code: reason }]);
      const image = { method: 'POST', body: JSON.stringify({ prompt: 'a cat', size: '1024x1024' }) };
      expect((await ask(svcd, '/api/v1/images', image)).told).toEqual(['default', reason]);
      expect((await ask(svcd, '/svcd/spending')).body).toMatchObject({ stopped: { by } });
      expect((await ask(svcd, '/api/v1/usage')).status).toBe(200);
      // What would not outlive this start is refused, in words.
      const token = await ask(svcd, '/svcd/tokens', { method: 'POST', body: '{"name":"mine"}' });
      const refusal = by === 'disk_full' ? [507, { code: by }] : [500, { code: 'home_not_writable' }];
      expect([token.status, token.body]).toMatchObject(refusal);

      const status = await run('status');
      expect(status.stdout).toMatch(/spending +stopped: .*home folder/);
      expect(status.stdout).toContain(svcd.info.url);
      const { stdout } = await run('doctor');
      expect(stdout).toMatch(/cannot be written|no room|is full|MiB are free/);
      expect(stdout.match(/cannot be written/g)?.length ?? 1).toBe(1);
      expect((await run('get', 'food/cake', '-o', '-')).stdout).toBe(tinyLottie('/api/v1/stickers/food/cake'));
      expect((await run('stop')).code).toBe(0);
      // The same in the process of a command.
      const got = await run('get', 'food/cake', '-o', '-');
      expect([got.code, got.stdout]).toEqual([0, tinyLottie('/api/v1/stickers/food/cake')]);
      expect(remote.seen).toEqual(['/api/v1/stickers/food/cake']);

      end();
      const last = await start();
      expect((await ask(last, stickerPath('food/bread'))).told).toEqual(['remote', null]);
      expect((await ask(last, stickerPath('food/cake'))).told).toEqual(['owned', null]);
      expect((await ask(last, '/svcd/spending')).body).toMatchObject({ stopped: null, spent: 2 });
    },
    120_000,
  );
});
