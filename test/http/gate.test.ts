// Who comes in and who does not, as a table: every decision about Host, the request line, Fetch Metadata and Origin,
// asked over a raw socket, because no HTTP client would send most of it.

import { beforeAll, describe, expect, it } from 'vitest';
import { loadConfig } from '../../src/config/config.js';
import { startDaemon, type Daemon } from '../../src/daemon/daemon.js';
import { silentLog } from '../../src/platform/log.js';
import { createGate } from '../../src/http/gate.js';
import { exchangeRaw, head, parseAnswer, type RawAnswer } from '../support/raw-socket.js';
import { makeHome } from '../support/run-svcd.js';

const LISTED = 'https://app.example';

let port: number;
let other: number;
let daemon: Daemon;

beforeAll(async () => {
  const { home, remove } = makeHome();
  daemon = await startDaemon(await loadConfig({ port: 0, home }, {}), { log: silentLog, listens: true });
  port = Number(new URL(daemon.info.url).port);
  other = port === 7823 ? 7824 : 7823;
  const headers = { Authorization: `Bearer ${daemon.info.token}` };
  const listed = `${daemon.info.url}/svcd/origins/${encodeURIComponent(LISTED)}`;
  const added = await fetch(listed, { method: 'PUT', headers });
  if (!added.ok) throw new Error(await added.text());
  return async () => {
    await daemon.close();
    remove();
  };
});

/** Sends a request of these header lines; `HOST` and `OTHER` stand for our port and another. */
async function ask(requestLine: string, ...lines: readonly string[]): Promise<RawAnswer> {
  const placed = [`${requestLine} HTTP/1.1`, ...lines, 'Connection: close'].map((line) =>
    line.replaceAll('PORT', String(port)).replaceAll('OTHER', String(other)),
  );
  return parseAnswer(await exchangeRaw(port, head(...placed)));
}

function codeIn({ body }: RawAnswer): string | undefined {
  return (JSON.parse(body) as { code?: string }).code;
}

