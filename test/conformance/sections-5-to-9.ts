// Sections 5 to 9 of the document: authentication, errors, limits, versions. Much of it says again what the
// sections before said, so that much of it is proven by the same checks.

import { expect } from 'vitest';
import { controlled, described, free, paid, sameAs, type Checks } from './checks.js';
import { newCustomer } from './customers.js';
import { musicWorks } from './described-only.js';
import {
  API,
  bodyOf,
  capabilities,
  COPY,
  DAY_MS,
  expectRefusal,
  IMAGES,
  imageRequest,
  MATCH,
  newPrompt,
  PRODUCTION,
  PRODUCTIONS,
  search,
  somePreset,
  stickerPath,
  TEMPLATE,
  WORD,
} from './questions.js';
import { SECTION_1 } from './section-1.js';
import { SECTION_2 } from './section-2.js';
import { SECTION_3 } from './section-3.js';
import { SECTION_4 } from './section-4.js';
import { withKey, type Json } from './service.js';

const RATE = 120;

export const SECTION_5: Checks = {
  '5.1': sameAs(SECTION_2, '2.1'),
  '5.2': free(async (service) => {
    const answer = await service.get(`${API}/capabilities`, { Authorization: null });
    expect(answer.status).toBe(200);
  }),
  '5.3': free(async (service) => {
    for (const [Authorization, status] of [
      [null, 200],
      [`Bearer ${service.key}`, 200],
      ['Bearer wrong', 401],
    ] as const) {
      expect((await service.post(PRODUCTIONS, PRODUCTION, { Authorization })).status).toBe(status);
    }
  }),
  '5.4': sameAs(SECTION_4, '4.1'),
  '5.5': free(async (service) => {
    for (const Authorization of ['Bearer wrong', 'Basic d3Jvbmc=', 'Bearer']) {
      for (const path of ['me', 'usage', 'stickers/search?q=x', 'stickers/x']) {
        expectRefusal(await service.get(`${API}/${path}`, { Authorization }), 401, 'invalid_key');
      }
    }
  }),
  '5.6': sameAs(SECTION_3, '3.7'),
  '5.7': described('music', musicWorks.searchPermission),
  '5.8': described('music', musicWorks.readPermission),
  '5.9': described('music', musicWorks.writePermission),
};

export const SECTION_7: Checks = {
  '7.1': sameAs(SECTION_2, '2.53'),
  '7.2': free(async (service) => {
    for (const body of ['{', '[]', '"text"', '', { text: COPY, tone: 'warm' }]) {
      expectRefusal(await service.post(MATCH, body), 400);
    }
  }),
  '7.3': sameAs(SECTION_4, '4.1'),
  '7.4': controlled(async (service) => {
    await service.control.setCredits(9);
    expectRefusal(await service.post(IMAGES, imageRequest()), 402, 'insufficient_credits');
    await service.control.setCredits(0);
    expectRefusal(await service.get(stickerPath(await somePreset(service))), 402, 'insufficient_credits');
  }),
  '7.5': sameAs(SECTION_3, '3.7'),
  '7.6': sameAs(SECTION_4, '4.16'),
  '7.7': controlled(async (service) => {
    const { client } = await newCustomer(service);
    const answers = [];
    for (let asked = 0; asked <= RATE; asked++) answers.push(await client.get(`${API}/me`));
    expect(answers.slice(0, RATE).every(({ status }) => status === 200)).toBe(true);
    const last = answers.at(-1);
    expect([last?.status, last?.body?.['code']]).toEqual([429, 'rate_limited']);
  }),
  '7.8': sameAs(SECTION_4, '4.17'),
  '7.9': sameAs(SECTION_4, '4.13'),
  '7.10': sameAs(SECTION_4, '4.18'),
  '7.11': free(async (service) => {
    expectRefusal(await service.post(MATCH, '{'), 400, 'invalid_request');
  }),
  '7.12': free(async (service) => {
    const { body } = await service.post(MATCH, {});
    expect(body).toMatchObject({ code: 'invalid_request', message: expect.stringMatching(/\S/) as string });
    expect(Object.keys(body ?? {}).filter((name) => !['code', 'message', 'hint'].includes(name))).toEqual([]);
  }),
  '7.13': controlled(async (service) => {
    const { control } = service;
    const key = await control.createKey(control.account, { limits: { perRequest: 5 } });
    const answer = await withKey(service, key.secret).post(IMAGES, imageRequest());
    expectRefusal(answer, 403, 'key_limit_exceeded');
  }),
};

