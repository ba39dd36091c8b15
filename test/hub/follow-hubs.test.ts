// What a machine makes of the addresses that its hub tells: which it uses, which it notes, and when it asks.

import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { findBelonging, removeMembership, writeMembership } from '../../src/config/membership.js';
import { followHubs } from '../../src/hub/member/follow-hubs.js';
import { silentLog } from '../../src/platform/log.js';
import type { RemoteAnswer } from '../../src/upstream/exchange.js';
import { createHubExchanger } from '../../src/hub/member/hub-exchanger.js';
import { makeOtherCertificate } from './other-certificate.js';
import { startSmallHub, TOKEN } from './small-hub.js';

afterEach(() => void vi.useRealTimers());

describe('addresses that a hub tells', () => {
  it('are used if the same hub is there over https, after those that were known, and 16 at most', async () => {
    const first = await startSmallHub();
    const second = await startSmallHub();
    const other = await startSmallHub(0, makeOtherCertificate());
    const known = Array.from({ length: 15 }, (_, nth) => `https://127.0.0.1:${nth + 1}`);
    const hub = createHubExchanger({ addresses: [first.url], pin: first.pin, token: TOKEN });
    onTestFinished(() => hub.close());
    const plain = second.url.replace('https', 'http');
    const told = [other.url, plain, 'nothing', second.url, first.url, second.url];
    expect(await hub.learn(told)).toEqual([first.url, second.url]);
    await first.kill();
    const look = { method: 'GET', path: '/svcd/hub', cost: 'free', timeoutMs: 10_000, maxBytes: 65_536 } as const;
    expect(await hub.exchange(look)).toMatchObject({ kind: 'answer', status: 200 });
    expect(hub.address()).toBe(second.url);

    // What is told no more makes place, the latest first.
    const full = createHubExchanger({ addresses: [first.url, ...known], pin: first.pin, token: TOKEN });
    onTestFinished(() => full.close());
    expect(await full.learn([second.url])).toEqual([first.url, ...known.slice(0, -1), second.url]);
  });

  it('are asked for at the start and every minute, and noted only while the machine belongs there', async () => {
    vi.useFakeTimers();
    const home = mkdtempSync(join(tmpdir(), 'svcd-follow-'));
    onTestFinished(() => rmSync(home, { recursive: true, force: true }));
    const small = { url: 'https://a.example.com', others: ['https://b.example.com'] };
    const membership = {
      addresses: [small.url],
      pin: 'p'.repeat(43),
      token: TOKEN,
      receipt_key: 'r'.repeat(43),
      scope: 'sandbox',
      hub_sandbox: true,
      machine: { id: 1, name: 'render-1' },
      project: 'promo',
      projects: ['promo'],
      user: null,
      joined_at: '2026-11-22T00:00:00.000Z',
    };
    writeMembership(home, membership);
    const noted = () => (JSON.parse(readFileSync(join(home, 'hub.json'), 'utf8')) as typeof membership).addresses;
    let asked = 0;
    const answer = (): RemoteAnswer => {
      asked += 1;
      const bytes = new TextEncoder().encode(JSON.stringify({ addresses: small.others }));
      return { kind: 'answer', status: 200, headers: {}, bytes, fromHub: true };
    };
    const hub = {
      exchange: () => Promise.resolve(answer()),
      learn: (told: readonly string[]) => Promise.resolve([small.url, ...told]),
    };
    const following = followHubs(home, membership, hub, silentLog);
    await vi.advanceTimersByTimeAsync(1000);
    expect([asked, noted()]).toEqual([1, [small.url, 'https://b.example.com']]);
    small.others = ['https://b.example.com', 'https://c.example.com'];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(asked).toBe(2);
    expect(noted()).toEqual([small.url, ...small.others]);

    removeMembership(home);
    small.others = [];
    await vi.advanceTimersByTimeAsync(60_000);
    expect(findBelonging(home).kind).toBe('alone');
    await following.stop();
    const before = asked;
    await vi.advanceTimersByTimeAsync(60 * 60_000);
    expect(asked).toBe(before);
  });
});
