// The breaker: one request pays for finding out that the remote is away, a free probe finds the way back.

import { describe, expect, it } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { Breaker, withBreaker } from '../../src/upstream/breaker.js';
import type { Exchange, RemoteRequest } from '../../src/upstream/exchange.js';
import { createFakeTime, settle } from './fake-time.js';
import { answer, lost, outcome, requestOf, unreached } from './requests.js';

const STARTED_AT = 1_700_000_001_000;

describe('the breaker', () => {
  it('lets requests through while the remote answers, whatever it answers', async () => {
    const { send, reach, say } = setUp();
    for (const result of [answer(), answer(500), answer(429), lost(), lost('timeout')]) {
      say(result);
      expect(await send()).toEqual(result);
      expect(reach()).toEqual({ offline: false, forced: false });
    }
  });

  it('opens when the remote is not reached, and answers at once from then on', async () => {
    const { send, reach, say, asked } = setUp();
    say(unreached());
    await send();
    say(answer());
    expect(reach()).toEqual({ offline: true, forced: false, since: STARTED_AT, why: 'refused' });
    expect(outcome(await send())).toEqual(['unreached', 'offline']);
    expect(asked()).toHaveLength(1);
  });

  it.each(['rate_limited', 'internal', 'budget', 'invalid_key', 'timeout'] as const)(
    'stays closed when it was svcd itself that did not send: %s',
    async (code) => {
      const { send, reach, say } = setUp();
      say(unreached(code));
      await send();
      expect(reach().offline).toBe(false);
    },
  );

  it('probes with growing pauses, one probe at a time, and says the latest reason', async () => {
    const { time, send, say, reach, probed, sayToProbe } = setUp();
    say(unreached());
    sayToProbe(unreached('offline', 'no name'));
    await send();
    await time.advance(1000);
    expect(probed()).toEqual([1000]);
    expect(reach()).toMatchObject({ since: STARTED_AT, why: 'no name' });
    await time.advance(60_000);
    const every4s = Array.from({ length: 14 }, (_, i) => 7000 + 4000 * i);
    expect(probed()).toEqual([1000, 3000, ...every4s]);
  });

  it('waits for a slow probe before it sends another', async () => {
    const { time, send, say, probed, sayToProbe } = setUp();
    say(unreached());
    let end = (_result: Exchange): void => undefined;
    sayToProbe(new Promise((resolve) => (end = resolve)));
    await send();
    await time.advance(100_000);
    expect(probed()).toHaveLength(1);
    end(lost());
    await time.advance(2000);
    expect(probed()).toHaveLength(2);
  });

  it.each([200, 401, 429, 500, 503, 302])('closes when a probe is answered with %i', async (status) => {
    const { time, send, say, reach, sayToProbe } = setUp();
    say(unreached());
    sayToProbe(answer(status));
    await send();
    await time.advance(1000);
    expect(reach()).toEqual({ offline: false, forced: false });
    say(answer());
    expect(outcome(await send())).toEqual(['answer', 200]);
    expect(time.sleepers()).toEqual([]);
  });

  it('begins with short pauses again at the next outage', async () => {
    const { time, send, say, probed, sayToProbe } = setUp();
    say(unreached());
    sayToProbe(unreached());
    await send();
    await time.advance(3000);
    sayToProbe(answer());
    await time.advance(4000);
    await send();
    await time.advance(1000);
    expect(probed()).toEqual([1000, 3000, 7000, 8000]);
  });

  it('closes when a request that was on its way before is answered after all', async () => {
    const { time, send, say, reach } = setUp();
    const slow = slowExchange();
    say(slow.promise);
    const first = send();
    say(unreached());
    await send();
    expect(reach().offline).toBe(true);
    slow.end(answer());
    await first;
    expect(reach().offline).toBe(false);
    expect(time.sleepers()).toEqual([]);
  });

  it('does not open because of a request from before the remote came back', async () => {
    const { time, send, say, reach, sayToProbe } = setUp();
    const slow = slowExchange();
    say(slow.promise);
    const first = send();
    say(unreached());
    await send();
    sayToProbe(answer());
    await time.advance(1000);
    slow.end(unreached());
    await first;
    expect(reach().offline).toBe(false);
  });

  it('calls back what has not left when it opens, with the reason', async () => {
    const { send, say, asked } = setUp();
    const slow = slowExchange();
    say(slow.promise);
    const first = send();
    say(unreached('offline', 'no route'));
    await send();
    expect(asked()[0]?.recall).toMatchObject({ aborted: true, reason: { message: 'no route' } });
    slow.end(unreached());
    await first;
  });
});

