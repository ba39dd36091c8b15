// Keys, prompts and copy that are looked for, byte by byte, in everything that a whole run of svcd wrote: files,
// logs, answers that refuse, output, and the arguments of every process meanwhile.

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startRecordingRemote } from '../support/recording-remote.js';
import { makeHome, runSvcd, type Outcome } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

const KEY = 'sk-canary-own-7f3a9c51d2';
const TEMPLATE_KEY = 'sk-canary-template-b81e0d';
const PROMPT = 'canaryprompt 一只戴帽子的金丝雀 in a tree';
const COPY = 'canarycopy 祝金丝雀先生生日快乐';
const CANARIES = [KEY, TEMPLATE_KEY, PROMPT, COPY, 'canaryprompt', 'canarycopy', '金丝雀'];

/** The forms in which bytes could stand somewhere. */
const formsOf = (texts: readonly string[]) =>
  texts.flatMap((text) => [
    Buffer.from(text),
    Buffer.from(encodeURIComponent(text)),
    Buffer.from(Buffer.from(text).toString('base64').slice(0, -4)),
    Buffer.from(text, 'utf16le'),
  ]);
const FORMS = formsOf(CANARIES);

const holds = (bytes: Uint8Array, forms = FORMS) => forms.some((form) => Buffer.from(bytes).includes(form));

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile());
}

const betraying = (folder: string, forms = FORMS) =>
  filesBelow(folder).filter((file) => holds(readFileSync(file), forms));

/** Looks at the arguments of all processes, again and again, until told to stop. */
function watchProcesses() {
  const seen = new Set<string>();
  let looks = 0;
  const look = () => {
    looks++;
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      try {
        seen.add(readFileSync(`/proc/${pid}/cmdline`, 'latin1'));
      } catch {
        // It has ended meanwhile.
      }
    }
  };
  const timer = setInterval(look, 20);
  return () => {
    clearInterval(timer);
    look();
    return { looks, lines: [...seen] };
  };
}

it('finds what it looks for, if it is there', () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  mkdirSync(join(home, 'inner'));
  writeFileSync(join(home, 'inner', 'log'), `x ${encodeURIComponent(PROMPT)} y`);
  writeFileSync(join(home, 'binary'), Buffer.concat([Buffer.of(0, 255), Buffer.from(KEY), Buffer.of(0)]));
  writeFileSync(join(home, 'clean'), 'sk-another');
  expect(betraying(home)).toHaveLength(2);
});