export const SECTION_8: Checks = {
  '8.1': sameAs(SECTION_7, '7.7'),
  '8.2': sameAs(SECTION_2, '2.24'),
  '8.3': free(async (service) => {
    // Characters are code points: of 2000 emoji every one is two UTF-16 units and four bytes.
    expect((await service.post(MATCH, { text: '🎂'.repeat(2000) })).status).toBe(200);
    expectRefusal(await service.post(MATCH, { text: '🎂'.repeat(2001) }), 400);
  }),
  '8.4': free(async (service) => {
    expect((await service.post(MATCH, { keywords: Array(20).fill(WORD) })).status).toBe(200);
    expectRefusal(await service.post(MATCH, { keywords: Array(21).fill(WORD) }), 400);
  }),
  '8.5': free(async (service) => {
    expect((await service.post(MATCH, { keywords: ['🎂'.repeat(64)] })).status).toBe(200);
    expectRefusal(await service.post(MATCH, { keywords: ['🎂'.repeat(65)] }), 400);
  }),
  '8.6': sameAs(SECTION_2, '2.22'),
  '8.7': sameAs(SECTION_2, '2.23'),
  '8.8': sameAs(SECTION_2, '2.40'),
  '8.9': paid(10, async (service) => {
    const prompt = Array.from(newPrompt());
    const of = (length: number) => ({
      prompt: prompt.join('') + '🎂'.repeat(length - prompt.length),
      size: '1536x1024',
    });
    expect((await service.post(IMAGES, of(2000))).status).toBe(200);
    expectRefusal(await service.post(IMAGES, of(2001)), 400);
  }),
  '8.10': free(async (service) => {
    for (const size of ['1536X1024', '1536x1024 ', '1024', '512x512', ['1536x1024'], null]) {
      expectRefusal(await service.post(IMAGES, { prompt: newPrompt(), size }), 400);
    }
  }),
  '8.11': controlled(async (service) => {
    const { control } = service;
    const key = await control.createKey(control.account, { limits: { perRequest: 9 } });
    const client = withKey(service, key.secret);
    expect((await client.post(IMAGES, imageRequest())).status).toBe(403);
    expect((await client.get(stickerPath(await somePreset(client)))).status).toBe(200);
  }),
  '8.12': controlled(async (service) => {
    const { control } = service;
    await control.setClock('2027-02-27T12:00:00Z');
    const key = await control.createKey(control.account, { limits: { daily: 2 } });
    const client = withKey(service, key.secret);
    const path = stickerPath(await somePreset(client));
    expect(await statuses(3, () => client.get(path))).toEqual([200, 200, 403]);
    await control.moveClock(DAY_MS);
    expect(await statuses(3, () => client.get(path))).toEqual([200, 200, 403]);
  }),
  '8.13': controlled(async (service) => {
    const { control } = service;
    await control.setClock('2027-01-30T12:00:00Z');
    const key = await control.createKey(control.account, { limits: { monthly: 2 } });
    const client = withKey(service, key.secret);
    const path = stickerPath(await somePreset(client));
    expect(await statuses(3, () => client.get(path))).toEqual([200, 200, 403]);
    await control.moveClock(DAY_MS);
    expect(await statuses(1, () => client.get(path))).toEqual([403]);
    await control.moveClock(DAY_MS);
    expect(await statuses(3, () => client.get(path))).toEqual([200, 200, 403]);
  }),
  '8.14': sameAs(SECTION_3, '3.3'),
  '8.15': sameAs(SECTION_1, '1.25'),
  '8.16': sameAs(SECTION_1, '1.27'),
  '8.17': sameAs(SECTION_1, '1.36'),
  '8.18': sameAs(SECTION_1, '1.37'),
  '8.19': controlled(async (service) => {
    const key = await service.control.createKey(service.control.account);
    expect((await withKey(service, key.secret).get(`${API}/me`)).body).toMatchObject({
      key: { limits: { per_request: null, daily: null, monthly: null } },
    });
  }),
  '8.20': free(async (service) => {
    const results = await search(service);
    expect(results.length).toBeLessThanOrEqual(12);
    expect(await search(service, `q=${encodeURIComponent(WORD)}&limit=12`)).toEqual(results);
  }),
  '8.21': free(async (service) => {
    const path = `${API}/stickers/search`;
    expect((await service.get(`${path}?q=x&limit=50`)).status).toBe(200);
    expect((await service.get(`${path}?q=${'x'.repeat(500)}`)).status).toBe(200);
    for (const query of ['q=x&limit=51', 'q=x&limit=0', 'q=', `q=${'x'.repeat(501)}`, 'limit=3']) {
      expectRefusal(await service.get(`${path}?${query}`), 400);
    }
  }),
};

export const SECTION_9: Checks = {
  '9.1': free(async (service) => {
    expect((await service.get('/api/v1/capabilities')).status).toBe(200);
    for (const path of ['/api/v2/capabilities', '/capabilities']) {
      expectRefusal(await service.get(path), 404);
    }
  }),
  '9.2': sameAs(SECTION_2, '2.54'),
  '9.3': free(async (service) => {
    expect(bodyOf(await service.post(PRODUCTIONS, PRODUCTION))).toMatchObject({
      latest_version: expect.any(String) as string,
      notices: expect.any(Array) as [],
    });
    // Only of a service that is ours is it known which version is old, and what is wrong with it.
    if (service.control === undefined) return;
    const { latest_version: latest, notices } = bodyOf(
      await service.post(PRODUCTIONS, { ...PRODUCTION, template: TEMPLATE }),
    );
    expect(latest).toBe('1.1.0');
    expect((notices as Json[]).map(({ code, version }) => [code, version])).toEqual([
      ['new_version', '1.1.0'],
      ['known_issue', '1.0.0'],
    ]);
  }),
  '9.4': free(async (service) => {
    for (const one of await capabilities(service)) {
      expect(one).toMatchObject({ status: expect.any(String) as string, enabled: expect.any(Boolean) as boolean });
    }
  }),
};

/** The status of so many calls, one after another. */
async function statuses(times: number, call: () => Promise<{ status: number }>): Promise<number[]> {
  const seen: number[] = [];
  for (let time = 0; time < times; time++) seen.push((await call()).status);
  return seen;
}
