// What of a client's request leaves for the remote: what the contract needs and nothing else; and where it goes: to
// the one address that was configured.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { stickerPath } from '../../src/model/sticker.js';
import { CAKE, tinyLottie } from '../sandbox/tiny-catalogue.js';
import { allowForeignAnswers } from '../support/check-answers.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { portOf } from '../support/in-test.js';

const KEY = 'sk-user-key';
const IMAGE = { size: '1024x1024', width: 1024, height: 1024 };

interface Heard {
  readonly line: string;
  /** Names and values as they came, in order. */
  readonly headers: readonly string[];
  readonly body: string;
}

interface Recorder {
  readonly url: string;
  readonly heard: Heard[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A server that writes down all it hears. */
async function startRecorder(answer: Answer): Promise<Recorder> {
  const heard: Heard[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString();
      heard.push({ line: `${request.method} ${request.url}`, headers: request.rawHeaders, body });
      answer(request, response);
    });
  });
  return { url: `http://127.0.0.1:${await portOf(server)}`, heard };
}

function startBefore(remote: Recorder): Promise<StartedDaemon> {
  return startTestDaemon({ flags: { remote: remote.url }, userKey: KEY });
}

const json = (response: ServerResponse, value: unknown, status = 200): void => {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
};

const LOADED = {
  Cookie: 'session=secret-marker',
  Forwarded: 'for=secret-marker',
  'X-Forwarded-For': 'secret-marker',
  'X-Forwarded-Host': 'secret-marker',
  'X-Real-IP': 'secret-marker',
  Via: '1.1 secret-marker',
  Referer: 'http://127.0.0.1/secret-marker',
  'User-Agent': 'secret-marker',
  'Accept-Language': 'secret-marker',
  'Proxy-Authorization': 'Basic secret-marker',
  TE: 'trailers',
  'X-Api-Key': 'secret-marker',
  'X-Svcd-Fallback': 'off',
  'X-Anything': 'secret-marker',
};

const PAYING = [
  ['GET', stickerPath(CAKE), undefined],
  ['POST', '/api/v1/images', '{"prompt":"a cat","size":"1024x1024"}'],
  ['GET', '/api/v1/me', undefined],
  ['GET', '/api/v1/usage', undefined],
  ['GET', '/api/v1/capabilities', undefined],
  ['POST', '/api/v1/productions', PRODUCTION()],
  ['GET', '/api/v1/music/search?q=calm', undefined],
  ['POST', '/api/v1/music/select', '{"id":1}'],
  ['DELETE', '/api/v1/tasks/1', undefined],
  ['GET', '/svcd/files/pictures/1.png', undefined],
] as const;

function PRODUCTION(): string {
  return JSON.stringify({
    template: 'cards@1.0.0',
    package_sha256: 'a'.repeat(64),
    host: 'svcd',
    layout: 'landscape',
    duration_s: 10,
    materials: ['stickers.file'],
    stage: 'plan',
  });
}