describe('a Host header', () => {
  it.each([
    ['127.0.0.1:PORT', 200, 'the usual one'],
    ['localhost:PORT', 200, 'by name'],
    ['LOCALHOST:PORT', 200, 'names have no case'],
    ['LocalHost:PORT', 200, 'names have no case'],
    ['[::1]:PORT', 200, 'IPv6, as URLs spell it'],
    ['', 403, 'empty'],
    ['127.0.0.1', 403, 'without the port, which means 80'],
    ['localhost', 403, 'without the port'],
    ['[::1]', 403, 'without the port'],
    ['127.0.0.1:OTHER', 403, 'another port'],
    ['127.0.0.1:0PORT', 403, 'the port in another spelling'],
    ['127.0.0.1:', 403, 'a port that is missing'],
    ['127.0.0.1:PORT:PORT', 403, 'two ports'],
    ['127.0.0.1:+PORT', 403, 'a sign before the port'],
    ['localhost.:PORT', 403, 'a trailing dot: resolvers may ask the network for it'],
    ['127.0.0.1.:PORT', 403, 'a trailing dot'],
    ['user@127.0.0.1:PORT', 403, 'user information'],
    ['user:pass@localhost:PORT', 403, 'user information'],
    ['127.0.0.1@evil.example:PORT', 403, 'user information that looks like us'],
    ['evil.example:PORT', 403, 'a rebound name'],
    ['evil.example', 403, 'a rebound name'],
    ['localhost.evil.example:PORT', 403, 'a name that begins like ours'],
    ['evil.localhost:PORT', 403, 'a name below ours'],
    ['127.0.0.1.nip.io:PORT', 403, 'a name that resolves to us'],
    ['127.1:PORT', 403, 'a short form of the address'],
    ['127.0.0.2:PORT', 403, 'another address of loopback'],
    ['2130706433:PORT', 403, 'the address as a number'],
    ['0x7f000001:PORT', 403, 'the address in hexadecimal'],
    ['0177.0.0.1:PORT', 403, 'the address in octal'],
    ['0.0.0.0:PORT', 403, 'the address that some systems take for loopback'],
    ['[::]:PORT', 403, 'the same in IPv6'],
    ['[0:0:0:0:0:0:0:1]:PORT', 403, 'a long form, which no URL keeps'],
    ['[::0001]:PORT', 403, 'zeros that no URL keeps'],
    ['[::ffff:127.0.0.1]:PORT', 403, 'IPv4 in IPv6'],
    ['[::ffff:7f00:1]:PORT', 403, 'IPv4 in IPv6'],
    ['[::1%25lo]:PORT', 403, 'a zone'],
    ['::1:PORT', 403, 'IPv6 without brackets'],
    ['127.0.0.1:PORT, 127.0.0.1:PORT', 403, 'a list'],
    ['127.0.0.1:PORT evil.example', 403, 'two words'],
    ['127.0.0.1:PORT/', 403, 'a path'],
    ['http://127.0.0.1:PORT', 403, 'an address'],
    ['127.0.0.1:PORT#', 403, 'a fragment'],
    ['127.0.0.1%3APORT', 403, 'percent signs'],
    ['\xef\xbc\x911.example', 403, 'bytes beyond ASCII'],
  ])('%s gets %i: %s', async (host, status) => {
    const answer = await ask('GET /svcd/status', `Host: ${host}`);
    expect(answer.status).toBe(status);
    if (status === 403) expect(codeIn(answer)).toBe('forbidden_host');
  });

  it.each([
    ['missing', []],
    ['missing, with one that is only like it', ['X-Host: 127.0.0.1:PORT', 'Host-: 127.0.0.1:PORT']],
    ['sent twice', ['Host: 127.0.0.1:PORT', 'Host: 127.0.0.1:PORT']],
    ['sent twice, the first one good', ['Host: 127.0.0.1:PORT', 'Host: evil.example']],
    ['sent twice, the last one good', ['Host: evil.example', 'hOST: 127.0.0.1:PORT']],
    ['in another header that proxies use', ['Host: evil.example', 'X-Forwarded-Host: 127.0.0.1:PORT']],
  ])('that is %s is refused', async (_what, lines) => {
    const answer = await ask('GET /svcd/status', ...lines);
    expect([answer.status, codeIn(answer)]).toEqual([403, 'forbidden_host']);
  });

  it('without a port is ours at port 80', () => {
    const gate = createGate({ port: () => 80, isListed: () => false });
    expect(gate.admits('http://localhost')).toBe(true);
    expect(createGate({ port: () => 81, isListed: () => false }).admits('http://localhost')).toBe(false);
  });

  it('is asked for in HTTP/1.0 too', async () => {
    const answer = parseAnswer(await exchangeRaw(port, head('GET /svcd/status HTTP/1.0')));
    expect([answer.status, codeIn(answer)]).toEqual([403, 'forbidden_host']);
  });

  const EVERYWHERE = [
    ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY'].map(
      (method) => `${method} /api/v1/stickers/search?q=a`,
    ),
    ...['/', '/nowhere', '/svcd/stop', '/svcd/purchases', '/api/v1/me', '/api/v1/images', '//', '/%zz', '/\\'].map(
      (path) => `GET ${path}`,
    ),
    'OPTIONS *',
    'GET /../../etc/passwd',
  ];

  it.each(EVERYWHERE)('that is foreign is refused at %s, in the same words', async (line) => {
    const answer = await ask(line, 'Host: evil.example:PORT', 'Authorization: Bearer x', 'Content-Length: 0');
    expect(answer.status).toBe(403);
    if (!line.startsWith('HEAD')) expect(codeIn(answer)).toBe('forbidden_host');
    expect(JSON.stringify([...answer.headers, answer.body])).not.toContain('evil');
  });
});

