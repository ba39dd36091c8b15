import { describe, expect, test } from 'vitest';
import type { Answer } from '../../src/sandbox/wire/answer-schemas.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, type StartedSandbox } from './start-sandbox.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN } from './tiny-catalogue.js';

const MATCH = '/api/v1/stickers/match';

async function search({ call }: StartedSandbox, q: string, more = ''): Promise<Answer<'SearchAnswer'>> {
  const answer = await call(`/api/v1/stickers/search?q=${encodeURIComponent(q)}${more}`);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer<'SearchAnswer'>;
}

async function match({ post }: StartedSandbox, body: object): Promise<Answer<'MatchAnswer'>> {
  const answer = await post(MATCH, body);
  expect(answer.status).toBe(200);
  return (await answer.json()) as Answer<'MatchAnswer'>;
}

const presetsOf = ({ results }: { results: { preset: string }[] }) => results.map(({ preset }) => preset);

describe('search', () => {
  test('puts a title before a keyword, a whole word before a part, and is free', async () => {
    const started = await startSandbox();
    expect(presetsOf(await search(started, '蛋糕'))).toEqual([CAKE, BIRTHDAY_CAKE]);
    expect(presetsOf(await search(started, '生日'))).toEqual([CAKE, BIRTHDAY_CAKE]);
    expect(presetsOf(await search(started, '生日蛋糕'))[0]).toBe(BIRTHDAY_CAKE);
    expect(started.sandbox.credits()).toBe(1000);
  });

  test('finds the known words in a query that is no word itself', async () => {
    const started = await startSandbox();
    expect(presetsOf(await search(started, '下雨天的蛋糕')).toSorted()).toEqual([RAIN, CAKE, BIRTHDAY_CAKE].toSorted());
  });

  test.each([
    ['PARTY', BIRTHDAY_CAKE],
    ['ｐａｒｔｙ', BIRTHDAY_CAKE],
    ['雨', RAIN],
    ['!?', SIGN],
    ['！？', SIGN],
  ])('finds %s however it is written', async (q, preset) => {
    expect(presetsOf(await search(await startSandbox(), q))).toEqual([preset]);
  });

  test('tells how many match though it lists fewer, and an address on itself for each', async () => {
    const started = await startSandbox();
    const answer = await search(started, '蛋糕', '&limit=1');
    expect(answer).toEqual({
      query: '蛋糕',
      total: 2,
      results: [
        {
          preset: CAKE,
          title: '蛋糕',
          keywords: ['甜点', '生日'],
          width: 120,
          height: 100,
          duration: 2,
          aspect_ratio: 1.2,
          primary_color: '#ff8800',
          file: `${started.url}/api/v1/stickers/food%2Fcake`,
        },
      ],
    });
  });

  test('of something that nobody has is an empty success', async () => {
    expect(await search(await startSandbox(), '宇宙飞船')).toEqual({ query: '宇宙飞船', total: 0, results: [] });
  });
});

describe('match', () => {
  test('gives keywords priority over words of the copy, and says why', async () => {
    const started = await startSandbox();
    const answer = await match(started, { text: '今天下雨，吃生日蛋糕。', keywords: ['疑问'] });
    expect(answer.extracted_keywords).toEqual(['疑问', '下雨', '生日蛋糕', '生日', '蛋糕']);
    expect(presetsOf(answer)).toEqual([SIGN, BIRTHDAY_CAKE, CAKE, RAIN]);
    expect(answer.results[0]?.reasons).toEqual([{ keyword: '疑问', field: 'keywords', source: 'direct' }]);
    expect(answer.results[3]?.reasons).toEqual([{ keyword: '下雨', field: 'title', source: 'direct' }]);
    expect(answer.total).toBe(4);
  });

  test('with no match is an empty success', async () => {
    const answer = await match(await startSandbox(), { keywords: ['宇宙飞船'] });
    expect(answer).toEqual({ extracted_keywords: ['宇宙飞船'], total: 0, results: [] });
  });

  test('refuses blank text, and search a blank query', async () => {
    const { call, post } = await startSandbox();
    expect(await refusalIn(await post(MATCH, { text: ' ' }))).toBe('400 invalid_request');
    expect(await refusalIn(await call('/api/v1/stickers/search?q=%20'))).toBe('400 invalid_request');
  });

  test('answers the longest copy at once', async () => {
    const answer = await match(await startSandbox(), { text: '生日快乐'.repeat(500), limit: 50 });
    expect(presetsOf(answer)).toEqual([CAKE]);
  });
});
