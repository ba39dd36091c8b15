// A bought file that players trip over is served as it was bought, and every answer about it says what is odd.

import { describe, expect, it } from 'vitest';
import { sha256Hex } from '../../src/model/hash.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';
import { startForeignRemote } from '../support/foreign-remote.js';
import { startTestDaemon } from '../support/start-daemon.js';

const WARNING = 'x-svcd-warning';

async function startShop(files: Readonly<Record<string, unknown>>) {
  const remote = await startForeignRemote();
  for (const [preset, file] of Object.entries(files)) remote.files.set(preset, JSON.stringify(file));
  const svcd = await startTestDaemon({ flags: { remote: remote.url }, userKey: 'sk-user-key' });
  return { remote, svcd };
}

describe('a bought file with a flaw', () => {
  it('is told with the purchase and ever after, and its bytes are those that were bought', async () => {
    const { remote, svcd } = await startShop({ road: FLAWED.dash_without_name[0] });
    const bought = await svcd.get('/api/v1/stickers/road');
    expect(bought.headers.get('x-svcd-source')).toBe('remote');
    expect(bought.headers.get(WARNING)).toBe('dash_without_name');
    const bytes = new Uint8Array(await bought.arrayBuffer());
    expect(sha256Hex(bytes)).toBe(sha256Hex(new TextEncoder().encode(remote.files.get('road'))));

    const owned = await svcd.get('/api/v1/stickers/road');
    expect(owned.headers.get('x-svcd-source')).toBe('owned');
    expect(owned.headers.get(WARNING)).toBe('dash_without_name');
    expect(sha256Hex(new Uint8Array(await owned.arrayBuffer()))).toBe(sha256Hex(bytes));
    const etag = owned.headers.get('etag') ?? '';
    const unchanged = await svcd.get('/api/v1/stickers/road', { 'If-None-Match': etag });
    expect([unchanged.status, unchanged.headers.get(WARNING)]).toEqual([304, 'dash_without_name']);
    const head = await svcd.call('/api/v1/stickers/road', { method: 'HEAD' });
    expect(head.headers.get(WARNING)).toBe('dash_without_name');
  });

  it('is told after a restart too, by a daemon that did not see the purchase', async () => {
    const { svcd, remote } = await startShop({ blur: FLAWED.effects[0] });
    await (await svcd.get('/api/v1/stickers/blur')).arrayBuffer();
    await svcd.daemon.close();
    const again = await startTestDaemon({ home: svcd.home, flags: { remote: remote.url }, userKey: 'sk-user-key' });
    expect((await again.get('/api/v1/stickers/blur')).headers.get(WARNING)).toBe('effects');
  });

  it('is told by as many words as it has flaws', async () => {
    const layers = [FLAWED.remote_image, FLAWED.expressions].flatMap(([file]) => file?.['layers'] as object[]);
    const file = { ...FLAWED.remote_image[0], layers };
    const { svcd } = await startShop({ both: file });
    expect((await svcd.get('/api/v1/stickers/both')).headers.get(WARNING)).toBe('expressions, remote_image');
  });
});

it('says nothing of a sound file, nor of a default', async () => {
  const { svcd, remote } = await startShop({ sound: FLAWLESS[0] });
  expect((await svcd.get('/api/v1/stickers/sound')).headers.get(WARNING)).toBeNull();
  expect((await svcd.get('/api/v1/stickers/sound')).headers.get(WARNING)).toBeNull();
  await remote.refuse();
  const standIn = await svcd.get('/api/v1/stickers/elsewhere');
  expect(standIn.headers.get('x-svcd-source')).toBe('default');
  expect(standIn.headers.get(WARNING)).toBeNull();
});
