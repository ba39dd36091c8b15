import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { RequestScheduler } from '../../src/harvest/request-scheduler.js';

const WINDOW_MS = 61_000;

/** The most departures in any stretch of a minute. */
function mostInAMinute(departures: readonly number[]): number {
  return Math.max(0, ...departures.map((from) => departures.filter((at) => at >= from && at < from + 60_000).length));
}

const allowed = fc.integer({ min: 1, max: 120 });

it('lets no minute see more than is allowed, however long somebody rests and however often it starts anew', () => {
  const pauses = fc.array(fc.integer({ min: 0, max: 90_000 }), { minLength: 1, maxLength: 150 });
  const restarts = fc.array(fc.integer({ min: 0, max: 150 }), { maxLength: 5 });
  fc.assert(
    fc.property(allowed, pauses, restarts, (count, rests, starts) => {
      let now = 5000;
      const departures: number[] = [];
      const start = () =>
        new RequestScheduler(
          { allowed: count, windowMs: WINDOW_MS },
          departures.filter((at) => at > now - WINDOW_MS),
          now,
        );
      let spacing = start();
      for (const [i, rest] of rests.entries()) {
        if (starts.includes(i)) spacing = start();
        now += rest % 7 === 0 ? rest : 0;
        now += spacing.waitMs(now);
        spacing.leave(now);
        departures.push(now);
      }
      expect(mostInAMinute(departures)).toBeLessThanOrEqual(count);
    }),
  );
});

it('wastes little of what is allowed', () => {
  fc.assert(
    fc.property(allowed, (count) => {
      let now = 0;
      const spacing = new RequestScheduler({ allowed: count, windowMs: WINDOW_MS }, [], now);
      let left = 0;
      for (; now < 20 * WINDOW_MS; now += Math.max(1, spacing.waitMs(now))) {
        if (spacing.waitMs(now) > 0) continue;
        spacing.leave(now);
        left += 1;
      }
      expect(left).toBeGreaterThanOrEqual(count * 20 * 0.45);
    }),
  );
});

it('goes on after a restart where it was, and makes nobody wait for a restart', () => {
  fc.assert(
    fc.property(allowed, fc.integer({ min: 1, max: 300 }), (count, asked) => {
      const rules = { allowed: count, windowMs: WINDOW_MS };
      let now = 1_000_000;
      const departures: number[] = [];
      const spacing = new RequestScheduler(rules, [], now);
      for (let i = 0; i < asked; i++) {
        now += spacing.waitMs(now);
        spacing.leave(now);
        departures.push(now);
      }
      const recent = departures.filter((at) => at > now - WINDOW_MS);
      expect(new RequestScheduler(rules, recent, now).waitMs(now)).toBeLessThanOrEqual(spacing.waitMs(now) + 1);
    }),
  );
});
