// Who says yes to what an assistant buys: a person by a form, or beforehand by a budget; never the model, and never twice.

import { expect, it, onTestFinished } from 'vitest';
import { createConsents, requireYes } from '../../src/mcp/consent.js';
import { Question, type Call, type World } from '../../src/mcp/tool.js';
import { collect, runSvcd, spawnSvcd } from '../support/run-svcd.js';
import { packageOf, writeFolder } from '../support/template-package.js';
import { assistantStage } from './open-assistant.js';

const [BALLOON, ROSE, STAR, SUN] = ['twemoji/balloon', 'twemoji/rose', 'twemoji/star', 'twemoji/sun'];
const YES = { action: 'accept' as const, content: { yes: true } };
const { svcd, folder, openAssistant, ask, spent, filesIn } = assistantStage();

it.each([
  ['auto', BALLOON],
  ['legacy', ROSE],
] as const)('asks a person for each purchase, and spends just that (%s)', async (era, preset) => {
  const { call, forms } = await openAssistant({ era, onForm: () => YES });
  const before = await spent();
  const got = await call('get_stickers', { presets: [preset], max_credits: 9 });
  expect(got).toMatchObject({ cost: 1, budget_left: null, items: [{ preset, source: 'bought' }] });
  expect(forms).toEqual([
    expect.stringMatching(/^svcd: buy for 1 credit\? \p{Script=Han}+\.(?: Balance \d+ → \d+\.)?$/u),
  ]);
  // What is owned by then needs no yes.
  expect(await call('get_stickers', { presets: [preset], max_credits: 9 })).toMatchObject({ cost: 0 });
  expect([await spent(), forms.length]).toEqual([before + 1, 1]);
});

it.each([
  ['decline', { action: 'decline' }],
  ['cancel', { action: 'cancel' }],
  ['accept without a yes', { action: 'accept', content: { yes: false } }],
] as const)('buys nothing after %s, and leaves no folder', async (_, said) => {
  const { call } = await openAssistant({ args: ['--budget', '5'], era: 'auto', onForm: () => ({ ...said }) });
  const before = await spent();
  const { error } = await call('get_stickers', { presets: [STAR], max_credits: 1e9 });
  expect(error).toMatch(/^needs_consent: the user did not agree/);
  expect([await spent(), filesIn()]).toEqual([before, undefined]);
});

it('shows the words of an image that a plan would make', async () => {
  const { call, forms } = await openAssistant({ onForm: () => ({ action: 'decline' }) });
  const slots = [{ id: 'sky', want: 'image', prompt: 'a kite over the sea', size: '1024x1024' }];
  const { digest } = await call('plan_stickers', { slots });
  const { error } = await call('apply_plan', { plan: digest, max_credits: 10, folder: 'sky' });
  expect([error, forms]).toEqual([
    expect.stringMatching(/^needs_consent: /),
    [expect.stringContaining('1024x1024: a kite over the sea')],
  ]);
});

it('asks nobody with --ask never, nor of what no budget allows', async () => {
  const quiet = await openAssistant({ args: ['--ask', 'never'], onForm: () => YES });
  expect((await quiet.call('get_stickers', { presets: [STAR], max_credits: 5 })).error).toMatch(/^needs_consent: /);
  const bound = await openAssistant({ args: ['--budget', '1'], onForm: () => YES });
  const { error } = await bound.call('get_stickers', { presets: [STAR, SUN], max_credits: 5 });
  expect(error).toMatch(/^budget: it costs 2 credits now, and 1 are left of the limit "token".*\nThese would fit: /);
  expect([quiet.forms, bound.forms, filesIn()]).toEqual([[], [], undefined]);
});

it('bounds a host that answers by itself by the budget, also two of them at once', async () => {
  const before = await spent();
  const day = (await ask<{ left: { day: number | null } }>('/svcd/plan', { method: 'POST', body: ANY })).left.day;
  expect(day).not.toBe(0);
  const set = (credits: string) => runSvcd(['budget', 'set', '--day', credits], { home: svcd().home });
  await set(`${before + 2}`);
  onTestFinished(async () => void (await set('1000')));
  const [first, second] = [await openAssistant({ onForm: () => YES }), await openAssistant({ onForm: () => YES })];
  const wanted = ['twemoji/sparkles', 'twemoji/fire', 'twemoji/rocket', 'twemoji/trophy'];
  const got = await Promise.all(
    wanted.map((preset, at) => (at % 2 ? second : first).call('get_stickers', { presets: [preset], max_credits: 1e9 })),
  );
  expect(await spent()).toBe(before + 2);
  expect(got.filter((one) => one.error?.startsWith('budget: '))).toHaveLength(2);
});
const ANY = JSON.stringify({ slots: [{ id: 'any', keywords: ['any'] }] });

