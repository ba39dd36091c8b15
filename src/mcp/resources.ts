// What a host can attach to a conversation by itself: what is owned, a sticker's file, and its picture. Nothing here can buy: files
// are taken by their digest.

import {
  type McpServer,
  ResourceNotFoundError,
  type ReadResourceResult,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { FactsAnswer } from '../api/library.js';
import type { FindAnswer } from '../api/find.js';
import { LIMIT_MAX } from '../contract/limits.js';
import { type Asker, toRefusal } from '../video/apply/asker.js';
import { takeByDigest } from '../video/apply/take-assets.js';
import { cut, FOREIGN } from './tool.js';

const HINT = { cacheHint: { ttlMs: 60_000, cacheScope: 'private' as const } };
const OWNED = 'svcd://owned';
const COMPLETED_OF = 500;

/** Gives a server its resources; pictures only where they are wanted. */
export function registerResources(server: McpServer, asker: Asker, pictures: boolean): void {
  const listOwned = (offset: string | number) =>
    asker.ask<FindAnswer>('GET', `/svcd/search?owned=true&limit=${LIMIT_MAX}&offset=${encodeURIComponent(offset)}`);
  const readOwned = async ({ href }: URL, offset = '0'): Promise<ReadResourceResult> => {
    const { total, next, results } = await listOwned(offset);
    const owned = results.map(({ preset, title }) => ({ preset, title: cut(title ?? '', 60) }));
    const onward = typeof next === 'number' ? { next: `${OWNED}?offset=${next}` } : {};
    const text = JSON.stringify({ ...FOREIGN, total, owned, ...onward });
    return { contents: [{ uri: href, mimeType: 'application/json', text }] };
  };
  const about = { mimeType: 'application/json', ...HINT };
  server.registerResource('owned', OWNED, { description: 'Stickers that are owned, 50 at once.', ...about }, (uri) =>
    readOwned(uri),
  );
  const page = new ResourceTemplate(`${OWNED}{?offset}`, { list: undefined });
  server.registerResource('owned-page', page, { description: 'More of them.', ...about }, (uri, { offset }) =>
    readOwned(uri, String(offset)),
  );

  // Completed by what is owned, of which the first pages are looked at: of nothing else is there a file.
  const complete = {
    preset: async (typed: string) => {
      const begun = encodeURIComponent(decoded(typed));
      const found: string[] = [];
      for (let offset: number | null = 0; offset !== null && offset < COMPLETED_OF;) {
        const { results, next }: FindAnswer = await listOwned(offset);
        found.push(...results.map(({ preset }) => encodeURIComponent(preset)).filter((one) => one.startsWith(begun)));
        offset = next;
      }
      return found;
    },
  };
  const each = (kind: string) => new ResourceTemplate(`svcd://${kind}/{preset}`, { list: undefined, complete });
  const sticker = { description: 'The Lottie file of a sticker that is owned.', ...about };
  server.registerResource('sticker', each('stickers'), sticker, async ({ href }, { preset }) => {
    const name = decoded(preset);
    const facts = await asker.request('GET', `/svcd/facts/${encodeURIComponent(name)}`);
    if (facts.status !== 200) throw notHere(href, facts.json());
    const { sha256 } = facts.json() as FactsAnswer;
    const file = await takeByDigest(asker, sha256, name);
    if (file === undefined) throw new ResourceNotFoundError(href);
    const text = Buffer.from(file.bytes).toString('utf8');
    return { contents: [{ uri: href, mimeType: 'application/json', text }] };
  });
  if (!pictures) return;
  const render = { description: 'One frame of it, as a PNG.', mimeType: 'image/png', ...HINT };
  server.registerResource('render', each('renders'), render, async ({ href }, { preset }) => {
    const drawn = await asker.request('GET', `/svcd/renders/${encodeURIComponent(decoded(preset))}`);
    if (drawn.status !== 200) throw notHere(href, drawn.json());
    const blob = Buffer.from(drawn.bytes()).toString('base64');
    return { contents: [{ uri: href, mimeType: 'image/png', blob }] };
  });
}

function notHere(uri: string, told: unknown): ResourceNotFoundError {
  const { code, message } = toRefusal(told as object);
  return new ResourceNotFoundError(uri, `${code}: ${cut(message, 200)}`);
}

/** Hosts write the slash of a preset as it is, or encoded. */
function decoded(typed: string | readonly string[] = ''): string {
  try {
    return decodeURIComponent(String(typed));
  } catch {
    return String(typed);
  }
}