it('finds no Key, prompt or copy in anything that a whole run wrote', async () => {
  const { home, remove } = makeHome();
  onTestFinished(remove);
  const elsewhere = makeHome();
  onTestFinished(elsewhere.remove);
  const keyFile = join(elsewhere.home, 'own.json');
  const outputs: string[] = [];
  const svcd = async (args: readonly string[], stdin = '', env: Record<string, string> = {}): Promise<Outcome> => {
    const outcome = await runSvcd(args, { home, stdin, env });
    outputs.push(outcome.stdout, outcome.stderr);
    return outcome;
  };
  const stopWatching = process.platform === 'linux' ? watchProcesses() : undefined;

  const remote = await startRecordingRemote();
  await svcd(['config', 'set', 'remote', remote.url]);
  expect((await svcd(['key', 'set', '--key-file', keyFile], `${KEY}\n`)).code).toBe(0);
  await svcd(['key', 'set'], KEY);
  await svcd(['key', 'set', KEY.slice(0, 3)], KEY);
  const daemon = await startSvcd([], { home });
  onTestFinished(daemon.stop);
  await useEverything(daemon.info, outputs);
  const secrets = await makeSecrets(home, daemon.info);
  for (const args of [
    ['status'],
    ['logs', '--lines', '100000'],
    ['logs', '--json', '--since', '1d'],
    ['key', 'status'],
    ['key', 'status', '--json'],
    ['usage'],
    ['purchases'],
    ['token', 'list'],
    ['config', 'show'],
    ['doctor', '--report', join(home, 'report.json')],
    ['run', '--budget', '1', '--', 'true'],
    ['key', 'import', keyFile, '--key-file', keyFile],
    ['get', 'food/cake', '-o', join(home, 'cake.json')],
  ]) {
    await svcd(args);
  }
  expect((await svcd(['match'], COPY)).code).toBe(0);
  const slots = [
    { id: 'copy', text: COPY },
    { id: 'picture', prompt: PROMPT, size: '1024x1024' },
  ];
  const { code, stdout } = await svcd(['plan', '--copy', '-', '--json'], JSON.stringify({ slots }));
  expect(code).toBe(0);
  expect(holds(Buffer.from(stdout), formsOf([PROMPT, COPY, 'canaryprompt', 'canarycopy']))).toBe(false);
  // Both repeat the words they found; that is their answer, to who asked.
  outputs.splice(-4);
  // The remote did get them: the run was a real one.
  expect(remote.seen.map(({ headers }) => headers.authorization)).toEqual(
    expect.arrayContaining([`Bearer ${KEY}`, `Bearer ${TEMPLATE_KEY}`]),
  );
  expect(readFileSync(join(home, 'report.json'), 'utf8')).toContain('"checks"');

  // With the write-ahead logs, and again after the end.
  expect(filesBelow(home).filter((file) => file.endsWith('-wal')).length).toBeGreaterThan(0);
  expect(betraying(home)).toEqual([]);
  // Only the home's own token stands in a file, and only in the one that is for it.
  expect(betraying(home, formsOf(secrets.passing))).toEqual([]);
  expect(betraying(home, formsOf([secrets.token]))).toEqual([join(home, 'runtime.json')]);
  // Nothing of what ran through it stands in what a person is shown of it.
  const log = readFileSync(join(home, 'svcd.log'), 'utf8');
  expect(log).toContain('svcd started');
  expect(log).toContain('bought');
  expect(holds(Buffer.from(log), formsOf([...secrets.passing, secrets.token]))).toBe(false);
  await daemon.end('SIGKILL');

  // A remote that is away, and a Key from the environment.
  const away = await startSvcd(['--remote', 'http://127.0.0.1:9'], { home, env: { SERVICE_API_KEY: KEY } });
  onTestFinished(away.stop);
  await useEverything(away.info, outputs);
  await svcd(['doctor', '--json']);
  await away.end();

  // One in the background that crashes with everything in its hands: svcd.log, svcd.err and what "svcd logs" says of them.
  const crash = join(elsewhere.home, 'crash.mjs');
  const secret = JSON.stringify(`${PROMPT} ${COPY} ${KEY}`);
  writeFileSync(crash, `process.on('SIGUSR2', () => { throw new Error(${secret}); });`);
  const env = { SERVICE_API_KEY: KEY, NODE_OPTIONS: `--import=${crash}` };
  const started = await runSvcd(['start', '--detach', '--json', '--port', '0'], { home, env });
  const info = JSON.parse(started.stdout) as { url: string; token: string; pid: number };
  await useEverything(info, outputs);
  process.kill(info.pid, 'SIGUSR2');
  await vi.waitFor(() => expect(readFileSync(join(home, 'svcd.err'), 'utf8')).toContain('crashed'), {
    timeout: 60_000,
  });
  await svcd(['logs', '--lines', '100000']);
  await svcd(['restart', '--json'], '', { SERVICE_API_KEY: KEY });
  await svcd(['logs', '--json']);
  await svcd(['stop']);

  const { looks, lines } = stopWatching?.() ?? { looks: 1, lines: ['svcd'] };
  outputs.push(daemon.stdout(), daemon.stderr(), away.stdout(), away.stderr());
  const all = formsOf([...secrets.passing, secrets.token]);
  expect([daemon.stderr(), away.stderr()].filter((text) => holds(Buffer.from(text), all))).toEqual([]);
  // What a start tells on standard output (--json) is for who started it; the rest tells of no token.
  const told = outputs.filter((text) => !text.includes('"pid"'));
  expect(told.filter((text) => holds(Buffer.from(text), all))).toEqual([]);
  expect(betraying(home)).toEqual([]);
  expect(outputs.filter((text) => holds(Buffer.from(text)))).toEqual([]);
  expect(looks).toBeGreaterThan(0);
  expect(lines.some((line) => line.includes('svcd'))).toBe(true);
  expect(lines.filter((line) => holds(Buffer.from(line, 'latin1'), [...FORMS, ...all]))).toEqual([]);
});

