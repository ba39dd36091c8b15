// A plan over HTTP: which sticker each slot gets and why, what it costs whom, and what leaves the machine: nothing.

import { setTimeout as sleep } from 'node:timers/promises';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/api/plan.js';
import type { Slot } from '../../src/api/slot.js';
import type { MatchAnswer } from '../../src/contract/candidate.js';
import type { SandboxOptions } from '../../src/sandbox/open-sandbox.js';
import { temporaryHome } from '../sandbox/start-sandbox.js';
import { writeTinyCatalogue } from '../sandbox/tiny-catalogue.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { startTestDaemon, type StartedDaemon } from '../support/start-daemon.js';
import { startPair } from '../support/start-pair.js';

const square = { aspect: 1, duration: 2 };
const STICKERS = [
  { preset: 'flat/cake', title: '生日蛋糕', keywords: ['生日', '庆祝'], concept: 'cake', ...square },
  { preset: 'noto/cake', title: '生日蛋糕', keywords: ['生日', '庆祝'], concept: 'cake', ...square },
  { preset: 'flat/balloon', title: '气球', keywords: ['生日', '派对'], concept: 'balloon', ...square },
  { preset: 'flat/gift', title: '生日礼物', keywords: ['礼物'], concept: 'gift', aspect: 1, duration: 6 },
  { preset: 'flat/banner', title: '横幅', keywords: ['生日', '装饰'], concept: 'banner', aspect: 3, duration: 2 },
  { preset: 'flat/clock', title: '闹钟', keywords: ['起床'], concept: 'clock', ...square },
  { preset: 'flat/boots', title: '靴子', keywords: ['鞋'], concept: 'boots', ...square },
  { preset: 'flat/rain', title: '下雨', keywords: ['雨天'], concept: 'rain', ...square },
];

/** Puts stickers into the library as an import of a colleague's; `scope` says that these are all. */
async function fill(svcd: StartedDaemon, stickers: readonly object[] = STICKERS, scope?: string): Promise<void> {
  const header = { format: 'svcd-library', version: 1, scope, stickers: stickers.length, complete: true };
  const lines = [...(scope === undefined ? [] : [header]), ...stickers, { end: true, stickers: stickers.length }];
  const answer = await svcd.send(
    'POST',
    '/svcd/library/import',
    lines.map((line) => `${JSON.stringify(line)}\n`).join(''),
    { 'Content-Type': 'application/x-ndjson' },
  );
  expect(await answer.json()).toMatchObject({ bad: 0 });
}

/** A daemon whose library knows all that its remote sells. */
async function startFilled(remote: Partial<SandboxOptions> = {}) {
  const catalogueFolder = writeTinyCatalogue(temporaryHome(), STICKERS);
  const pair = await startPair({ remote: { catalogueFolder, ...remote } });
  await fill(pair.svcd, STICKERS, pair.remote.url);
  return pair;
}

interface Asking {
  readonly token?: string | undefined;
  readonly rest?: object;
}

async function plan(svcd: StartedDaemon, slots: readonly Slot[], { token = svcd.token, rest }: Asking = {}) {
  const answer = await svcd.post(
    '/svcd/plan',
    { slots, ...rest },
    token === '' ? {} : { Authorization: `Bearer ${token}` },
  );
  return (await answer.json()) as Plan;
}

async function planOfAnybody(svcd: StartedDaemon, slots: readonly Slot[], rest: object = {}): Promise<Plan> {
  const answer = await svcd.call('/svcd/plan', {
    method: 'POST',
    body: JSON.stringify({ slots, ...rest }),
    headers: { 'Content-Type': 'application/json' },
  });
  return (await answer.json()) as Plan;
}

const presetsOf = ({ slots }: Plan) => slots.map((slot) => ('preset' in slot ? slot.preset : 'image'));
const codesOf = ({ warnings }: Plan) =>
  warnings.map(({ code, slot }) => (slot === undefined ? code : `${code} ${slot}`));