describe('a request line with an address', () => {
  it.each([
    ['GET http://127.0.0.1:PORT/svcd/status', '127.0.0.1:PORT', 200],
    ['GET HTTP://LOCALHOST:PORT/svcd/status', 'localhost:PORT', 200],
    ['GET http://127.0.0.1:PORT', '127.0.0.1:PORT', 200],
    ['GET http://127.0.0.1:PORT?x', '127.0.0.1:PORT', 200],
    ['GET http://localhost:PORT/svcd/status', '127.0.0.1:PORT', 403],
    ['GET http://evil.example/svcd/status', '127.0.0.1:PORT', 403],
    ['GET http://127.0.0.1:PORT/svcd/status', 'evil.example', 403],
    ['GET http://evil.example@127.0.0.1:PORT/', '127.0.0.1:PORT', 403],
    ['GET http://127.0.0.1:OTHER/svcd/status', '127.0.0.1:PORT', 403],
    ['GET https://127.0.0.1:PORT/svcd/status', '127.0.0.1:PORT', 403],
    ['GET ftp://127.0.0.1:PORT/svcd/status', '127.0.0.1:PORT', 403],
    ['OPTIONS *', '127.0.0.1:PORT', 400],
    ['CONNECT 127.0.0.1:PORT', '127.0.0.1:PORT', 400],
    ['CONNECT evil.example:443', 'evil.example:443', 400],
  ])('%s for Host %s gets %i', async (line, host, status) => {
    expect((await ask(line, `Host: ${host}`)).status).toBe(status);
  });
});

const OWN = 'Host: 127.0.0.1:PORT';

