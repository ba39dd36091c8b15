// The peer: hono and @hono/node-server with nothing in between, answering from memory with the bytes svcd
// answered with. `node bare-hono.mjs texts FILE` gives out a JSON list of texts in turn, `… sticker FILE` a file;
// each only its own routes, so that none makes another slower. Prints its address when it listens.

import { readFileSync } from 'node:fs';
import { serve } from '@hono/node-server';
import { Hono } from 'hono';

const [kind, file] = process.argv.slice(2);
const bytes = readFileSync(file);
const type = { 'Content-Type': 'application/json; charset=utf-8' };

const app = new Hono();
if (kind === 'texts') serveTexts(JSON.parse(bytes.toString()));
else app.get('/api/v1/stickers/:preset', (c) => c.body(bytes, 200, type));

serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) => {
  process.stdout.write(`${JSON.stringify({ url: `http://127.0.0.1:${port}` })}\n`);
});

function serveTexts(texts) {
  let given = 0;
  const next = () => texts[given++ % texts.length];
  app.get('/api/v1/stickers/search', (c) => c.body(next(), 200, type));
  app.post('/api/v1/stickers/match', async (c) => {
    await c.req.json();
    return c.body(next(), 200, type);
  });
}