const buy = (svcd: StartedDaemon, preset: string) => svcd.get(`/api/v1/stickers/${encodeURIComponent(preset)}`);
const png = { prompt: '一个蛋糕', size: '1024x1024' } as const;

describe('the stickers of a plan', () => {
  it('are those that match lists first, with reasons, price and alternatives', async () => {
    const { svcd } = await startFilled();
    const { slots, cost, remote, library } = await plan(svcd, [{ id: 'opening', text: '小明的生日蛋糕' }]);
    const match = (await (await svcd.post('/api/v1/stickers/match', { text: '小明的生日蛋糕' })).json()) as MatchAnswer;
    const [slot] = slots;
    if (slot === undefined || !('preset' in slot)) throw new Error('no sticker');
    expect(slot).toMatchObject({
      id: 'opening',
      preset: match.results[0]?.preset,
      price: 1,
      cost: 1,
      have: 'no',
      aspect: 1,
    });
    expect(slot.why[0]).toMatch(/^生日.* in the title$/);
    expect(slot.fit).toBe('strong');
    expect(slot.others).toHaveLength(3);
    expect(slot.others[0]).toMatchObject({ preset: 'flat/gift', fit: 'fair', cost: 1, have: 'no' });
    // Another style of the chosen picture is no alternative to it.
    expect(slot.others.map(({ title }) => title)).not.toContain('生日蛋糕');
    expect(cost).toBe(1);
    expect(remote).toMatch(/^http/);
    expect(library).toMatchObject({ complete: true });
  });

  it('show a picture once, though several slots ask for the same', async () => {
    const { svcd } = await startFilled();
    const slots = [1, 2, 3, 4].map((i) => ({ id: `s${i}`, text: '生日' }));
    const chosen = presetsOf(await plan(svcd, slots));
    expect(new Set(chosen).size).toBe(4);
    // Two styles of one cake are one picture.
    expect(chosen.filter((preset) => preset?.endsWith('/cake'))).toHaveLength(1);
    // Only when nothing else is left the other style is taken, and then nothing.
    const more = await plan(svcd, [...slots, { id: 's5', text: '生日' }, { id: 's6', text: '生日' }]);
    const given = presetsOf(more).filter((preset) => preset !== null);
    expect(new Set(given).size).toBe(5);
    expect(given.filter((preset) => preset?.endsWith('/cake'))).toHaveLength(2);
    expect(codesOf(more).filter((code) => code.startsWith('nothing_found'))).toHaveLength(1);
    // The order in which they are asked for decides nothing.
    const turned = await plan(svcd, more.slots.map(({ id }) => ({ id, text: '生日' })).toReversed());
    expect(presetsOf(turned).toReversed()).toEqual(presetsOf(more));
  });

  it('are of one style, of another where that is asked for, and of any where that is', async () => {
    const { svcd } = await startFilled();
    const slots = ['生日', '蛋糕', '气球', '礼物'].map((text, i) => ({ id: `s${i}`, text }));
    const stylesOf = (made: Plan) => presetsOf(made).map((preset) => preset?.split('/')[0]);
    const made = await plan(svcd, slots, { rest: { style: 'auto' } });
    expect(made.style).toMatch(/^\w+$/);
    const common = stylesOf(made).filter((style) => style === made.style).length;
    for (const style of new Set(stylesOf(await plan(svcd, slots, { rest: { style: 'any' } })))) {
      const other = await plan(svcd, slots, { rest: { style: style ?? '' } });
      expect(other.style).toBe(style);
      expect(stylesOf(other).filter((one) => one === style).length).toBeLessThanOrEqual(common);
    }
    expect((await plan(svcd, slots, { rest: { style: 'any' } })).style).toBeUndefined();
    const unknown = await svcd.post('/svcd/plan', { slots: [{ id: 'a', preset: 'flat/cake' }], style: 'watercolour' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('"watercolour"') },
    ]);
    // The same again by its name, as an apply of a saved plan asks.
    expect(presetsOf(await plan(svcd, slots, { rest: { style: made.style ?? '' } }))).toEqual(presetsOf(made));
  });

  it('are drawn in one way where that is asked for, which the plan says', async () => {
    const { svcd } = await startFilled();
    const made = await plan(svcd, [{ id: 'a', text: '生日蛋糕' }], { rest: { style_kind: 'colour' } });
    expect(made).toMatchObject({ style_kind: 'colour', slots: [{ preset: 'flat/cake', style_kind: 'colour' }] });
    const unknown = await svcd.post('/svcd/plan', { slots: [{ id: 'a', text: '生日' }], style_kind: 'round' });
    expect([unknown.status, await unknown.json()]).toMatchObject([
      400,
      { message: expect.stringContaining('one of filled, outline, colour') },
    ]);
  });

  it('are of the style that is owned, and then cost nothing', async () => {
    const { svcd } = await startFilled();
    const ask = async () => (await plan(svcd, [{ id: 'a', text: '生日蛋糕' }])).slots[0];
    const before = await ask();
    const other =
      before !== undefined && 'preset' in before && before.preset === 'flat/cake' ? 'noto/cake' : 'flat/cake';
    await buy(svcd, other);
    expect(await ask()).toMatchObject({ preset: other, have: 'owned', price: 1, cost: 0, fit: 'strong' });
  });

  it('are no longer than the slot, and of its shape where one is', async () => {
    const { svcd } = await startFilled();
    const [gift, short, wide] = (
      await plan(svcd, [
        { id: 'gift', text: '礼物' },
        { id: 'short', text: '礼物', max_duration_s: 3 },
        { id: 'wide', text: '生日', aspect: 16 / 5 },
      ])
    ).slots;
    expect(gift).toMatchObject({ preset: 'flat/gift', duration_s: 6 });
    expect(short).not.toMatchObject({ preset: 'flat/gift' });
    expect(wide).toMatchObject({ preset: 'flat/banner', aspect: 3 });
    const only = await plan(svcd, [{ id: 'short', text: '生日', max_duration_s: 0.1 }]);
    expect(only.slots[0]).toMatchObject({ preset: null, cost: 0, others: [] });
    expect(only.warnings).toEqual([
      { code: 'nothing_found', slot: 'short', words: 'nothing that fits is at most 0.1 s long' },
    ]);
  });

  it('are warned of when they are only loosely related, and when the copy says the opposite', async () => {
    const { svcd } = await startFilled();
    const answer = await plan(svcd, [
      { id: 'hike', text: '爬山' },
      { id: 'no', text: '不要蛋糕' },
    ]);
    expect(answer.slots[0]).toMatchObject({
      preset: 'flat/boots',
      fit: 'fair',
      why: ['a synonym of 爬山 in the title'],
    });
    expect(answer.slots[1]).toMatchObject({ fit: 'weak', why: [] });
    expect(codesOf(answer)).toEqual(['weak_fit no']);
    const strict = await plan(svcd, [{ id: 'hike', text: '爬山' }], { rest: { fit_at_least: 'strong' } });
    expect(strict).toMatchObject({
      slots: [{ preset: null, others: [{ preset: 'flat/boots', fit_score: 0.68 }] }],
      warnings: [{ code: 'nothing_found' }],
    });
  });

  it('are the very ones that slots name, which no other slot gets', async () => {
    const { svcd } = await startFilled();
    const answer = await plan(svcd, [
      { id: 'a', text: '生日蛋糕' },
      { id: 'b', preset: 'flat/cake', text: '下雨' },
      { id: 'c', preset: 'who/knows' },
      { id: 'd', preset: 'own/logo' },
      { id: 'e', preset: 'default/plain' },
    ]);
    const [a, b, c, d, e] = answer.slots;
    expect(presetsOf(answer)).not.toContain('noto/cake');
    expect(a).toMatchObject({ have: 'no', cost: 1 });
    expect(b).toMatchObject({ preset: 'flat/cake', title: '生日蛋糕', why: [], others: [] });
    expect(b).not.toHaveProperty('fit');
    expect(c).toEqual({
      id: 'c',
      preset: 'who/knows',
      basis: 'named',
      price: 1,
      cost: 1,
      have: 'no',
      why: [],
      others: [],
    });
    expect(d).toMatchObject({ preset: 'own/logo', price: 0, cost: 0, have: 'no' });
    expect(e).toMatchObject({ preset: 'default/plain', price: 0, cost: 0, have: 'shipped' });
    expect(codesOf(answer)).toEqual(['unknown_preset c', 'unknown_preset d']);
  });

  it('have titles that no terminal stumbles over, however long the remote made them', async () => {
    const svcd = await startTestDaemon();
    await fill(svcd, [{ preset: 'x/evil', title: `生日\u001B[31m\u202E${'长'.repeat(100)}`, keywords: ['生日'] }]);
    const [slot] = (await plan(svcd, [{ id: 'a', preset: 'x/evil' }])).slots;
    const title = slot !== undefined && 'title' in slot ? (slot.title ?? '') : '';
    expect(Array.from(title)).toHaveLength(60);
    expect(title).toMatch(/^生日 \[31m 长+…$/);
  });
});