describe('a browser', () => {
  const site = (value: string) => `Sec-Fetch-Site: ${value}`;
  const mode = (value: string) => `Sec-Fetch-Mode: ${value}`;
  const dest = (value: string) => `Sec-Fetch-Dest: ${value}`;
  const origin = (value: string) => `Origin: ${value}`;

  it.each<[string, number, string, string[]]>([
    ['GET /svcd/status', 200, 'no browser at all', []],
    ['GET /svcd/status', 200, 'a typed address', [site('none'), mode('navigate'), dest('document')]],
    ['GET /svcd/status', 200, 'fetch of our own page', [site('same-origin'), mode('cors')]],
    ['GET /svcd/status', 200, 'a picture of our own page', [site('same-origin'), mode('no-cors'), dest('image')]],
    [
      'GET /svcd/status',
      200,
      'our page by its other name',
      [site('cross-site'), mode('cors'), origin('http://localhost:PORT')],
    ],
    ['GET /svcd/status', 200, 'our page, IPv6', [origin('http://[::1]:PORT')]],
    ['GET /svcd/status', 200, 'a listed page', [site('cross-site'), mode('cors'), origin(LISTED)]],
    ['GET /svcd/status', 200, 'a listed page, old browser', [origin(LISTED)]],
    ['GET /', 200, 'a link from elsewhere to our page', [site('cross-site'), mode('navigate'), dest('document')]],
    ['GET /?a=b', 200, 'the same with a query', [site('same-site'), mode('navigate'), dest('document')]],
    ['HEAD /', 200, 'the same, HEAD', [site('cross-site'), mode('navigate'), dest('document')]],

    [
      'GET /svcd/status',
      403,
      'a link from elsewhere to an answer',
      [site('cross-site'), mode('navigate'), dest('document')],
    ],
    [
      'GET /api/v1/stickers/search?q=a',
      403,
      'a link from elsewhere to a search',
      [site('same-site'), mode('navigate'), dest('document')],
    ],
    ['GET //', 403, 'nearly our page', [site('cross-site'), mode('navigate'), dest('document')]],
    ['GET /', 403, 'our page in a frame', [site('cross-site'), mode('navigate'), dest('iframe')]],
    ['GET /', 403, 'our page in an object', [site('cross-site'), mode('navigate'), dest('object')]],
    ['GET /', 403, 'our page by fetch', [site('cross-site'), mode('cors'), dest('document')]],
    ['POST /', 403, 'a form', [site('cross-site'), mode('navigate'), dest('document')]],
    [
      'GET /',
      403,
      'a navigation that has an origin',
      [site('cross-site'), mode('navigate'), dest('document'), origin('null')],
    ],
    ['GET /svcd/status', 403, 'a picture', [site('cross-site'), mode('no-cors'), dest('image')]],
    ['GET /svcd/status', 403, 'a picture of another port', [site('same-site'), mode('no-cors'), dest('image')]],
    ['GET /svcd/status', 403, 'a picture nobody asked for', [site('none'), mode('no-cors'), dest('image')]],
    ['GET /svcd/status', 403, 'no-cors alone', [mode('no-cors')]],
    [
      'GET /svcd/status',
      403,
      'a picture of a listed page, without crossorigin',
      [site('cross-site'), mode('no-cors'), origin(LISTED)],
    ],
    [
      'POST /svcd/status',
      403,
      'a form of a listed page',
      [site('cross-site'), mode('navigate'), dest('document'), origin(LISTED)],
    ],
    ['GET /svcd/status', 403, 'fetch', [site('cross-site'), mode('cors'), origin('https://evil.example')]],
    ['GET /svcd/status', 403, 'fetch that hides where it is from', [site('cross-site'), mode('cors')]],
    ['GET /svcd/status', 403, 'fetch, old browser', [origin('https://evil.example')]],
    ['GET /svcd/status', 403, 'a sandboxed frame', [origin('null')]],
    ['GET /svcd/status', 403, 'a sandboxed frame that is told it is ours', [site('same-origin'), origin('null')]],
    [
      'GET /svcd/status',
      403,
      'a socket',
      [site('cross-site'), mode('websocket'), origin('https://evil.example'), 'Upgrade: websocket'],
    ],
    ['GET /svcd/status', 403, 'another port', [site('same-site'), mode('cors'), origin('http://127.0.0.1:OTHER')]],
    ['GET /svcd/status', 403, 'another scheme', [origin('https://127.0.0.1:PORT')]],
    ['GET /svcd/status', 403, 'a trailing dot', [origin('http://localhost.:PORT')]],
    ['GET /svcd/status', 403, 'a listed page on another port', [origin(`${LISTED}:8443`)]],
    ['GET /svcd/status', 403, 'a listed page without https', [origin('http://app.example')]],
    ['GET /svcd/status', 403, 'a name that begins like a listed one', [origin(`${LISTED}.evil.example`)]],
    ['GET /svcd/status', 403, 'a name that ends like a listed one', [origin('https://evilapp.example')]],
    ['GET /svcd/status', 403, 'a listed origin in another case', [origin('https://APP.example')]],
    ['GET /svcd/status', 403, 'a listed origin with a path', [origin(`${LISTED}/`)]],
    ['GET /svcd/status', 403, 'two origins, one of them listed', [origin(LISTED), origin('https://evil.example')]],
    ['GET /svcd/status', 403, 'two origins in one', [origin(`${LISTED} https://evil.example`)]],
    ['GET /svcd/status', 403, 'an empty origin', [origin('')]],
    ['GET /svcd/status', 403, 'a site we do not know', [site('Cross-Site')]],
    ['GET /svcd/status', 403, 'two sites', [site('cross-site'), site('same-origin')]],
    ['GET /nowhere', 403, 'a path of nobody', [site('cross-site'), mode('no-cors')]],
    ['DELETE /svcd/status', 403, 'a method of nobody', [origin('https://evil.example')]],
    ['OPTIONS /api/v1/me', 403, 'a preflight', [origin('https://evil.example'), 'Access-Control-Request-Method: GET']],
    ['OPTIONS /svcd/status', 405, 'OPTIONS that is no preflight', [origin(LISTED)]],
    ['OPTIONS /nowhere', 204, 'a preflight of a listed page', [origin(LISTED), 'Access-Control-Request-Method: GET']],
  ])('%s gets %i: %s', async (line, status, _what, lines) => {
    const answer = await ask(line, OWN, ...lines);
    expect(answer.status).toBe(status);
    if (status === 403 && !line.startsWith('HEAD')) expect(codeIn(answer)).toBe('forbidden_origin');
  });

  const PICTURE = `/svcd/images/${'0'.repeat(32)}.png`;
  const referer = (value: string) => `Referer: ${value}`;
  const tag = [site('cross-site'), mode('no-cors'), dest('image')];

  // There is no such picture: 404 means that the request came in.
  it.each<[string, number, string, string[]]>([
    [`GET ${PICTURE}`, 404, 'a picture of a listed page', [...tag, referer(`${LISTED}/`)]],
    [`GET ${PICTURE}`, 404, 'with the whole address of the page', [...tag, referer(`${LISTED}/a/b.html?c=d`)]],
    [`GET ${PICTURE}?v=2`, 404, 'with a query', [...tag, referer(`${LISTED}/`)]],
    [`GET ${PICTURE.slice(0, -4)}`, 404, 'without an ending', [...tag, referer(`${LISTED}/`)]],
    [
      `GET ${PICTURE}`,
      404,
      'by a service worker',
      [site('cross-site'), mode('no-cors'), dest('empty'), referer(LISTED)],
    ],
    [`GET ${PICTURE}`, 404, 'of another port', [site('same-site'), mode('no-cors'), dest('image'), referer(LISTED)]],
    [`GET ${PICTURE}`, 404, 'in parts', [...tag, referer(LISTED), 'Range: bytes=0-9']],
    [`GET ${PICTURE}`, 404, 'of our own page', [site('same-origin'), mode('no-cors'), dest('image')]],
    [`GET ${PICTURE}`, 404, 'with crossorigin', [site('cross-site'), mode('cors'), dest('image'), origin(LISTED)]],

    [`GET ${PICTURE}`, 403, 'without a referrer', tag],
    [`GET ${PICTURE}`, 403, 'with an empty referrer', [...tag, referer('')]],
    [`GET ${PICTURE}`, 403, 'of an unlisted page', [...tag, referer('https://evil.example/')]],
    [
      `GET ${PICTURE}`,
      403,
      'of a page that names a listed one in its path',
      [...tag, referer(`https://evil.example/${LISTED}/`)],
    ],
    [
      `GET ${PICTURE}`,
      403,
      'of a page that names a listed one as user',
      [...tag, referer('https://app.example@evil.example/')],
    ],
    [`GET ${PICTURE}`, 403, 'of a name that begins like a listed one', [...tag, referer(`${LISTED}.evil.example/`)]],
    [`GET ${PICTURE}`, 403, 'of a listed name on another port', [...tag, referer(`${LISTED}:8443/`)]],
    [`GET ${PICTURE}`, 403, 'of a listed name without https', [...tag, referer('http://app.example/')]],
    [`GET ${PICTURE}`, 403, 'of two pages', [...tag, referer(`${LISTED}/`), referer('https://evil.example/')]],
    [`GET ${PICTURE}`, 403, 'of a page inside another', [...tag, referer(`blob:${LISTED}/`)]],
    [`GET ${PICTURE}`, 403, 'of nobody', [...tag, referer('null')]],
    [`GET ${PICTURE}`, 403, 'of a sandboxed frame', [...tag, referer(LISTED), origin('null')]],
    [`GET ${PICTURE}`, 403, 'that nobody asked for', [site('none'), mode('no-cors'), dest('image'), referer(LISTED)]],
    ...['script', 'style', 'object', 'embed', 'video', 'audio', 'font', 'track', 'worker', 'report'].map(
      (what): [string, number, string, string[]] => [
        `GET ${PICTURE}`,
        403,
        `as ${what}`,
        [site('cross-site'), mode('no-cors'), dest(what), referer(LISTED)],
      ],
    ),
    [`GET ${PICTURE}`, 403, 'in a frame', [site('cross-site'), mode('navigate'), dest('iframe'), referer(LISTED)]],
    [`GET ${PICTURE}`, 403, 'by a link', [site('cross-site'), mode('navigate'), dest('document'), referer(LISTED)]],
    [`HEAD ${PICTURE}`, 403, 'HEAD', [...tag, referer(LISTED)]],
    [`POST ${PICTURE}`, 403, 'POST', [...tag, referer(LISTED)]],
    [`GET ${PICTURE.replace('0.png', '.png')}`, 403, 'of fewer bits', [...tag, referer(LISTED)]],
    [`GET ${PICTURE}/../../files/a`, 403, 'beyond its place', [...tag, referer(LISTED)]],
    [`GET ${PICTURE.replace('images', 'files')}`, 403, 'a file at another address', [...tag, referer(LISTED)]],
    ['GET /svcd/defaults/images/1024x1024.png', 403, 'at an address that all know', [...tag, referer(LISTED)]],
    ['GET /api/v1/stickers/a', 403, 'a sticker, which might be bought', [...tag, referer(LISTED)]],
    ['GET /svcd/status', 403, 'the status', [...tag, referer(LISTED)]],
  ])('%s gets %i: a picture %s', async (line, status, _what, lines) => {
    const answer = await ask(line, OWN, ...lines);
    expect(answer.status).toBe(status);
  });

  it('without an origin is told what works', async () => {
    const answer = await ask('GET /svcd/status', OWN, origin('null'));
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'forbidden_origin',
      hint: expect.stringContaining('http://localhost:PORT') as string,
    });
  });

  it('is told the command that would let it in, and nothing of what it sent', async () => {
    const marked = ['Origin: https://marked.example', 'User-Agent: marked', 'X-Marked: marked', 'Cookie: a=marked'];
    const answer = await ask('GET /marked?marked', OWN, ...marked);
    expect(JSON.parse(answer.body)).toMatchObject({
      code: 'forbidden_origin',
      hint: expect.stringContaining('svcd config origins add ORIGIN') as string,
    });
    expect(JSON.stringify([...answer.headers, answer.body])).not.toContain('marked');
  });
});

