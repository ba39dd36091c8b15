// Machines of a hub: how they get in, what they are answered, what they may spend, and how it ends.

import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { HubBudgetView, HubPurchaseView, MachineView } from '../../src/api/hub.js';
import { readCode } from '../../src/hub/register/invite-code.js';
import { provenPurchase } from '../../src/hub/app/receipts.js';
import { sha256Hex } from '../../src/model/hash.js';
import { BIRTHDAY_CAKE, CAKE, RAIN } from '../sandbox/tiny-catalogue.js';
import { askHub, refusalIn, startHub } from '../support/machine.js';

const PRESETS = [CAKE, BIRTHDAY_CAKE, RAIN] as const;

describe('a machine', () => {
  it('joins by a code, is told what it needs, and buys what is then owned by all', async () => {
    const hub = await startHub();
    const one = await hub.machine({ projects: ['promo', 'card'], user: 'ann' });
    expect(one.joined).toMatchObject({
      token: expect.stringMatching(/^svcdm_[\w-]{32}$/) as unknown,
      machine: { id: 1, name: 'render-1' },
      project: 'promo',
      projects: ['promo', 'card'],
      only: null,
      expires_at: null,
      scope: hub.remote.url,
      sandbox: false,
      addresses: [hub.machinesUrl],
    });
    const facts = await one.ask('/svcd/hub');
    expect(facts).toMatchObject({ status: 200, protocol: 'TLSv1.3' });
    expect(JSON.parse(facts.text)).toMatchObject({
      name: 'svcd hub',
      machine: { id: 1, name: 'render-1', project: 'promo', only: null, user: 'ann' },
    });
    const [preset] = PRESETS;
    const bought = await one.get(preset);
    expect(bought).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'remote', 'x-svcd-cost': '1' } });
    const two = await hub.machine({}, 'render-2');
    const owned = await two.get(preset);
    expect(owned).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'owned', 'x-svcd-cost': '0' } });
    expect(owned.text).toBe(bought.text);
  });

  it('gets a receipt with the bytes, which its hub signed', async () => {
    const hub = await startHub();
    const { joined, get } = await hub.machine();
    const [preset] = PRESETS;
    for (const { text, headers } of [await get(preset), await get(preset)]) {
      const sha256 = sha256Hex(text);
      expect(headers['x-svcd-sha256']).toBe(sha256);
      const item = decodeURIComponent(headers['x-svcd-item'] ?? '');
      const proven = provenPurchase(
        headers['x-svcd-receipt'] ?? '',
        { scope: hub.remote.url, item, sha256 },
        joined.receipt_key,
      );
      expect(proven).toBe(1);
    }
  });

  it('is told what became of its request, and buys nothing by repeating it', async () => {
    const hub = await startHub();
    const { get, ask } = await hub.machine();
    const [preset] = PRESETS;
    const id = randomUUID();
    const none = await ask(`/svcd/hub/asks/${id}`);
    expect(JSON.parse(none.text)).toEqual({ state: 'none', purchase: null, item: null, cost: null });
    await get(preset, { 'X-Svcd-Request-Id': id });
    const paid = await ask(`/svcd/hub/asks/${id}`);
    expect(JSON.parse(paid.text)).toEqual({ state: 'paid', purchase: 1, item: `sticker:${preset}`, cost: 1 });
    const other = await hub.machine({}, 'render-2');
    expect(JSON.parse((await other.ask(`/svcd/hub/asks/${id}`)).text)).toMatchObject({ state: 'none' });
  });

  it('is told of a wish that waits twice until neither does', async () => {
    let release = (): void => undefined;
    const answered = new Promise<void>((resolve) => (release = resolve));
    const hub = await startHub({
      remote: {
        faults: ({ path }) =>
          path.includes('/stickers/') ? { replace: (told) => answered.then(() => told) } : undefined,
      },
    });
    const [preset] = PRESETS;
    const [one, two] = [await hub.machine({}, 'one'), await hub.machine({}, 'two')];
    // It is the other machine's purchase, so no book knows of this wish.
    const first = one.get(preset);
    const id = randomUUID();
    const stateOf = async () => (JSON.parse((await two.ask(`/svcd/hub/asks/${id}`)).text) as { state: string }).state;
    const patient = two.get(preset, { 'X-Svcd-Request-Id': id, 'X-Svcd-Deadline-Ms': '60000' });
    await expect.poll(stateOf).toBe('sent');
    await two.get(preset, { 'X-Svcd-Request-Id': id, 'X-Svcd-Deadline-Ms': '100' });
    expect(await stateOf()).toBe('sent');
    release();
    expect([(await first).status, (await patient).status, await stateOf()]).toEqual([200, 200, 'none']);
  });

  it('is refused where it calls another wish the same, and never gets the bytes of the first', async () => {
    const hub = await startHub();
    const { get, ask } = await hub.machine();
    const [first, second] = PRESETS;
    const named = { 'X-Svcd-Request-Id': randomUUID() };
    const bytes = (await get(first, named)).text;
    for (const fallback of ['on', 'off']) {
      const other = await get(second, { ...named, 'X-Svcd-Fallback': fallback });
      expect(refusalIn(other)).toMatchObject({ status: 400, code: 'invalid_request' });
    }
    const body = { prompt: 'a cake', size: '1024x1024' };
    const image = await ask('/api/v1/images', { method: 'POST', body, headers: named });
    expect(refusalIn(image)).toMatchObject({ status: 400, code: 'invalid_request' });
    expect((await get(first, named)).text).toBe(bytes);
    expect(hub.remote.sandbox.charges()).toHaveLength(1);
  });

  it('gets an image as the hub keeps it, with its picture, where it keeps it too', async () => {
    const hub = await startHub();
    const { joined, ask } = await hub.machine();
    const image = (headers: Record<string, string>) =>
      ask('/api/v1/images', { method: 'POST', body: { prompt: 'a cake', size: '1024x1024' }, headers });
    const kept = await image({ 'X-Svcd-Fallback': 'off', 'X-Svcd-Request-Id': randomUUID() });
    expect(kept).toMatchObject({ status: 200, headers: { 'x-svcd-cost': '10' } });
    const of = {
      scope: hub.remote.url,
      item: decodeURIComponent(kept.headers['x-svcd-item'] ?? ''),
      sha256: sha256Hex(kept.text),
    };
    expect(provenPurchase(kept.headers['x-svcd-receipt'] ?? '', of, joined.receipt_key)).toBe(1);
    expect(kept.text).toContain('"svcd:/');
    const told = await image({});
    const { url } = JSON.parse(told.text) as { url: string };
    expect(url).toMatch(new RegExp(`^${hub.machinesUrl}/svcd/`));
    expect(await ask(url.slice(hub.machinesUrl.length))).toMatchObject({ status: 200 });
  });

  it('is asked once for a sticker however many want it', async () => {
    const hub = await startHub();
    const [preset] = PRESETS;
    const machines = await Promise.all(Array.from({ length: 8 }, (_, i) => hub.machine({}, `render-${i}`)));
    const answers = await Promise.all(machines.map(({ get }) => get(preset)));
    expect(answers.map(({ status }) => status)).toEqual(machines.map(() => 200));
    expect(answers.map(({ headers }) => Number(headers['x-svcd-cost'])).reduce((sum, cost) => sum + cost)).toBe(1);
    expect(hub.remote.sandbox.charges()).toHaveLength(1);
  });

  it('counts on the budgets of its project, its user and itself', async () => {
    const hub = await startHub();
    const { get } = await hub.machine({ projects: ['promo', 'card'], user: 'ann', budget: 1 });
    const [one, two, three] = PRESETS;
    expect(await get(one)).toMatchObject({ status: 200 });
    const refused = refusalIn(await get(two));
    expect(refused).toMatchObject({ status: 402, code: 'budget' });
    expect(refused.message).toContain('project promo');
    expect(await get(two, { 'X-Svcd-Project': 'card' })).toMatchObject({ status: 200 });
    expect(refusalIn(await get(three, { 'X-Svcd-Project': 'other' }))).toMatchObject({
      status: 403,
      code: 'not_permitted',
    });
    const budgets = (await (await hub.get('/svcd/hub/budgets')).json()) as { budgets: HubBudgetView[] };
    expect(budgets.budgets).toEqual([
      { payer: 'project:card', period: 'total', credits: 1, spent: 1, reserved: 0 },
      { payer: 'project:promo', period: 'total', credits: 1, spent: 1, reserved: 0 },
    ]);
    const { purchases } = (await (await hub.get('/svcd/hub/purchases?project=card')).json()) as {
      purchases: HubPurchaseView[];
    };
    expect(purchases).toMatchObject([
      { item: `sticker:${two}`, state: 'paid', cost: 1, machine: { id: 1, name: 'render-1' } },
    ]);
    expect(purchases[0]?.payers).toEqual(['all', 'project:card', 'user:ann', 'machine:1']);
    const { machines } = (await (await hub.get('/svcd/hub/machines')).json()) as { machines: MachineView[] };
    expect(machines).toMatchObject([{ id: 1, name: 'render-1', spent: 2, reserved: 0 }]);
    const audit = await (await hub.get('/svcd/hub/audit')).json();
    expect(audit).toMatchObject({ right: true, charged: 2, unknown: 0 });
  });

  it('that may have owned things only gets them, and buys nothing', async () => {
    const hub = await startHub();
    const [owned, missing] = PRESETS;
    await (await hub.machine()).get(owned);
    const { get, ask } = await hub.machine({ only: 'owned' }, 'ci');
    expect(await get(owned)).toMatchObject({ status: 200, headers: { 'x-svcd-source': 'owned' } });
    expect(refusalIn(await get(missing))).toMatchObject({ status: 403, code: 'not_permitted' });
    expect(refusalIn(await ask('/api/v1/me'))).toMatchObject({ code: 'not_permitted' });
  });

  it('passes nothing through that no budget bounds', async () => {
    const hub = await startHub();
    const { ask } = await hub.machine();
    const passed = await ask('/api/v1/music', { method: 'POST', body: { prompt: 'a song' } });
    expect(refusalIn(passed)).toMatchObject({ status: 403, code: 'not_permitted' });
  });

  it('leaves, and is known no more', async () => {
    const hub = await startHub();
    const { ask, get } = await hub.machine();
    expect(await ask('/svcd/hub/leave', { method: 'POST' })).toMatchObject({ status: 200, text: '{"left":true}' });
    expect(refusalIn(await get(CAKE))).toMatchObject({ status: 401, code: 'machine_revoked' });
  });
});

