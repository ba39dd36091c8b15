import { describe, expect, test } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { tasks } from '../../src/sandbox/tasks/task-module.js';
import { createMovingClock } from '../support/moving-clock.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, temporaryHome, type StartedSandbox } from './start-sandbox.js';

const QUOTE = { capability: 'images.generate', input: { prompt: '蛋糕 zxqv', size: '1024x1024' } };
type Told = Record<string, string>;

describe('a durable task', () => {
  test('goes on after the sandbox was closed in its middle, and is charged once', async () => {
    const home = temporaryHome();
    const never = () => new Promise<Buffer>(() => undefined);
    const first = await startSandbox({ modules: [tasks], draw: never }, home);
    const task = await accept(first, await quote(first));
    expect(await stateOf(first, task)).toMatch(/queued|running/);
    await first.stop();
    const second = await startSandbox({ modules: [tasks] }, home);
    await expect.poll(() => stateOf(second, task)).toBe('succeeded');
    expect(second.sandbox.charges()).toHaveLength(1);
    expect(second.sandbox.credits()).toBe(990);
  });

  test('of one quote is one, however often it is accepted', async () => {
    const started = await startSandbox({ modules: [tasks] });
    const id = await quote(started);
    const first = await accept(started, id);
    await expect.poll(() => stateOf(started, first)).toBe('succeeded');
    expect(await accept(started, id)).toBe(first);
    expect(started.sandbox.charges()).toHaveLength(1);
  });

  test('is not made of a quote that is a quarter of an hour old', async () => {
    const clock = createMovingClock('2026-11-21T08:00:00Z');
    const started = await startSandbox({ modules: [tasks], clock });
    const [late, inTime] = [await quote(started), await quote(started)];
    clock.pass(15 * 60_000 - 1);
    expect((await started.post('/api/v1/tasks', { quote_id: inTime })).status).toBe(202);
    clock.pass(1);
    expect(await refusalIn(await started.post('/api/v1/tasks', { quote_id: late }))).toBe('400 invalid_request');
  });

  test('without the credits fails, free of charge', async () => {
    const started = await startSandbox({ modules: [tasks], credits: 9, log: silentLog });
    const task = await accept(started, await quote(started));
    await expect.poll(() => stateOf(started, task)).toBe('failed');
    const told = (await (await started.call(`/api/v1/tasks/${task}`)).json()) as object;
    expect(told).toMatchObject({ error: { code: 'insufficient_credits' } });
    expect(started.sandbox.credits()).toBe(9);
  });
});

async function quote({ post }: StartedSandbox): Promise<string> {
  return ((await (await post('/api/v1/quotes', QUOTE)).json()) as Told)['quote_id'] ?? '';
}

async function accept({ post }: StartedSandbox, id: string): Promise<string> {
  return ((await (await post('/api/v1/tasks', { quote_id: id })).json()) as Told)['task_id'] ?? '';
}

async function stateOf({ call }: StartedSandbox, task: string): Promise<string | undefined> {
  return ((await (await call(`/api/v1/tasks/${task}`)).json()) as Told)['state'];
}
