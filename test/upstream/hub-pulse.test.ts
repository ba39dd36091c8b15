// How soon a hub that goes silent is noticed, by a clock that the test moves.

import { expect, it } from 'vitest';
import { Pulse } from '../../src/hub/member/hub-exchanger.js';

const HUB = 'https://hub';

/** Runs a pulse over these moments of time; when it gave the hub up, and how often it asked. */
async function watch(happens: (pulse: Pulse) => readonly (readonly [number, () => void])[], aliveUntil = 0) {
  let now = 0;
  let silentAt: number | undefined;
  let asked = 0;
  const pass = async (ms: number) => {
    for (const until = now + ms; now < until;) {
      now += 1;
      for (const [at, happen] of moments) if (at === now) happen();
    }
  };
  const pulse = new Pulse({
    clock: { monotonic: () => now },
    sleep: pass,
    ping: async (_address, ms) => {
      asked += 1;
      const isAlive = now < aliveUntil;
      await pass(isAlive ? 1 : ms);
      return isAlive;
    },
    onSilent: () => void (silentAt = now),
  });
  const moments = happens(pulse);
  pulse.enter(HUB);
  await new Promise((resolve) => setImmediate(resolve));
  return { silentAt, asked };
}

it('is 1.7 s after the last sign of life, whenever that came', async () => {
  expect(await watch(() => [])).toEqual({ silentAt: 1700, asked: 1 });
  for (const at of [1, 250, 499, 500]) {
    expect(await watch((pulse) => [[at, () => pulse.heard(HUB)]])).toEqual({ silentAt: at + 1700, asked: 1 });
  }
});

it('is 1.7 s after its last answer to the question whether it is there', async () => {
  expect(await watch(() => [], 3000)).toEqual({ silentAt: 2505 + 1700, asked: 6 });
});

it('is never while it answers something meanwhile, and nothing is watched when nothing waits', async () => {
  const answers = (pulse: Pulse) => [[1600, () => pulse.heard(HUB)] as const, [1700, () => pulse.leave(HUB)] as const];
  expect(await watch(answers)).toEqual({ silentAt: undefined, asked: 1 });
});