describe('who is not let in', () => {
  it('shows a wrong token, none, or one that was revoked: nothing is spent', async () => {
    const hub = await startHub();
    const [preset] = PRESETS;
    const path = `/api/v1/stickers/${encodeURIComponent(preset)}`;
    const bearers = [undefined, 'Bearer svcdm_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa', `Bearer ${hub.token}`, 'Basic abc'];
    for (const bearer of bearers) {
      const headers: Record<string, string> = bearer === undefined ? {} : { Authorization: bearer };
      expect(refusalIn(await askHub(hub.machinesUrl, path, { headers }))).toMatchObject({
        status: 401,
        code: 'not_a_machine',
      });
    }
    const { get } = await hub.machine();
    const revoked = await hub.send('DELETE', '/svcd/hub/machines/render-1');
    expect(await revoked.json()).toEqual({ revoked: { id: 1, name: 'render-1' } });
    expect(refusalIn(await get(preset))).toMatchObject({ status: 401, code: 'machine_revoked' });
    expect(hub.remote.sandbox.charges()).toEqual([]);
  });

  it('comes with a token of a machine to the loopback port', async () => {
    const hub = await startHub();
    const { joined } = await hub.machine();
    const answer = await hub.call('/api/v1/me', { headers: { Authorization: `Bearer ${joined.token}` } });
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ code: 'invalid_token' });
  });

  it('has an invite that was used up, is over, or is none', async () => {
    let now = Date.UTC(2026, 10, 22);
    const clock = { now: () => now, monotonic: () => performance.now() };
    const hub = await startHub({ clock });
    const join = async (secret: string) => {
      const body = { secret, machine_name: 'late' };
      return refusalIn(await askHub(hub.machinesUrl, '/svcd/hub/join', { method: 'POST', body }));
    };
    const once = readCode((await hub.invite({ uses: 1 })).code).secret;
    const answers = await Promise.all(
      ['a', 'b', 'c'].map((name) =>
        askHub(hub.machinesUrl, '/svcd/hub/join', { method: 'POST', body: { secret: once, machine_name: name } }),
      ),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(await join(once)).toMatchObject({ status: 403, code: 'invite_used_up' });
    const brief = readCode((await hub.invite({ expires_in_s: 60 })).code).secret;
    now += 60_000;
    expect(await join(brief)).toMatchObject({ status: 403, code: 'invite_expired' });
    expect(await join('nonsense')).toMatchObject({ status: 403, code: 'invalid_invite' });
    const { machines } = (await (await hub.get('/svcd/hub/machines')).json()) as { machines: unknown[] };
    expect(machines).toHaveLength(1);
  });

  it('was not seen for 90 days, and is removed; another one was', async () => {
    let now = Date.UTC(2026, 7, 1);
    const hub = await startHub({ clock: { now: () => now, monotonic: () => performance.now() } });
    const old = await hub.machine({}, 'old');
    const live = await hub.machine({}, 'live');
    now += 91 * 24 * 60 * 60_000;
    await live.ask('/svcd/hub');
    const removed = await hub.send('DELETE', '/svcd/hub/machines?unseen_s=7776000');
    expect(await removed.json()).toEqual({ removed: [{ id: 1, name: 'old' }] });
    expect(refusalIn(await old.ask('/svcd/hub'))).toMatchObject({ status: 401, code: 'machine_revoked' });
    expect((await live.ask('/svcd/hub')).status).toBe(200);
  });

  it('had a token for two hours', async () => {
    let now = Date.UTC(2026, 10, 22);
    const clock = { now: () => now, monotonic: () => performance.now() };
    const hub = await startHub({ clock });
    const { get, joined } = await hub.machine({ ephemeral_s: 7200 });
    expect(joined.expires_at).toBe(new Date(now + 7_200_000).toISOString());
    now += 7_200_000;
    expect(refusalIn(await get(CAKE))).toMatchObject({ status: 401, code: 'machine_revoked' });
  });
});
