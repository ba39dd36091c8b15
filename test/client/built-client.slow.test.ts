// The client as it is built: small, in a real page of a listed origin, and in processes that start svcd.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, statSync, symlinkSync, mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it, onTestFinished } from 'vitest';
import { launchChromium } from '../support/launch-chromium.js';
import { CHROMIUM, itIf } from '../support/requires.js';
import { collect, makeHome, runSvcd } from '../support/run-svcd.js';
import { startPair } from '../support/start-pair.js';

const ROOT = join(import.meta.dirname, '..', '..');
const BUILT = { node: join(ROOT, 'dist', 'client.js'), browser: join(ROOT, 'dist', 'client-browser.js') };

describe('the built client', () => {
  it('has files of less than 12 KB, and nothing of Node.js in that of browsers', () => {
    for (const file of Object.values(BUILT)) expect(statSync(file).size).toBeLessThan(12 * 1024);
    expect(readFileSync(BUILT.browser, 'utf8')).not.toMatch(/node:|\brequire\b|\bprocess\b|\bBuffer\b|^import\b/m);
  });

  itIf(CHROMIUM, 'works in a page whose origin is listed, and in no other', async () => {
    const { svcd } = await startPair();
    const [listed, other] = [await servePage(), await servePage()];
    const put = await svcd.call(`/svcd/origins/${encodeURIComponent(listed)}`, {
      method: 'PUT',
      headers: { Authorization: `Bearer ${svcd.token}` },
    });
    expect(put.status).toBe(200);
    const browser = await launchChromium();
    const ask = async (origin: string) => {
      const page = await browser.newPage();
      await page.goto(origin);
      return page.evaluate(`(async () => {
        const { connect, isSvcdError } = await import('/client-browser.js');
        const svcd = await connect({ baseUrl: ${JSON.stringify(svcd.url)}, token: ${JSON.stringify(svcd.token)} });
        try {
          const { extracted_keywords } = await svcd.match({ keywords: ['生日'] });
          const first = await svcd.sticker('food/cake');
          const { source, cost, sha256, balance, facts } = await svcd.sticker('food/cake');
          const image = await svcd.image({ prompt: 'a lamp', size: '1024x1024' });
          const bought = first.source + ' ' + first.cost;
          return { extracted_keywords, bought, source, cost, sha256, balance, facts, picture: image.contentType };
        } catch (error) {
          return { isOurs: isSvcdError(error), code: error.code, hint: error.hint };
        }
      })()`);
    };
    // A browser does not tell a page more of a refusal than that nothing came.
    expect(await ask(other)).toEqual({
      isOurs: true,
      code: 'not_running',
      hint: expect.stringContaining(`svcd config origins add ${other}`) as string,
    });
    expect(await ask(listed)).toMatchObject({
      extracted_keywords: ['生日'],
      bought: 'remote 1',
      source: 'owned',
      cost: 0,
      sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      balance: expect.any(Number) as number,
      facts: { frames: 60 },
      picture: 'image/png',
    });
  });

  itIf(CHROMIUM, 'refuses in a page what only Node.js can do', async () => {
    const page = await (await launchChromium()).newPage();
    await page.goto(await servePage());
    const codes = await page.evaluate(`(async () => {
      const { connect } = await import('/client-browser.js');
      const wrong = [{ lock: 'assets.lock.json' }, { start: true }, { home: '/' }, { otherwise: 'remote' }];
      return Promise.all(wrong.map((options) => connect(options).catch(({ code }) => code)));
    })()`);
    expect(codes).toEqual(Array.from({ length: 4 }, () => 'invalid_argument'));
  });

  it('starts svcd where none runs, and two that do so at once end with one', async () => {
    const { home, remove } = makeHome();
    onTestFinished(async () => {
      await runSvcd(['stop'], { home });
      remove();
    });
    const env = { SVCD_PORT: '0', SVCD_SANDBOX: 'true' };
    const script = `
      import { connect } from 'svcd/client';
      const svcd = await connect({ start: true });
      const { pid } = await svcd.status();
      const { source } = await svcd.sticker('fluent-emoji-flat/birthday-cake');
      console.log(JSON.stringify({ pid, source }));`;
    const all = await Promise.all([runScript(script, home, env), runScript(script, home, env)]);
    for (const { stderr } of all) expect(stderr).toBe('');
    const told = all.map(({ stdout }) => JSON.parse(stdout) as { pid: number; source: string });
    expect(new Set(told.map(({ pid }) => pid)).size).toBe(1);
    expect(told.map(({ source }) => source).toSorted()[0]).toMatch(/owned|remote/);
    const status = await runSvcd(['status', '--json'], { home });
    expect(JSON.parse(status.stdout)).toMatchObject({ pid: told[0]?.pid });
  });

  it('tells why svcd cannot be started, and draws a plain sticker all the same', async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    writeFileSync(join(home, 'config.json'), '{"port": "many"}', { mode: 0o600 });
    const script = `
      import { connect } from 'svcd/client';
      const svcd = await connect({ start: true });
      const { reason } = await svcd.sticker('x/cake');
      const error = await svcd.search({ q: 'a' }).catch((error) => error);
      console.log(JSON.stringify({ reason, code: error.code, cause: error.cause.code, message: error.message }));`;
    const { stdout } = await runScript(script, home, {});
    expect(JSON.parse(stdout)).toEqual({
      reason: 'no_svcd',
      code: 'not_running',
      cause: 'invalid_config',
      message: expect.stringContaining('many') as string,
    });
  });

  it('in a program that was bundled as CommonJS starts the svcd of the working folder, or says that none is installed', async () => {
    const { home, remove } = makeHome();
    onTestFinished(remove);
    // It cannot start: what is asked is whether it was found.
    writeFileSync(join(home, 'config.json'), '{"port": "many"}', { mode: 0o600 });
    const contents = `
      import { connect } from './connect.js';
      connect({ start: true }).then((svcd) => svcd.search({ q: 'a' })).catch((e) => console.log(e.message, e.hint));`;
    const stdin = { contents, resolveDir: join(ROOT, 'src', 'client'), loader: 'ts' } as const;
    const bundle = { stdin, bundle: true, write: false, platform: 'node', format: 'cjs', logLevel: 'silent' } as const;
    const program = (await build(bundle)).outputFiles[0]?.text ?? '';
    expect((await runScript(program, home, {}, 'render.cjs')).stdout).toContain('many');
    const alone = await runScript(program, home, {}, 'render.cjs', false);
    expect(alone.stdout).toContain('the package svcd is not installed');
    expect(alone.stdout).toContain('svcd start');
  });
});

/** A program in a folder where svcd is installed. */
async function runScript(
  script: string,
  home: string,
  env: Record<string, string>,
  name = 'render.mjs',
  isInstalled = true,
) {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-program-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules'));
  if (isInstalled) symlinkSync(ROOT, join(folder, 'node_modules', 'svcd'));
  writeFileSync(join(folder, name), script);
  const variables = { PATH: process.env['PATH'], HOME: home, SVCD_HOME: home, SVCD_BACKGROUND_SYNC: 'false', ...env };
  const child = spawn(process.execPath, [name], { env: variables, cwd: folder });
  const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
  await once(child, 'close');
  return { stdout: stdout(), stderr: stderr() };
}

/** An origin that serves an empty page and the client. */
async function servePage(): Promise<string> {
  const server = createServer(({ url }, response) => {
    const isClient = url === '/client-browser.js';
    response.setHeader('Content-Type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? readFileSync(BUILT.browser) : '<!doctype html><title>a page</title>');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}