describe('whatever a client sends along', () => {
  it('only the Key, the kind of body and what HTTP needs arrive at the remote', async () => {
    allowForeignAnswers();
    const remote = await startRecorder((request, response) => {
      if (request.url?.startsWith('/api/v1/stickers/') === true) response.end(tinyLottie(CAKE));
      else json(response, { named: `${remote.url}/pictures/1.png` });
    });
    const svcd = await startBefore(remote);
    const own = { Authorization: `Bearer ${svcd.token}`, Origin: svcd.url, ...LOADED };
    for (const [method, path, body] of PAYING) {
      const type = body === undefined ? {} : { 'Content-Type': 'application/json; charset=secret-marker' };
      const init = { method, headers: { ...own, ...type }, ...(body === undefined ? {} : { body }) };
      await (await svcd.call(path, init)).arrayBuffer();
    }
    const lines = remote.heard.map(({ line }) => line);
    for (const [, path] of PAYING) expect(lines.join('\n')).toContain(path.replace('/svcd/files', ''));
    const names = remote.heard.flatMap(({ headers }) => headers.filter((_, i) => i % 2 === 0));
    const known = [
      'host',
      'connection',
      'authorization',
      'accept',
      'accept-encoding',
      'content-type',
      'content-length',
    ];
    expect(names.map((name) => name.toLowerCase()).filter((name) => !known.includes(name))).toEqual([]);
    const all = JSON.stringify(remote.heard);
    expect(all).not.toContain('secret-marker');
    expect(all).not.toContain(svcd.token);
    expect(remote.heard.some(({ headers }) => headers.includes(`Bearer ${KEY}`))).toBe(true);
  });

  it.each([
    ['in the query', (token: string) => ({ path: `/api/v1/music?token=${token}` })],
    ['in the path', (token: string) => ({ path: `/api/v1/music/${token}` })],
    ['percent-encoded', (token: string) => ({ path: `/api/v1/music?token=${token.replace('_', '%5F')}` })],
    ['in a body', (token: string) => ({ path: '/api/v1/music', method: 'POST', body: JSON.stringify({ token }) })],
    ['below the files', (token: string) => ({ path: `/svcd/files/${token}.png` })],
  ])('a local token %s does not leave', async (_where, requestWith) => {
    const remote = await startRecorder((_request, response) => json(response, {}));
    const svcd = await startBefore(remote);
    const { path, ...init } = requestWith(svcd.token) as { path: string } & RequestInit;
    const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' };
    const answer = await svcd.call(path, { ...init, headers });
    expect([answer.status, remote.heard]).toEqual([400, []]);
    expect(await answer.text()).not.toContain(svcd.token);
  });

  it.each(['svcd_wrong', 'svcd_'])('a token that is not ours (%s) does not leave as a Key', async (bearer) => {
    const remote = await startRecorder((_request, response) => json(response, {}));
    const svcd = await startBefore(remote);
    for (const path of ['/api/v1/me', '/api/v1/music', stickerPath(CAKE)]) {
      await svcd.call(path, { headers: { Authorization: `Bearer ${bearer}` } });
    }
    expect(JSON.stringify(remote.heard)).not.toContain('svcd_');
  });

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x'])(
    'a body as %s does not pass through',
    async (type) => {
      const remote = await startRecorder((_request, response) => json(response, {}));
      const svcd = await startBefore(remote);
      const headers = { Authorization: `Bearer ${svcd.token}`, 'Content-Type': type };
      const answers = [
        await svcd.call('/api/v1/music', { method: 'POST', headers, body: '{"a":1}' }),
        await svcd.call('/api/v1/music', { method: 'POST', headers }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([415, 415]);
      expect(remote.heard).toEqual([]);
    },
  );
});

describe('another server', () => {
  it.each([301, 302, 303, 307, 308])(
    'is not asked when the remote says so with %i, and hears no Key',
    async (status) => {
      const other = await startRecorder((_request, response) => response.end(tinyLottie(CAKE)));
      const remote = await startRecorder((request, response) => {
        if (request.url === '/api/v1/naming') return json(response, { file: `${remote.url}/a.png` });
        response.writeHead(status, { Location: `${other.url}/stolen` }).end();
      });
      const svcd = await startBefore(remote);
      await svcd.get('/api/v1/naming');
      for (const path of [
        stickerPath(CAKE),
        '/api/v1/me',
        '/api/v1/music',
        '/svcd/files/a.png',
        '/api/v1/capabilities',
      ]) {
        const answer = await svcd.get(path, { 'X-Svcd-Fallback': 'off' });
        expect(answer.headers.has('location')).toBe(false);
      }
      expect([remote.heard.length > 0, other.heard]).toEqual([true, []]);
    },
  );

  it('is not asked for the picture that an image answer points at', async () => {
    const other = await startRecorder((_request, response) => response.end('picture'));
    const remote = await startRecorder((request, response) => {
      const near = `${other.url.replace('127.0.0.1', `127.0.0.1:1@127.0.0.1`)}/a.png`;
      json(response, request.method === 'POST' ? { ...IMAGE, url: `${other.url}/a.png`, near, bare: '//x/a.png' } : {});
    });
    const svcd = await startBefore(remote);
    const answer = await svcd.post('/api/v1/images', { prompt: 'a cat', size: '1024x1024' });
    expect(await answer.json()).toMatchObject({ url: `${other.url}/a.png` });
    expect(other.heard).toEqual([]);
    expect(remote.heard.map(({ line }) => line)).not.toContain('GET /a.png');
  });

  it.each(['/api/v1/music?u=http://OTHER/', '/svcd/files//OTHER/a', '/svcd/files/@OTHER/a', '/api/v1/http://OTHER/a'])(
    'is not asked by a path that names it: %s',
    async (path) => {
      const other = await startRecorder((_request, response) => response.end('other'));
      const remote = await startRecorder((_request, response) => json(response, {}));
      const svcd = await startBefore(remote);
      await svcd.get(path.replace('OTHER', new URL(other.url).host));
      expect(other.heard).toEqual([]);
    },
  );
});