/** One of every secret that svcd makes, each used once, and the home's token after it was changed. */
async function makeSecrets(home: string, { url, token }: { url: string; token: string }) {
  const svcd = async (...args: string[]) => (await runSvcd(args, { home })).stdout;
  const { token: named } = JSON.parse(await svcd('token', 'add', 'promo', '--day', '5', '--json')) as {
    token: string;
  };
  await fetch(`${url}/api/v1/me`, { headers: { authorization: `Bearer ${named}` } });
  const leased = (await svcd('run', '--', 'sh', '-c', 'echo $SERVICE_API_KEY')).trim();
  const address = (await svcd('open', '--print')).trim();
  const entered = await fetch(address, { redirect: 'manual' });
  const session = entered.headers.get('set-cookie')?.split(/[=;]/)[1] ?? '';
  const rotated = JSON.parse(await svcd('token', 'rotate', '--json')) as { token: string };
  const passing = [named, leased, new URL(address).searchParams.get('code') ?? '', session, token];
  expect(passing.filter((secret) => secret.length < 30)).toEqual([]);
  return { passing, token: rotated.token };
}

/** Every kind of request that carries something private; what refuses is kept. */
async function useEverything({ url, token }: { url: string; token: string }, outputs: string[]): Promise<void> {
  const ask = async (bearer: string, path: string, body?: object | string) => {
    const headers = {
      authorization: `Bearer ${bearer}`,
      'content-type': 'application/json',
      'x-svcd-deadline-ms': '3000',
    };
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const answer = await fetch(url + path, {
      headers,
      ...(body === undefined ? {} : { method: 'POST', body: text }),
    });
    const told = await answer.text();
    if (answer.status >= 400) outputs.push(told);
    // What was left out of a query is told to who asked it, and nothing else is told there.
    const note = answer.headers.get('x-svcd-search') ?? '';
    expect(holds(Buffer.from(note), formsOf([KEY, TEMPLATE_KEY, PROMPT, bearer, token]))).toBe(false);
    const facts = [...answer.headers].filter(([name]) => name !== 'x-svcd-search');
    outputs.push(JSON.stringify(facts));
    return answer.status;
  };
  const image = { prompt: PROMPT, size: '1024x1024' };
  for (const bearer of [token, TEMPLATE_KEY, 'svcd_wrong']) {
    await ask(bearer, `/api/v1/stickers/search?q=${encodeURIComponent(COPY)}`);
    await ask(bearer, '/api/v1/stickers/match', { text: COPY, keywords: ['canarycopy'] });
    await ask(bearer, '/api/v1/images', image);
    await ask(bearer, '/api/v1/images', { ...image, size: '1x1' });
    await ask(bearer, '/api/v1/images', { ...image, prompt: PROMPT.repeat(200) });
    await ask(bearer, '/api/v1/images', { ...image, [PROMPT.slice(0, 3)]: 1, extra: PROMPT });
    await ask(bearer, '/api/v1/images', `{"prompt":"${PROMPT}`);
    await ask(bearer, '/api/v1/productions', { template: 'a@1', stage: 'plan', host: 'x' });
    await ask(bearer, '/api/v1/me');
    await ask(bearer, '/api/v1/usage');
    await ask(bearer, `/api/v1/stickers/food%2F${bearer.slice(0, 4)}`);
    // What a client names is not always a sticker.
    for (const odd of [COPY, PROMPT, KEY, bearer]) {
      await (await fetch(`${url}/api/v1/stickers/${encodeURIComponent(odd)}`)).arrayBuffer();
    }
    await ask(bearer, '/api/v1/music/list');
  }
  await ask(`${KEY} ${KEY}`, '/api/v1/me');
}
