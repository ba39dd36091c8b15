// Calls that cost nothing, where other processes send with the same Key: they wait for its turns like all others.

import { expect, it } from 'vitest';
import { keyIdOf } from '../../src/model/spender.js';
import { silentLog } from '../../src/platform/log.js';
import { createRemote } from '../../src/upstream/remote.js';
import { createFakeTime } from './fake-time.js';
import { answer, outcome, requestOf } from './requests.js';

const LIMITED = '{"code":"rate_limited","message":"too many"}';

/** A Key whose next turns come after so long each; then there always is one. */
function setUp(waits: number[], reply = () => answer()) {
  const time = createFakeTime();
  const { clock, sleep } = time;
  const left: number[] = [];
  const good: string[] = [];
  const blocks: number[] = [];
  const remote = createRemote({
    baseUrl: 'https://service.test',
    exchanger: async (request) => {
      try {
        await request.beforeSend?.();
      } catch (error) {
        return { kind: 'unreached', error: error as never };
      }
      left.push(clock.monotonic());
      return reply();
    },
    forcedOffline: false,
    watchBalance: () => () => undefined,
    clock,
    sleep,
    log: silentLog,
    turns: {
      take: async () => waits.shift() ?? 0,
      noteGood: async (keyId) => void good.push(keyId),
      block: async (_, ms) => void blocks.push(ms),
    },
  });
  return { time, remote, left, good, blocks };
}

it('leaves when it has a turn, and the remote is asked nothing before', async () => {
  const { time, remote, left, good } = setUp([3000, 500]);
  const asked = remote.exchange(requestOf());
  await time.advance(2999);
  expect(left).toEqual([]);
  await time.advance(10_000);
  expect(outcome(await asked)).toEqual(['answer', 200]);
  expect([left, good]).toEqual([[4500], [keyIdOf('sk-one')]]);
});

it('waits no longer than it may for its turn', async () => {
  const { time, remote, left } = setUp([3000]);
  const asked = remote.exchange(requestOf({ queueTimeoutMs: 2000 }));
  await time.advance(2000);
  expect(outcome(await asked)).toEqual(['unreached', 'rate_limited']);
  expect(left).toEqual([]);
});

it('takes none for a purchase, whose turn is a row of the journal; but for a call of which nobody knows what it costs', async () => {
  const { time, remote, left } = setUp([3000]);
  const asked = remote.exchange(requestOf({ cost: 'paid', hubItem: { item: 'sticker:a', project: '' } }));
  await time.advance(1);
  expect(outcome(await asked)).toEqual(['answer', 200]);
  expect(left).toHaveLength(1);
  const passed = remote.exchange(requestOf({ cost: 'paid' }));
  await time.advance(2999);
  expect(left).toHaveLength(1);
  await time.advance(5000);
  expect(outcome(await passed)).toEqual(['answer', 200]);
});

it('tells the others when the service wants the Key left alone', async () => {
  const { time, remote, good, blocks } = setUp([], () => answer(429, { 'retry-after': '7' }, LIMITED));
  const asked = remote.exchange(requestOf());
  await time.advance(1);
  expect(outcome(await asked)).toEqual(['answer', 429]);
  expect([good, blocks]).toEqual([[], [7000]]);
});
