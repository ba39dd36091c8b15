// Every operation that the daemon's own document names: no credentials, no input, a page of a stranger, another method.

import type { House } from './house.js';

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

const NAMES: Readonly<Record<string, string>> = {
  preset: 'fluent-emoji-flat%2Fballoon',
  address: '00000000000000000000000000000000',
  file: 'nothing.js',
  size: '512x512',
  sha256: '0'.repeat(64),
  id: '1',
  collection: 'favourites',
  origin: 'http%3A%2F%2Flocalhost%3A3000',
  name: 'nobody',
  machine: '1',
};

/** The last ones: after them nothing is as before. */
const ENDS = ['rotateToken', 'stop'];

export async function askEveryOperation(open: () => House): Promise<void> {
  const house = open();
  await house.start('start for every operation', ['start', '--sandbox', '--seed', '1', '--fresh']);
  const document = JSON.parse(await house.ask('the table of operations', 'GET /openapi.json', { as: '' })) as Document;
  const rows = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { operationId }]) => ({
      method: method.toUpperCase(),
      path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => NAMES[name] ?? 'x'),
      name: operationId,
    })),
  );
  rows.sort((a, b) => ENDS.indexOf(a.name) - ENDS.indexOf(b.name) || (a.name < b.name ? -1 : 1));
  for (const { method, path, name } of rows) {
    await house.ask(`${name}, no credentials`, `${method} ${path}`, { as: '' });
    await house.ask(`${name}, a wrong token`, `${method} ${path}`, { as: 'svcd_wrong' });
    await house.ask(`${name}, another method`, `PATCH ${path}`);
    await house.ask(`${name}, a page of a stranger`, `${method} ${path}`, {
      as: '',
      headers: { origin: 'https://example.com', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' },
    });
    if (method !== 'GET') {
      await house.ask(`${name}, no JSON`, `${method} ${path}`, { as: '', body: '{' });
      await house.ask(`${name}, fields that nobody knows`, `${method} ${path}`, { as: '', body: { nonsense: 1 } });
    } else if (name !== 'watchEvents') {
      await house.ask(`${name}, HEAD`, `HEAD ${path}`, { as: '' });
      await house.ask(`${name}, a parameter nobody knows`, `GET ${path}?nonsense=1&limit=x`, { as: '' });
    }
  }
  for (const { method, path, name } of rows) {
    await house.ask(`${name}, of the owner, no input`, `${method} ${path}`, { first: name === 'watchEvents' });
  }
}