describe('a remote that takes requests and answers none', () => {
  it('is away when it has been silent for so long, though nobody else asked', async () => {
    const { time, leave, reach, probed } = setUp();
    leave();
    await time.advance(7999);
    expect(reach().offline).toBe(false);
    await time.advance(1);
    expect(reach()).toMatchObject({
      offline: true,
      why: 'the remote accepts requests but has not answered any for 8 s',
    });
    await time.advance(1000);
    expect(probed()).toHaveLength(1);
  });

  it('is back with the first byte of a late answer, and is known to be slow from then on', async () => {
    const { time, leave, reach } = setUp();
    const late = leave();
    await time.advance(10_000);
    expect(reach().offline).toBe(true);
    late.heard();
    expect(reach().offline).toBe(false);
    const next = leave();
    await time.advance(10_000);
    expect(reach().offline).toBe(false);
    next.heard();
    leave();
    await time.advance(20_000);
    expect(reach().offline).toBe(true);
  });

  it('is only slow while it answers others', async () => {
    const { time, leave, reach } = setUp();
    leave();
    for (let i = 0; i < 10; i++) {
      await time.advance(4000);
      leave().heard();
    }
    expect(reach().offline).toBe(false);
    expect(time.sleepers()).toEqual([]);
  });

  it('is not away because of one of which silence is expected, before its own time is over', async () => {
    const { time, leave, reach } = setUp();
    const image = leave({ expectsSilence: true });
    await time.advance(300_000);
    expect(reach().offline).toBe(false);
    image.ended(lost('timeout'));
    expect(reach().offline).toBe(true);
  });

  it('keeps a client from beginning to wait that would wait no longer than others have in vain', async () => {
    const { time, leave, breaker } = setUp();
    leave();
    await time.advance(1000);
    expect(breaker.findRefusal(1000)).toMatchObject({ code: 'timeout' });
    expect([breaker.findRefusal(8000), breaker.findRefusal()]).toEqual([undefined, undefined]);
  });

  it('is asked again after the user has been offline', async () => {
    const { time, leave, breaker, reach } = setUp();
    leave();
    await time.advance(8000);
    breaker.setForcedOffline(true);
    breaker.setForcedOffline(false);
    expect([reach().offline, breaker.findRefusal(1000)]).toEqual([false, undefined]);
  });
});

describe('the switch for going offline', () => {
  it('lets nothing leave, not even a probe, and says since when', async () => {
    const { time, send, say, reach, breaker, asked, probed } = setUp();
    say(unreached());
    await send();
    await time.advance(500);
    breaker.setForcedOffline(true);
    expect(reach()).toEqual({ offline: true, forced: true, since: STARTED_AT + 500, why: 'svcd is set to offline' });
    await time.advance(60_000);
    expect(outcome(await send())).toEqual(['unreached', 'offline']);
    expect([asked().length, probed().length, time.sleepers().length]).toEqual([1, 0, 0]);
  });

  it('calls back what waits', async () => {
    const { send, breaker, asked, say } = setUp();
    say(new Promise(() => undefined));
    void send();
    await settle();
    breaker.setForcedOffline(true);
    expect(asked()[0]?.recall?.aborted).toBe(true);
  });

  it('keeps its moment when it is set again, and lets the next request try when it is taken back', async () => {
    const { time, send, say, reach, breaker } = setUp({ forcedOffline: true });
    await time.advance(500);
    breaker.setForcedOffline(true);
    expect(reach().since).toBe(STARTED_AT);
    breaker.setForcedOffline(false);
    expect(reach()).toEqual({ offline: false, forced: false });
    say(answer());
    expect(outcome(await send())).toEqual(['answer', 200]);
  });
});

describe('closing', () => {
  it('stops the probes, calls back what waits and refuses what comes', async () => {
    const { time, send, say, breaker, asked } = setUp();
    say(new Promise(() => undefined));
    void send();
    await settle();
    breaker.close();
    expect(asked()[0]?.recall).toMatchObject({ aborted: true, reason: { message: 'svcd is stopping' } });
    expect(await send()).toMatchObject({ kind: 'unreached', error: { message: 'svcd is stopping' } });
    expect(time.sleepers()).toEqual([]);
  });

  it('stops an outage for good', async () => {
    const { time, send, say, breaker, probed } = setUp();
    say(unreached());
    await send();
    breaker.close();
    breaker.setForcedOffline(true);
    breaker.setForcedOffline(false);
    await time.advance(100_000);
    expect(probed()).toEqual([]);
    expect(await send()).toMatchObject({ error: { message: 'svcd is stopping' } });
  });
});

function setUp(options: { forcedOffline?: boolean } = {}) {
  const time = createFakeTime();
  const asked: RemoteRequest[] = [];
  const probedAt: number[] = [];
  let said: Exchange | Promise<Exchange> = answer();
  let saidToProbe: Exchange | Promise<Exchange> = unreached();
  const breaker = new Breaker({
    probe: async () => {
      probedAt.push(time.clock.now() - STARTED_AT);
      return saidToProbe;
    },
    pausesMs: [1000, 2000, 4000],
    forcedOffline: false,
    silentAfterMs: 8000,
    clock: time.clock,
    sleep: time.sleep,
    log: silentLog,
    ...options,
  });
  const exchange = withBreaker(breaker)(async (request) => {
    asked.push(request);
    return said;
  });
  return {
    time,
    breaker,
    send: () => exchange(requestOf()),
    reach: () => breaker.reach(),
    /** A request leaves that is not answered yet. */
    leave: (more: Partial<RemoteRequest> = {}) => {
      const watched = breaker.watch(requestOf(more));
      watched.left();
      return watched;
    },
    say: (result: Exchange | Promise<Exchange>) => void (said = result),
    sayToProbe: (result: Exchange | Promise<Exchange>) => void (saidToProbe = result),
    asked: () => asked,
    probed: () => probedAt,
  };
}

/** An exchange that ends when the test says how. */
function slowExchange() {
  let end = (_result: Exchange): void => undefined;
  const promise = new Promise<Exchange>((resolve) => (end = resolve));
  return { promise, end: (result: Exchange) => end(result) };
}
