import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openControlled, type OpenedSandbox } from './open-control.js';
import { temporaryHome } from './start-sandbox.js';
import { writeTinyCatalogue } from './tiny-catalogue.js';

const PRODUCTION = { template: 'birthday-card@1.0.0', stage: 'plan' };
const IMAGE = { prompt: '生日', size: '1024x1024' };

/** Everything that chance has a part in. */
async function lifeOf({ sandbox, control, call, post }: OpenedSandbox): Promise<unknown[]> {
  const ada = await control<{ key: string }>('POST', 'accounts', { name: 'ada' });
  const bought = await control<{ id: string }>('POST', 'topups', { amount: '100' });
  const production = (await (await post('/api/v1/productions', PRODUCTION)).json()) as object;
  const image = (await (await post('/api/v1/images', IMAGE)).json()) as { url: string };
  const bytes = Buffer.from(await (await call(new URL(image.url).pathname)).arrayBuffer());
  await control('POST', 'faults', { kind: 'status', status: 502, probability: 0.5, path: '/api/v1/me' });
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push((await call('/api/v1/me')).status);
  return [sandbox.key, ada.key, bought.id, production, image, bytes.toString('base64'), statuses];
}

describe('a seed', () => {
  test('gives the same Keys, ids, images and failures; another gives others', async () => {
    const [first, again, other] = [
      await lifeOf(openControlled({ seed: 7 })),
      await lifeOf(openControlled({ seed: 7 })),
      await lifeOf(openControlled({ seed: 8 })),
    ];
    expect(again).toEqual(first);
    // The picture depends on the prompt alone.
    for (const part of [0, 1, 2, 3, 4, 6]) expect(other[part]).not.toEqual(first[part]);
    const statuses = first[6] as number[];
    expect(statuses.filter((status) => status === 502).length).toBeGreaterThan(8);
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(8);
  });

  test('is kept over a restart, and another one for the same file is refused', async () => {
    const home = temporaryHome();
    const options = { file: join(home, 'sandbox.db'), catalogueFolder: writeTinyCatalogue(home) };
    const { sandbox } = openControlled({ ...options, seed: 7 });
    sandbox.close();
    const again = openControlled(options);
    expect([again.sandbox.seed, again.sandbox.key]).toEqual([7, sandbox.key]);
    again.sandbox.close();
    expect(() => openControlled({ ...options, seed: 8 })).toThrow('began with seed 7, not 8');
  });

  test('is what a reset begins with again: same Key, same life, whatever happened before', async () => {
    const opened = openControlled({ seed: 7 });
    const first = await lifeOf(opened);
    await opened.control('POST', 'clock', { advance_ms: 1e9 });
    await opened.control('PUT', 'capabilities/images.generate', { enabled: false });
    await opened.control('POST', 'reset');
    expect(opened.sandbox.credits()).toBe(1000);
    expect(await opened.control('GET', 'requests')).toEqual({ requests: [] });
    expect(await opened.control('GET', 'clock')).toMatchObject({ ahead_ms: 0 });
    expect(await lifeOf(opened)).toEqual(first);
  });
});