describe('a request with very many headers', () => {
  it('is refused, because nobody could look at all of them', async () => {
    const many = Array.from({ length: 200 }, (_, i) => `A${i}: b`);
    const answer = await ask('GET /svcd/status', OWN, ...many);
    expect([answer.status, codeIn(answer)]).toEqual([400, 'invalid_request']);
  });

  it('hides no Origin at its end', async () => {
    const many = Array.from({ length: 2500 }, () => 'a:');
    const answer = await ask('GET /svcd/status', OWN, ...many, 'Origin: https://evil.example');
    expect(answer.status).toBe(400);
  });
});

describe('a path with letters that are not percent-encoded', () => {
  const askBytes = async (target: Buffer, host = `127.0.0.1:${port}`) => {
    const lines = [Buffer.from('GET '), target, Buffer.from(` HTTP/1.1\r\nHost: ${host}\r\n\r\n`)];
    return parseAnswer(await exchangeRaw(port, Buffer.concat(lines)));
  };

  it('is told how it has to be', async () => {
    const { status, body } = await askBytes(Buffer.from('/api/v1/stickers/search?q=生日x&limit=3'));
    expect(status).toBe(400);
    expect(JSON.parse(body)).toEqual({
      code: 'invalid_request',
      message: expect.stringContaining('percent-encoded as UTF-8'),
      hint: expect.stringMatching(
        /^Ask for \/api\/v1\/stickers\/search\?q=%E7%94%9F%E6%97%A5x&limit=3\. .*--data-urlencode/,
      ),
    });
  });

  it('in another encoding, or very long, gets a sentence without it', async () => {
    for (const target of [Buffer.from('/a?q=\u00C9\u00FA', 'latin1'), Buffer.from(`/a?q=${'生'.repeat(200)}`)]) {
      const { status, body } = await askBytes(target);
      expect([status, (JSON.parse(body) as { hint: string }).hint]).toEqual([400, expect.stringMatching(/^Write q=/)]);
    }
  });

  it('lets no stranger in: it is refused, whatever Host says, and may be read by no page', async () => {
    const { status, headers } = await askBytes(Buffer.from('/api/v1/me?q=生日'), 'evil.example');
    expect(status).toBe(400);
    expect(headers.has('access-control-allow-origin')).toBe(false);
  });
});