/** A host that speaks the later era by hand, and may say what it likes. */
function rawHost() {
  const child = spawnSvcd(['mcp'], { home: svcd().home, cwd: folder() }, 'pipe');
  onTestFinished(() => void child.kill('SIGKILL'));
  const stdout = collect(child.stdout);
  let id = 0;
  const about = (name: string) => `io.modelcontextprotocol/${name}`;
  const meta = {
    [about('protocolVersion')]: '2026-07-28',
    [about('clientInfo')]: { name: 'raw', version: '1' },
    [about('clientCapabilities')]: { elicitation: { form: {} } },
  };
  return async (presets: readonly string[], more: object = {}) => {
    const own = ++id;
    const params = { name: 'get_stickers', arguments: { presets, max_credits: 9 }, _meta: meta, ...more };
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method: 'tools/call', params })}\n`);
    const find = () =>
      stdout()
        .split('\n')
        .find((line) => line.endsWith('}') && line.includes(`"id":${own}`));
    await expect.poll(find, { timeout: 20_000 }).toBeDefined();
    return JSON.parse(find() ?? '') as { result?: { requestState?: string; isError?: boolean }; error?: object };
  };
}

it('takes a yes once, for the call it was given to, and no forged one', async () => {
  const call = rawHost();
  const before = await spent();
  const yes = { inputResponses: { yes: YES } };
  const { result } = await call([STAR]);
  const { requestState = '' } = result ?? {};
  expect(requestState).not.toBe('');
  const refused = { code: -32_602 };
  expect((await call([STAR], { ...yes, requestState: `${requestState}x` })).error).toMatchObject(refused);
  // A yes to nothing that was asked is asked about.
  expect((await call([STAR], yes)).result?.requestState).toBeDefined();
  expect(await spent()).toBe(before);
  expect((await call([STAR], { ...yes, requestState })).result).not.toHaveProperty('isError');
  expect((await call([SUN], { ...yes, requestState })).error).toMatchObject(refused);
  const other = (await call([SUN])).result?.requestState;
  expect((await call([SUN, 'twemoji/heart'], { ...yes, requestState: other })).result?.isError).toBe(true);
  expect(await spent()).toBe(before + 1);
});

it('takes no yes that is late, and asks again at a higher price', () => {
  let now = 0;
  const consents = createConsents({ monotonic: () => now });
  const form = { tool: 'get_stickers', args: 'x', cost: 1 };
  const [early, late] = [consents.open(form), consents.open(form)];
  expect(consents.take(early)).toMatchObject(form);
  now = 120_001;
  expect(() => consents.take(late)).toThrow('no form of that name waits');
  const words = { buy: () => 'buy?', tell: () => '', yes: '' };
  const about = { most: 9, things: [], left: null };
  const call: Call = { yes: { cost: 1 }, canAsk: true, host: undefined };
  requireYes({ ...about, cost: 1 }, { words } as unknown as World, call);
  expect(() => requireYes({ ...about, cost: 2 }, { words } as unknown as World, call)).toThrow(Question);
});

it('goes the whole way: match, plan, consent, apply, verify, register', async () => {
  const { call, forms } = await openAssistant({ era: 'auto', onForm: () => YES, name: 'Some Host' });
  const before = await spent();
  const lines = ['小明生日快乐', '送你一束花'];
  const matched = await call('match_stickers', { text: lines[0] });
  expect(matched['results']).toContainEqual(expect.objectContaining({ cost: 1 }));
  const slots = lines.map((text, at) => ({ id: `line-${at + 1}`, text }));
  const planned = await call('plan_stickers', { slots });
  // Without a budget given beforehand a person is asked, and the plan can be paid.
  expect(planned).toMatchObject({ cost: 2, fits: true, short_of: null, left: { token: null } });
  const { digest, cost } = planned;
  expect((await call('apply_plan', { plan: digest, max_credits: 1, folder: 'video' })).error).toMatch(/^budget: /);
  expect((await call('apply_plan', { plan: 'sha256:made-up', max_credits: 9 })).error).toMatch(/^plan_stale: /);
  for (const outside of ['..', svcd().home]) {
    const { error } = await call('apply_plan', { plan: digest, max_credits: 9, folder: outside });
    expect(error).toMatch(/^no_folder: /);
  }
  expect([await spent(), filesIn('video'), forms]).toEqual([before, undefined, []]);
  const asked = { plan: digest, max_credits: cost, folder: 'video' };
  const applied = await call('apply_plan', asked);
  expect(applied).toMatchObject({
    cost: 2,
    lock: 'video/assets.lock.json',
    slots: [{ id: 'line-1' }, { id: 'line-2' }],
  });
  expect([forms.length, await spent()]).toEqual([1, before + 2]);
  expect(filesIn('video')).toHaveLength(3);
  expect(await call('apply_plan', asked)).toMatchObject({ cost: 0, slots: [{ kept: true }, { kept: true }] });
  const verified = await runSvcd(['verify', '--lock', 'video/assets.lock.json'], { home: svcd().home, cwd: folder() });
  expect(verified.code).toBe(0);

  writeFolder(`${folder()}/card.motion`, packageOf('birthday-card@1.1.0'));
  const done = { stage: 'done', package: 'card.motion' };
  const told = await call('register_production', done);
  expect(told).toMatchObject({ template: 'birthday-card@1.1.0', registered: true, host: 'Some-Host' });
  expect(forms[1]).toMatch(/birthday-card@1\.1\.0 is produced\?.*package [0-9a-f]{12}….*host \("Some-Host"\)/);
  const silent = await openAssistant();
  expect(await silent.call('register_production', done)).toMatchObject({ registered: false, reason: 'not_asked' });
  expect((await silent.call('register_production', { ...done, package: svcd().home })).error).toMatch(/^no_folder/);
  expect((await silent.call('register_production', { stage: 'done', template: 'x/../y' })).error).toMatch(/^invalid_/);
});

it('says in its own words what is wrong with arguments', async () => {
  const { call } = await openAssistant();
  const { error } = await call('get_stickers', { presets: [STAR], max_credits: 'all' });
  expect(error).toMatch(/^invalid_request: max_credits: must be a number/);
  expect((await call('search_stickers', { query: '生日' })).error).toMatch(/^invalid_request: unknown field "query"/);
});
