// An owned sticker of about 50 KB, bought once from the sandbox, against the same bytes as a Buffer in bare hono
// and as a file in nginx.

import { readCatalogue } from './questions.js';
import { rowOf, type Row } from './report.js';
import { startBareHono, startNginx, startSvcd, type SvcdServer } from './start-server.js';
import { missingWrk, raceServers, type Load } from './wrk.js';
import { missingProgram, type Workbench } from './workbench.js';

const NAME = 'owned sticker of 50 KB';
const WANTED_BYTES = 50 * 1024;

/** Measures downloads on a home that was started before. */
export async function benchOwnedSticker(bench: Workbench, home: string): Promise<Row[]> {
  const skipped = missingWrk();
  if (skipped !== undefined) return [{ name: NAME, skipped }];
  const withoutNginx = missingProgram('nginx', 'nginx-light');
  const path = `/api/v1/stickers/${encodeURIComponent(findPreset())}`;
  const svcd = await startSvcd(bench, home);
  const bytes = await buyOnce(svcd, path);
  const bare = await startBareHono(bench, bytes);
  const nginx = withoutNginx === undefined ? [await startNginx(bench, path, bytes)] : [];
  const load: Load = { kind: 'paths', lines: [path], headers: { Authorization: `Bearer ${svcd.token}` } };
  const [ours = 0, hono = 0, file = 0] = await raceServers(bench, [svcd, bare, ...nginx], load);
  await Promise.all([svcd, bare, ...nginx].map((server) => server.stop()));
  const row = { name: NAME, ours, better: 'higher', unit: 'requests/s' } as const;
  return [
    rowOf({ ...row, against: hono, peer: 'a Buffer in bare hono, with a type and no other header' }),
    withoutNginx === undefined
      ? rowOf({ ...row, against: file, peer: 'a file in nginx' })
      : { name: `${NAME}, against nginx`, skipped: withoutNginx },
  ];
}

function findPreset(): string {
  const distance = (length: number) => Math.abs(length - WANTED_BYTES);
  const [nearest] = readCatalogue().toSorted((a, b) => distance(a.at[2]) - distance(b.at[2]));
  if (nearest === undefined) throw new Error('the catalogue is empty');
  return nearest.preset;
}

async function buyOnce(svcd: SvcdServer, path: string): Promise<Uint8Array> {
  const headers = { Authorization: `Bearer ${svcd.token}` };
  await (await fetch(svcd.url + path, { headers })).arrayBuffer();
  const owned = await fetch(svcd.url + path, { headers });
  const source = owned.headers.get('x-svcd-source');
  if (source !== 'owned') throw new Error(`the sticker should be owned by now, but comes from ${source}`);
  return new Uint8Array(await owned.arrayBuffer());
}