describe('the cost of a plan', () => {
  it('counts what stands twice once, and what is owned not at all', async () => {
    const { svcd } = await startFilled();
    const slots: Slot[] = [
      { id: 'a', ...png },
      { id: 'b', want: 'image', ...png },
      { id: 'c', preset: 'flat/cake' },
      { id: 'd', preset: 'flat/cake' },
    ];
    const before = await plan(svcd, slots);
    expect(before.slots.map(({ price, cost }) => [price, cost])).toEqual([
      [10, 10],
      [10, 0],
      [1, 1],
      [1, 0],
    ]);
    expect(before.cost).toBe(11);
    expect(before.slots[0]).toMatchObject({
      image: { size: '1024x1024', digest: expect.stringMatching(/^[\da-f]{64}$/) },
    });
    await svcd.post('/api/v1/images', png);
    await buy(svcd, 'flat/cake');
    const after = await plan(svcd, slots);
    expect(after.slots.map(({ have }) => have)).toEqual(['owned', 'owned', 'owned', 'owned']);
    expect(after).toMatchObject({ cost: 0, fits: true, digest: before.digest });
  });

  it('is held against every limit of the caller, and says what would still fit', async () => {
    const { svcd } = await startFilled();
    const limit = (body: object) => svcd.send('PUT', '/svcd/budget', body);
    await limit({ day: 20, request: 12 });
    await buy(svcd, 'flat/rain');
    const slots: Slot[] = [
      { id: 'opening', text: '生日蛋糕' },
      { id: 'cover', ...png },
      { id: 'end', preset: 'flat/clock' },
    ];
    const own = await plan(svcd, slots);
    expect(own.left).toMatchObject({ request: 12, day: 19, month: null, token: null, account: expect.any(Number) });
    expect(Date.parse(own.left?.account_as_of ?? '')).toBeGreaterThan(0);
    expect(own).toMatchObject({ cost: 12, fits: true, short_of: null, would_fit: [], warnings: [] });

    // One request buys all of a plan.
    await limit({ request: 10 });
    const whole = await plan(svcd, slots);
    expect(whole).toMatchObject({ fits: false, short_of: 'request', would_fit: ['opening', 'end'] });
    expect(whole.warnings).toEqual([{ code: 'over_budget', words: '12 credits, and 10 are allowed in one request' }]);
    await limit({ request: null });

    const { token } = (await (await svcd.post('/svcd/tokens', { name: 'ci', day: 5 })).json()) as { token: string };
    const limited = await plan(svcd, slots, { token });
    expect(limited).toMatchObject({ fits: false, short_of: 'token', would_fit: ['opening', 'end'] });
    expect(limited.left).toMatchObject({ day: 19, token: 5 });
    expect(limited.warnings).toEqual([{ code: 'over_budget', words: '12 credits, and 5 are left to this token' }]);

    const ceiling = await plan(svcd, slots, { rest: { max_credits: 11 } });
    expect(ceiling).toMatchObject({ fits: false, short_of: 'max_credits', would_fit: ['opening', 'cover'] });
  });

  it('is told to everybody, but budgets and balance only to who may see the account', async () => {
    const { svcd, remote } = await startFilled();
    await buy(svcd, 'flat/rain');
    const slots: Slot[] = [{ id: 'a', text: '生日' }];
    await svcd.send('PUT', '/svcd/budget', '{"day":20}');
    // A Key shows its own account; the budgets are the home's, and any text may be a Key.
    const ofKey = await plan(svcd, slots, { token: remote.sandbox.key });
    expect(ofKey.left).toMatchObject({ day: null, account: expect.any(Number) });
    expect((await plan(svcd, slots, { token: 'sk_made_up' })).left).toMatchObject({ day: null, account: null });
    const add = async (body: object) => (await (await svcd.post('/svcd/tokens', body)).json()) as { token: string };
    const { token: blind } = await add({ name: 'blind', only: ['stickers'], day: 0 });
    const { token: seeing } = await add({ name: 'seeing', only: ['account'] });
    expect(await planOfAnybody(svcd, slots)).toMatchObject({ cost: 1, left: null, fits: true });
    expect(await plan(svcd, slots, { token: blind })).toMatchObject({ left: null, fits: true });
    expect((await plan(svcd, slots, { token: seeing })).left?.account).toBeTypeOf('number');
    const anybody = await planOfAnybody(svcd, slots, { max_credits: 0 });
    expect(anybody).toMatchObject({ left: null, fits: false, short_of: 'max_credits', would_fit: [] });
  });

  it('cannot be paid while spending is stopped, without a Key, or without a remote', async () => {
    const { svcd } = await startFilled();
    await svcd.post('/svcd/spending', { stopped: true });
    const stopped = await plan(svcd, [{ id: 'a', text: '生日' }]);
    expect(stopped).toMatchObject({ fits: false, short_of: null, would_fit: [] });
    expect(codesOf(stopped)).toEqual(['spending_stopped']);

    const alone = await startTestDaemon();
    await fill(alone);
    const poor = await plan(alone, [{ id: 'a', text: '生日' }]);
    expect(poor).toMatchObject({ remote: null, fits: false, library: { complete: false } });
    expect(codesOf(poor)).toEqual(['no_key', 'offline', 'library_incomplete']);
    // What costs nothing can always be had.
    expect(await plan(alone, [{ id: 'a', preset: 'default/plain' }])).toMatchObject({ cost: 0, fits: true });
  });

  it('warns of a capability that the service has switched off', async () => {
    const { svcd, remote } = await startFilled({ controlToken: 'svcd_sandbox_test' });
    const slots: Slot[] = [
      { id: 'a', ...png },
      { id: 'b', text: '生日' },
    ];
    const switchOff = await remote.call('/sandbox/capabilities/images.generate', {
      method: 'PUT',
      body: '{"enabled":false}',
      headers: { Authorization: 'Bearer svcd_sandbox_test', 'Content-Type': 'application/json' },
    });
    expect(switchOff.status).toBe(200);
    expect(codesOf(await plan(svcd, slots))).toEqual([]);
    // As soon as somebody has asked.
    await svcd.get('/api/v1/capabilities');
    expect(codesOf(await plan(svcd, slots))).toEqual(['not_enabled a']);
  });
});

