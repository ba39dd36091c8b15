// A checkout of svcd as its users have it: bin/svcd.js in a process of its own, and HTTP. Nothing of its sources is read,
// so that a house of another build can be asked the same.

import { spawn, type ChildProcess } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { join } from 'node:path';
import { Mask } from './mask.js';

/** One home with a folder to work in; what is asked of it is kept under its key. */
export class House {
  readonly #checkout: string;
  readonly #answers: Map<string, unknown>;
  readonly #daemons: ChildProcess[] = [];
  readonly mask = new Mask();
  readonly folder: string;
  readonly home: string;
  /** `METHOD /path` of everything that was asked over HTTP. */
  readonly asked: string[] = [];
  /** Where its daemon answers, and what opens it. */
  url = '';
  token = '';

  constructor(checkout: string, answers: Map<string, unknown>) {
    this.#checkout = checkout;
    this.#answers = answers;
    // Where lines wrap depends on how long this is.
    this.folder = realpathSync(mkdtempSync('/tmp/svcd-answers-'));
    this.home = join(this.folder, 'home');
    mkdirSync(this.home, { mode: 0o700 });
    mkdirSync(this.path('work'));
    this.mask.learn(this.home, 'home');
    this.mask.learn(this.folder, 'folder');
    this.mask.learn(checkout, 'checkout');
  }

  path(...names: readonly string[]): string {
    return join(this.folder, ...names);
  }

  #spawn(args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [join(this.#checkout, 'bin', 'svcd.js'), ...args], {
      cwd: this.path('work'),
      env: {
        PATH: '/usr/bin:/bin',
        HOME: this.home,
        LANG: 'en_US.UTF-8',
        TZ: 'UTC',
        SHELL: '/bin/bash',
        SVCD_HOME: this.home,
        SVCD_PORT: '0',
        SVCD_BACKGROUND_SYNC: 'false',
        XDG_STATE_HOME: this.path('state'),
        XDG_CACHE_HOME: join(this.#checkout, 'node_modules', '.cache'),
      },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
  }

  /** Runs one command to its end and keeps what it said; its stdout. */
  async say(key: string, args: readonly string[], stdin = ''): Promise<string> {
    const child = this.#spawn(args);
    const [stdout, stderr] = [collect(child.stdout), collect(child.stderr)];
    child.stdin?.on('error', () => undefined).end(stdin);
    const deadline = setTimeout(() => child.kill('SIGKILL'), 120_000);
    const exit = await new Promise<number | null>((resolve) => child.on('close', resolve));
    clearTimeout(deadline);
    this.keep(`cli: ${key}`, {
      command: this.mask.text(['svcd', ...args].join(' ')),
      exit: exit ?? 'did not end',
      stdout: this.#body(stdout()),
      stderr: this.#body(stderr()),
    });
    return stdout().toString();
  }

  /** Says it for a person in both languages, and for a program. */
  async sayEach(key: string, args: readonly string[], stdin = ''): Promise<void> {
    await this.say(key, args, stdin);
    await this.say(`${key}, in Chinese`, ['--lang', 'zh', ...args], stdin);
    await this.say(`${key}, as JSON`, ['--json', ...args], stdin);
  }

  /** Starts what stays, and keeps its first line. */
  async start(key: string, args: readonly string[]): Promise<Started> {
    const child = this.#spawn([...args, '--json']);
    this.#daemons.push(child);
    child.stderr?.resume();
    const stdout = collect(child.stdout);
    const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
    while (!stdout().includes('\n')) {
      const said = new Promise<void>((resolve) => child.stdout?.once('data', () => resolve()));
      await Promise.race([said, ended]);
      if (child.exitCode !== null) throw new Error(`${args.join(' ')} ended with ${child.exitCode}`);
    }
    const info = JSON.parse(stdout().toString().split('\n', 1)[0] ?? '') as Started;
    this.keep(`cli: ${key}`, { stdout: this.mask.value(info) });
    this.url = info.local?.url ?? info.url;
    this.token = info.local?.token ?? info.token ?? '';
    return info;
  }

