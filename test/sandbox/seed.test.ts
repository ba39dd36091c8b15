import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { music } from '../../src/sandbox/music/music-module.js';
import { tasks } from '../../src/sandbox/tasks/task-module.js';
import { openControlled, type OpenedSandbox } from './open-control.js';
import { temporaryHome } from './start-sandbox.js';
import { writeTinyCatalogue } from './tiny-catalogue.js';

const PRODUCTION = { template: 'birthday-card@1.0.0', stage: 'plan' };
const modules = [music, tasks];
const IMAGE = { prompt: '生日', size: '1024x1024' };

/** Everything that chance has a part in. */
async function lifeOf(opened: OpenedSandbox): Promise<unknown[]> {
  const { sandbox, control, call, post } = opened;
  const ada = await control<{ key: string }>('POST', 'accounts', { name: 'ada' });
  const bought = await control<{ id: string }>('POST', 'topups', { amount: '100' });
  const production = (await (await post('/api/v1/productions', PRODUCTION)).json()) as object;
  const image = (await (await post('/api/v1/images', IMAGE)).json()) as { url: string };
  const bytes = Buffer.from(await (await call(new URL(image.url).pathname)).arrayBuffer());
  await control('POST', 'faults', { kind: 'status', status: 502, probability: 0.5, path: '/api/v1/me' });
  const statuses: number[] = [];
  for (let i = 0; i < 40; i++) statuses.push((await call('/api/v1/me')).status);
  const described = await describedPartsOf(opened);
  return [sandbox.key, ada.key, bought.id, production, image, bytes.toString('base64'), statuses, described];
}

/** Ids of what music and tasks write down. */
async function describedPartsOf({ call, post, control }: OpenedSandbox): Promise<string[]> {
  await control('DELETE', 'faults');
  const json = async (answer: Promise<Response>) => (await (await answer).json()) as Record<string, string>;
  const { key } = await control<{ key: string }>('POST', 'downloads', { template: 'story-cover' });
  const { asset_id: asset } = await json(post('/api/v1/music/tracks/happy-piano-15/select', {}));
  const input = { ...IMAGE, size: '1024x1536' };
  const { quote_id: quote } = await json(post('/api/v1/quotes', { capability: 'images.generate', input }));
  const { task_id: task } = await json(post('/api/v1/tasks', { quote_id: quote }));
  await expect.poll(async () => (await json(call(`/api/v1/tasks/${task}`)))['state']).toBe('succeeded');
  const { receipt_id: receipt, result } = await json(call(`/api/v1/tasks/${task}`));
  return [JSON.stringify(key), asset, quote, task, receipt, JSON.stringify(result)].map(String);
}

describe('a seed', () => {
  test('gives the same Keys, ids, images and failures; another gives others', async () => {
    const [first, again, other] = [
      await lifeOf(openControlled({ seed: 7, modules })),
      await lifeOf(openControlled({ seed: 7, modules })),
      await lifeOf(openControlled({ seed: 8, modules })),
    ];
    expect(again).toEqual(first);
    // The picture depends on the prompt alone.
    for (const part of [0, 1, 2, 3, 4, 6, 7]) expect(other[part]).not.toEqual(first[part]);
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
    const opened = openControlled({ seed: 7, modules });
    const first = await lifeOf(opened);
    await opened.control('POST', 'clock', { advance_ms: 1e9 });
    await opened.control('PUT', 'capabilities/images.generate', { enabled: false });
    await opened.control('POST', 'reset');
    expect(opened.sandbox.credits()).toBe(1000);
    expect(await opened.control('GET', 'requests')).toEqual({ requests: [] });
    expect(await opened.control('GET', 'clock')).toMatchObject({ ahead_ms: 0 });
    expect(await lifeOf(opened)).toEqual(first);
  });

  test('reset while an image and a task are being made charges neither of them to the new account', async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((done) => (release = done));
    const draw = async () => held.then(() => Buffer.from('an image'));
    const { sandbox, control, post, call } = openControlled({ modules, draw });
    const image = post('/api/v1/images', IMAGE);
    const quote = await post('/api/v1/quotes', { capability: 'images.generate', input: { ...IMAGE, prompt: 'x' } });
    const { quote_id } = (await quote.json()) as { quote_id: string };
    await post('/api/v1/tasks', { quote_id });
    await control('POST', 'reset');
    expect(await (await call('/api/v1/tasks')).json()).toEqual({ tasks: [] });
    // The same seed gives the new quote and the new task the old one's ids, and the new task is made once.
    const again = await post('/api/v1/quotes', { capability: 'images.generate', input: IMAGE });
    expect(await again.json()).toMatchObject({ quote_id });
    expect((await post('/api/v1/tasks', { quote_id })).status).toBe(202);
    release();
    expect((await image).status).toBe(503);
    await expect.poll(() => sandbox.credits()).toBe(990);
    expect(sandbox.charges()).toHaveLength(1);
    expect(await control('GET', 'ledger')).toMatchObject({ unbalanced: 0, wrong_balances: 0 });
  });
});
