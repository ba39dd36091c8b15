// /mcp: the tools by HTTP, behind the gate, with the money of a token alone: a person's form, or a budget beforehand.

import { Client, type ElicitResult, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { expect, it, onTestFinished } from 'vitest';
import { writeSetting } from '../../src/config/config.js';
import { signIn } from '../support/sign-in.js';
import { startPair } from '../support/start-pair.js';
import type { StartedDaemon } from '../support/start-daemon.js';

const CAKE = 'food/cake';
const READERS = ['search_stickers', 'match_stickers', 'look_at_stickers', 'plan_stickers'];

interface HostOptions {
  readonly token?: string;
  readonly era?: 'auto' | 'legacy';
  readonly onForm?: (message: string) => ElicitResult;
  readonly language?: string;
}

async function openHost(svcd: StartedDaemon, { token, era = 'auto', onForm, language = '*' }: HostOptions = {}) {
  const capabilities = onForm === undefined ? {} : { elicitation: { form: {} } };
  const client = new Client({ name: 'host', version: '1' }, { capabilities, versionNegotiation: { mode: era } });
  if (onForm !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => onForm(params.message));
  const headers = {
    'accept-language': language,
    ...(token !== undefined && { authorization: `Bearer ${token}` }),
  };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${svcd.url}/mcp`), { requestInit: { headers } }));
  onTestFinished(() => client.close());
  const call = async (name: string, given: Record<string, unknown>) => {
    const { content, isError, structuredContent } = await client.callTool({ name, arguments: given });
    const [{ text = '' } = {}] = content as { text?: string }[];
    return isError === true ? { error: text } : { ...(structuredContent as Record<string, unknown>) };
  };
  return { client, call };
}

const spent = async (svcd: StartedDaemon) =>
  ((await (await svcd.get('/svcd/spending')).json()) as { spent: number }).spent;
const WANTED = { presets: [CAKE], max_credits: 5 };

it.each(['auto', 'legacy'] as const)(
  'offers what needs no folder, to anybody, and buys nothing for them (%s)',
  async (era) => {
    const { svcd } = await startPair();
    const { client, call } = await openHost(svcd, { era });
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      ...READERS,
      'get_stickers',
      'generate_image',
      'show_spending',
      'register_production',
    ]);
    const { messages } = await client.getPrompt({ name: 'dress_copy', arguments: { copy: '生日快乐' } });
    expect(JSON.stringify([tools, messages])).not.toMatch(/folder|"package"|apply_plan|lock/);
    expect(await call('search_stickers', { q: '生日', style: 'nobody' })).toMatchObject({
      error: expect.stringMatching(/style/),
    });
    expect(await call('match_stickers', { text: '生日蛋糕' })).toMatchObject({ results: expect.anything() });
    expect(((await call('get_stickers', WANTED)) as { error: string }).error).toMatch(
      /^needs_consent: .*\n.*svcd token add/,
    );
    expect(await spent(svcd)).toBe(0);
  },
);

it('takes the budget of a token as a yes, and no more; that of the home asks by a form each time', async () => {
  const { svcd } = await startPair();
  const added = await svcd.post('/svcd/tokens', {
    name: 'assistant',
    only: ['stickers', 'account'],
    day: 1,
  });
  const { token } = (await added.json()) as { token: string };
  const { call } = await openHost(svcd, { token });
  const got = (await call('get_stickers', WANTED)) as { items?: { url: string }[] };
  expect(got).toMatchObject({ cost: 1, budget_left: 0, items: [{ preset: CAKE, source: 'bought' }] });
  expect((await fetch(got.items?.[0]?.url ?? '')).status).toBe(200);
  const rest = await call('get_stickers', { presets: ['food/birthday-cake'], max_credits: 1e9 });
  expect((rest as { error: string }).error).toMatch(/^budget: /);
  expect(await spent(svcd)).toBe(1);

  const forms: string[] = [];
  const agree = (yes: boolean) => (message: string) => {
    forms.push(message);
    return { action: 'accept' as const, content: { yes } };
  };
  const other = { presets: ['food/birthday-cake'], max_credits: 5 };
  const silent = await openHost(svcd, { token: svcd.token });
  expect(await silent.call('get_stickers', other)).toMatchObject({ error: expect.stringMatching(/^needs_consent/) });
  const no = await openHost(svcd, { token: svcd.token, onForm: agree(false) });
  expect(await no.call('get_stickers', other)).toMatchObject({ error: expect.stringMatching(/^needs_consent/) });
  expect(await spent(svcd)).toBe(1);
  const yes = await openHost(svcd, { token: svcd.token, onForm: agree(true), language: 'zh-CN,zh;q=0.9' });
  expect(await yes.call('get_stickers', other)).toMatchObject({ cost: 1 });
  const said = [/^svcd: buy/, /^svcd：花费 1 积分购买/].map((one): unknown => expect.stringMatching(one));
  expect([forms, await spent(svcd)]).toEqual([said, 2]);
});

it('refuses a wrong token with 403, other hosts and pages before anything else, and takes no cookie for a token', async () => {
  const { svcd } = await startPair();
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'get_stickers', arguments: WANTED },
  });
  const json = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
  const ask = async (headers: Record<string, string>) => {
    const answer = await fetch(`${svcd.url}/mcp`, { method: 'POST', body, headers: { ...json, ...headers } });
    return [answer.status, await answer.text()] as const;
  };
  for (const bearer of ['svcd_wrong', 'sk-a-key-of-the-service', '']) {
    expect((await ask({ authorization: `Bearer ${bearer}` }))[0]).toBe(403);
  }
  expect(await ask({ origin: 'http://evil.example' })).toMatchObject([
    403,
    expect.stringContaining('forbidden_origin'),
  ]);
  const large = await fetch(`${svcd.url}/mcp`, { method: 'POST', body: body + ' '.repeat(70_000), headers: json });
  expect([large.status, (await ask({ accept: 'text/plain' }))[0]]).toEqual([413, 406]);
  expect((await fetch(`${svcd.url}/mcp`)).status).toBe(405);
  const session = await signIn(svcd);
  const page = await ask({ ...session, origin: svcd.url, 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' });
  expect(page[1]).toContain('needs_consent');
  expect(await spent(svcd)).toBe(0);
});

it('tells the service of no production where the user said never', async () => {
  const { svcd } = await startPair();
  writeSetting(svcd.home, 'registerProductions', 'never');
  const asked: string[] = [];
  const onForm = (message: string): ElicitResult => {
    asked.push(message);
    return { action: 'accept', content: {} };
  };
  const { call } = await openHost(svcd, { token: svcd.token, onForm });
  const told = await call('register_production', { template: 'card@1.0.0', stage: 'done' });
  expect([told, asked]).toMatchObject([{ registered: false, reason: 'declined' }, []]);
});