  /** Sends one request and keeps the answer; its body. With `first` it is read only until something was said. */
  async ask(
    key: string,
    line: string,
    { as = this.token, url = this.url, body, headers = {}, first = false }: AskOptions = {},
  ): Promise<string> {
    const [method = 'GET', path = '/'] = line.split(' ');
    this.asked.push(line);
    const text = body === undefined || typeof body === 'string' ? body : JSON.stringify(body);
    const all = {
      ...(as !== '' && { authorization: `Bearer ${as}` }),
      ...(text !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    };
    const answer = await exchange(url + path, method, all, text, first);
    this.keep(`http: ${key}`, {
      request: this.mask.text(line),
      status: answer.status,
      headers: this.mask.value(withoutUsual(answer.headers, path)),
      body: answer.headers['content-type']?.startsWith('text/html') ? '<page>' : this.#body(answer.body),
    });
    return answer.body.toString();
  }

  keep(key: string, answer: unknown): void {
    if (this.#answers.has(key)) throw new Error(`two answers are called ${JSON.stringify(key)}`);
    this.#answers.set(key, answer);
  }

  /** JSON as a value, text by lines, anything else, or much of it, by its digest. */
  #body(bytes: Buffer): unknown {
    const text = bytes.toString();
    if (!Buffer.from(text).equals(bytes) || bytes.length > 150_000) {
      return `<${bytes.length > 150_000 ? this.#digest(text) : createHash('sha256').update(bytes).digest('hex')}>`;
    }
    const values = [text, ...text.trimEnd().split('\n')].map(parse);
    if (values[0] !== undefined) return this.mask.value(values[0]);
    if (values.length > 1 && values.slice(1).every((one) => one !== undefined)) return this.mask.value(values.slice(1));
    return this.mask.lines(text);
  }

  /** Of lines in any order. */
  #digest(text: string): string {
    const lines = this.mask.text(text).split('\n');
    return `${lines.length} lines, ${createHash('sha256').update(lines.toSorted().join('\n')).digest('hex')}`;
  }

  async end(): Promise<void> {
    for (const child of this.#daemons) {
      if (child.exitCode === null && child.kill()) await new Promise((resolve) => child.once('close', resolve));
    }
    const stop = this.#spawn(['stop']);
    await new Promise((resolve) => stop.once('close', resolve));
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** The first line of what stays; `local` is a hub's own door, where `url` is the machines'. */
interface Started {
  readonly url: string;
  readonly token?: string;
  readonly local?: { readonly url: string; readonly token: string };
}

interface AskOptions {
  /** A bearer in place of the home's token; empty for none. */
  readonly as?: string;
  readonly url?: string;
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
  readonly first?: boolean;
}

interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** fetch would add headers of its own and forbid others. A hub's certificate is its own. */
function exchange(
  address: string,
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
  first: boolean,
): Promise<Answer> {
  const send = address.startsWith('https:') ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(address, { method, headers, agent: false, rejectUnauthorized: false }, (answer) => {
      const chunks: Buffer[] = [];
      const settle = () =>
        resolve({
          status: answer.statusCode ?? 0,
          headers: Object.fromEntries(Object.entries(answer.headers).map(([name, value]) => [name, String(value)])),
          body: Buffer.concat(chunks),
        });
      answer.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        if (!first) return;
        settle();
        sent.destroy();
      });
      answer.on('end', settle);
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

/** Without those of every answer of Node.js, and those that say the body again: a page, or what names our own address. */
function withoutUsual(headers: Answer['headers'], path: string): Answer['headers'] {
  const usual = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding', 'content-length']);
  if (headers['content-type']?.startsWith('text/html')) usual.add('content-security-policy').add('etag').add('link');
  if (/^\/(openapi\.json|llms\.txt)/.test(path)) usual.add('etag');
  return Object.fromEntries(Object.entries(headers).filter(([name]) => !usual.has(name)));
}

function parse(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : undefined;
  } catch {
    return undefined;
  }
}

function collect(stream: NodeJS.ReadableStream | null): () => Buffer {
  const chunks: Buffer[] = [];
  stream?.on('data', (chunk: Buffer) => chunks.push(chunk));
  return () => Buffer.concat(chunks);
}
