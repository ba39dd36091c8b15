// A remote that tells its stickers in its own way: other names, another envelope, fields nobody heard of.

import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';
import { allowForeignAnswers } from './check-answers.js';

export interface ForeignRemote {
  readonly url: string;
  /** Path and query of all that arrived but the probes for capabilities, oldest first. */
  readonly seen: string[];
  /** What search and match list. */
  stickers: Record<string, unknown>[];
  /** Answers with this status instead. */
  status: number;
  /** Refuses so many times first, with 429 and `Retry-After: 1`. */
  busy: number;
  /** Waited for before an answer. */
  until: () => Promise<unknown>;
  /** Presets that can be downloaded. */
  readonly files: Map<string, string>;
  /** The largest limit it takes. */
  maxLimit: number;
  /** Refuses connections from now on. */
  refuse(): Promise<void>;
}

/** Starts one that ends with the test. Every sticker matches, those whose label holds the query first. */
export async function startForeignRemote(): Promise<ForeignRemote> {
  const server = createServer((request, response) => {
    void respond(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const refuse = async () => {
    server.closeAllConnections();
    if (server.listening) await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(refuse);
  allowForeignAnswers();
  const remote: ForeignRemote = {
    url,
    seen: [],
    stickers: [],
    files: new Map(),
    status: 200,
    busy: 0,
    maxLimit: 50,
    refuse,
    until: () => Promise.resolve(),
  };

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { status, body } = await answer(request);
    const headers = { 'Content-Type': 'application/json; charset=utf-8' };
    response.writeHead(status, status === 429 ? { ...headers, 'Retry-After': '1' } : headers);
    response.end(JSON.stringify(body));
  }

  async function answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const target = new URL(request.url ?? '/', url);
    if (target.pathname === '/api/v1/capabilities') return { status: 200, body: [] };
    remote.seen.push(decodeURIComponent(request.url ?? ''));
    const body = await readAll(request);
    await remote.until();
    if (remote.busy > 0) {
      remote.busy -= 1;
      return { status: 429, body: { code: 'rate_limited' } };
    }
    if (remote.status !== 200) return { status: remote.status, body: { code: 'odd' } };
    if (target.pathname === '/api/v1/stickers/search') return search(target);
    if (target.pathname === '/api/v1/stickers/match') return match(body);
    if (target.pathname === '/api/v1/collections') return { status: 200, body: { picks: told() } };
    const file = remote.files.get(decodeURIComponent(target.pathname.slice('/api/v1/stickers/'.length)));
    if (file !== undefined) return { status: 200, body: JSON.parse(file) as unknown };
    return { status: 404, body: { code: 'not_found' } };
  }

  function told(): Record<string, unknown>[] {
    return remote.stickers.map((sticker) => ({
      ...sticker,
      download: `${url}/api/v1/stickers/${encodeURIComponent(String(sticker['preset']))}`,
    }));
  }

  function search(target: URL): { status: number; body: unknown } {
    const [q, limit] = [target.searchParams.get('q') ?? '', Number(target.searchParams.get('limit'))];
    if (limit > remote.maxLimit) return { status: 400, body: { code: 'limit' } };
    const fits = (sticker: Record<string, unknown>) => Number(String(sticker['label']).includes(q));
    const items = told().toSorted((a, b) => fits(b) - fits(a));
    return { status: 200, body: { ok: true, data: { asked: q, found: items.length, items: items.slice(0, limit) } } };
  }

  function match(body: string): { status: number; body: unknown } {
    const { keywords = [] } = JSON.parse(body) as { keywords?: string[] };
    const why = [{ term: keywords[0] ?? '', matched_field: 'tags', type: 'direct' }];
    const results = told().map((sticker, i) => ({ ...sticker, relevance: 1 - i / 100, matched: why }));
    return { status: 200, body: { extracted_keywords: keywords, total: results.length, results } };
  }

  return remote;
}

async function readAll(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString('utf8');
}