describe('the same request', () => {
  it('gets the same bytes, and the slots in any order the same cost where they differ', async () => {
    const { svcd } = await startFilled();
    const slots: Slot[] = [
      { id: 'cake', keywords: ['蛋糕', '庆祝'] },
      { id: 'rain', text: '下雨' },
      { id: 'clock', text: '闹钟' },
      { id: 'cover', ...png },
    ];
    const text = async (body: object) => (await svcd.post('/svcd/plan', body)).text();
    const reference = (await plan(svcd, slots)).cost;
    await fc.assert(
      fc.asyncProperty(fc.shuffledSubarray(slots, { minLength: 4 }), async (shuffled) => {
        const first = await text({ slots: shuffled });
        expect(await text({ slots: shuffled })).toBe(first);
        expect((JSON.parse(first) as Plan).cost).toBe(reference);
      }),
      { numRuns: 15 },
    );
  });
});

describe('what leaves the machine', () => {
  it('is nothing, unless a refresh asks for balance and matches, which is free', async () => {
    const remote = await startRecordingRemote();
    const svcd = await startTestDaemon({ userKey: 'sk_live_1', flags: { remote: remote.url } });
    await fill(svcd);
    const slots: Slot[] = [
      { id: 'a', text: '生日快乐' },
      { id: 'b', preset: 'who/knows' },
      { id: 'c', ...png },
    ];
    const known = await plan(svcd, slots);
    expect(codesOf(known)).toEqual(['library_incomplete', 'not_asked a', 'unknown_preset b']);
    expect(known.slots).toMatchObject([{ basis: 'part' }, { basis: 'named' }, {}]);
    expect(known.left?.account).toBeNull();
    await sleep(50);
    expect(remote.seen).toEqual([]);
    await plan(svcd, slots, { rest: { refresh: true } });
    const lines = remote.seen.map(({ line }) => line.replace(/\?.*/, ''));
    expect(lines).toContain('GET /api/v1/usage');
    expect(lines).toContain('POST /api/v1/stickers/match');
    expect(lines.filter((line) => /stickers\/(?!match|search)|images/.test(line))).toEqual([]);
  });

  it('brings the balance with a refresh, and what the library did not know', async () => {
    const catalogueFolder = writeTinyCatalogue(temporaryHome(), STICKERS);
    const { svcd } = await startPair({ remote: { catalogueFolder } });
    const slots: Slot[] = [{ id: 'a', text: '靴子' }];
    expect((await plan(svcd, slots)).left?.account).toBeNull();
    const fresh = await plan(svcd, slots, { rest: { refresh: true } });
    expect(fresh.left).toMatchObject({ account: 1000, account_as_of: expect.any(String) });
    expect(presetsOf(fresh)).toEqual(['flat/boots']);
    expect(fresh.slots).toMatchObject([{ basis: 'asked' }]);
  });

  it('is a warning when the service cannot be asked, and the plan is made of what is known', async () => {
    const svcd = await startTestDaemon({
      userKey: 'sk_live_1',
      flags: { remote: 'http://127.0.0.1:9', offline: true },
    });
    await fill(svcd);
    const answer = await plan(svcd, [{ id: 'a', text: '生日' }], { rest: { refresh: true } });
    expect(answer.slots[0]).toMatchObject({ cost: 1, have: 'no' });
    expect(codesOf(answer)).toEqual(['offline', 'library_incomplete', 'not_asked a']);
  });
});

describe('the copy', () => {
  it('is in the plan only by the words that were found', async () => {
    const { svcd } = await startFilled();
    const text = JSON.stringify(
      await plan(svcd, [
        { id: 'a', text: '王小明的生日 CANARY1 canary2x' },
        { id: 'b', keywords: ['给CANARY3的生日贺卡', 'CANARY4 闹钟'] },
        { id: 'c', prompt: 'CANARY5', size: '1024x1024' },
        { id: 'd', preset: 'flat/rain', text: 'CANARY6' },
      ]),
    );
    expect(text).toContain('生日');
    expect(text).not.toMatch(/canary|王小明|贺卡/i);
  });
});
