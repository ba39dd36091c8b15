// Section 2 of the document: resources and their fields.

import { expect } from 'vitest';
import { controlled, described, free, paid, type Checks } from './checks.js';
import { musicWorks } from './described-only.js';
import { newCustomer } from './customers.js';
import {
  API,
  bodyOf,
  capabilities,
  COPY,
  costOf,
  creditsLeft,
  expectRefusal,
  IMAGES,
  imageRequest,
  MATCH,
  match,
  matchBodyOf,
  newPrompt,
  NONSENSE,
  pngSize,
  search,
  somePreset,
  stickerPath,
  TEMPLATE,
  usage,
  WORD,
} from './questions.js';
import { PRODUCING } from './section-2-productions.js';
import { withKey, type Json } from './service.js';

const KIB_16 = 16 * 1024;

const KEYS: Checks = {
  '2.1': free(async (service) => {
    expect((await service.get(`${API}/me`, { Authorization: `Bearer ${service.key}` })).status).toBe(200);
    expectRefusal(await service.get(`${API}/me`, { Authorization: service.key }), 401);
    expectRefusal(await service.get(`${API}/me?key=${service.key}`, { Authorization: null }), 401);
  }),
  '2.2': controlled(async (service) => {
    const { key, files } = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    expect(files['service.key.json']).toContain(key.secret);
    expect((await withKey(service, key.secret).get(`${API}/me`)).status).toBe(200);
  }),
  '2.3': controlled(async (service) => {
    const { key } = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    await service.control.setKeyState(key, 'disabled');
    expectRefusal(await withKey(service, key.secret).get(`${API}/me`), 403, 'key_disabled');
    expect((await service.get(`${API}/me`)).status).toBe(200);
  }),
  '2.4': controlled(async (service) => {
    const key = await service.control.createKey(service.control.account);
    expect((await withKey(service, key.secret).get(`${API}/me`)).body).toMatchObject({ key: { kind: 'general' } });
  }),
  '2.5': controlled(async (service) => {
    const { account, client } = await newCustomer(service);
    await service.control.topUp(account, 0.5);
    const before = await service.control.balance(service.control.account);
    await client.get(stickerPath(await somePreset(client)));
    expect(await service.control.balance(account)).toBe(4);
    expect(await service.control.balance(service.control.account)).toBe(before);
  }),
  '2.7': controlled(async (service) => {
    for (const state of ['disabled', 'revoked'] as const) {
      const key = await service.control.createKey(service.control.account);
      await service.control.setKeyState(key, state);
      expect((await withKey(service, key.secret).get(`${API}/me`)).status).toBeGreaterThanOrEqual(401);
    }
  }),
  '2.8': controlled(async (service) => {
    const first = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    const second = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    expect(second.key.secret).not.toBe(first.key.secret);
    expect((await withKey(service, second.key.secret).get(`${API}/me`)).status).toBe(200);
  }),
  '2.9': controlled(async (service) => {
    const { key, files } = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    expect(JSON.parse(files['service.key.json'] ?? '')).toMatchObject({ key: key.secret });
  }),
  '2.10': free(async (service) => {
    expect(bodyOf(await service.get(`${API}/me`))['key']).toMatchObject({
      kind: expect.stringMatching(/^(general|template)$/) as string,
      status: 'active',
      limits: expect.objectContaining({ per_request: anyLimit(), daily: anyLimit(), monthly: anyLimit() }) as object,
    });
  }),
  '2.11': described('music', musicWorks.permissions),
};

const CANDIDATES: Checks = {
  '2.12': everyCandidate('preset', (value) => expect(value).toEqual(expect.stringMatching(/\S/))),
  '2.13': free(async (service) => {
    const titles = (await search(service)).map((candidate) => String(candidate['title']));
    expect(titles.some((title) => /\p{Script=Han}/u.test(title))).toBe(true);
  }),
  '2.14': everyCandidate('keywords', (value) => {
    expect(value).toEqual(expect.any(Array));
    for (const word of value as unknown[]) expect(word).toEqual(expect.any(String));
  }),
  '2.15': everyCandidate('duration', (value) => expect(value).toBeGreaterThan(0)),
  '2.16': everyCandidate('aspect_ratio', (value) => expect(value).toBeGreaterThan(0)),
  '2.17': everyCandidate('primary_color', (value) => expect(value).toMatch(/^#[0-9a-f]{6}$/i)),
  '2.18': paid(1, async (service) => {
    const [first] = await search(service);
    expect((await service.get(String(first?.['file']))).status).toBe(200);
  }),
};

const MATCHING: Checks = {
  '2.19': free(async (service) => {
    expect((await service.post(MATCH, { text: '字'.repeat(2000) })).status).toBe(200);
    expectRefusal(await service.post(MATCH, { text: '字'.repeat(2001) }), 400);
    expectRefusal(await service.post(MATCH, { text: 7 }), 400);
  }),
  '2.20': free(async (service) => {
    const words = Array.from({ length: 20 }, () => '字'.repeat(64));
    expect((await service.post(MATCH, { keywords: words })).status).toBe(200);
    expectRefusal(await service.post(MATCH, { keywords: [...words, 'x'] }), 400);
    expectRefusal(await service.post(MATCH, { keywords: ['字'.repeat(65)] }), 400);
    expectRefusal(await service.post(MATCH, { keywords: WORD }), 400);
  }),
  '2.21': free(async (service) => {
    for (const asked of [{ text: COPY }, { keywords: [WORD] }, { text: COPY, keywords: [WORD] }]) {
      expect((await service.post(MATCH, asked)).status).toBe(200);
    }
    expectRefusal(await service.post(MATCH, {}), 400);
    expectRefusal(await service.post(MATCH, { limit: 3 }), 400);
  }),
  '2.22': free(async (service) => {
    for (const limit of [1, 50]) {
      const { results } = await match(service, { text: COPY, limit });
      expect((results as []).length).toBeLessThanOrEqual(limit);
    }
    for (const limit of [0, 51, -1, 1.5, '12']) {
      expectRefusal(await service.post(MATCH, { text: COPY, limit }), 400);
    }
    expect(((await match(service, { text: COPY }))['results'] as []).length).toBeLessThanOrEqual(12);
  }),
  '2.23': free(async (service) => {
    expectRefusal(await service.post(MATCH, { text: COPY, tone: 'warm' }), 400);
  }),
  '2.24': free(async (service) => {
    expect((await service.post(MATCH, matchBodyOf(KIB_16))).status).toBe(200);
    expect((await service.post(MATCH, matchBodyOf(KIB_16 + 1))).status).toBeGreaterThanOrEqual(400);
  }),
  '2.25': free(async (service) => {
    const { extracted_keywords: words } = await match(service, { keywords: [WORD] });
    expect(words).toContain(WORD);
  }),
  '2.26': free(async (service) => {
    const few = await match(service, { keywords: [WORD], limit: 1 });
    const many = await match(service, { keywords: [WORD], limit: 50 });
    expect(few['total']).toBe(many['total']);
    expect(few['total']).toBeGreaterThanOrEqual((many['results'] as []).length);
  }),
  '2.27': free(async (service) => {
    const { results } = (await match(service, { text: COPY, limit: 50 })) as { results: Json[] };
    const scores = results.map((result) => Number(result['score']));
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
  }),
  '2.28': free(async (service) => {
    expect(await match(service, { keywords: [NONSENSE] })).toMatchObject({ total: 0, results: [] });
  }),
  '2.29': paid(1, async (service) => {
    const { results } = (await match(service, { keywords: [WORD] })) as { results: Json[] };
    const file = String(results[0]?.['file']);
    expect(decodeURIComponent(file)).toContain(String(results[0]?.['preset']));
    expect((await service.get(file)).status).toBe(200);
    expectRefusal(await service.get(file, { Authorization: null }), 401, 'invalid_key');
  }),
  '2.30': free(async (service) => {
    const { results } = (await match(service, { keywords: [WORD] })) as { results: Json[] };
    for (const result of results) {
      expect(result).toMatchObject({ title: expect.any(String) as string, reasons: expect.any(Array) as [] });
      for (const field of ['score', 'width', 'height', 'duration']) {
        expect(result[field], field).toBeGreaterThan(0);
      }
    }
  }),
  '2.31': free(async (service) => {
    const { results } = (await match(service, { keywords: [WORD] })) as { results: Json[] };
    for (const reason of results.flatMap((result) => result['reasons'] as Json[])) {
      expect(reason).toMatchObject({
        keyword: expect.stringMatching(/\S/) as string,
        field: expect.stringMatching(/^(title|keywords)$/) as string,
        source: expect.stringMatching(/^(direct|synonym)$/) as string,
      });
    }
  }),
  '2.32': free(async (service) => {
    const { results } = (await match(service, { text: '下雨了', keywords: [WORD] })) as { results: Json[] };
    const reasons = (results[0]?.['reasons'] ?? []) as Json[];
    expect(reasons[0]?.['keyword']).toBe(WORD);
  }),
  '2.33': free(async (service) => {
    const { results } = (await match(service, { text: COPY })) as { results: Json[] };
    const words = results.flatMap((result) => result['reasons'] as Json[]).map((one) => one['keyword']);
    expect(words).toContain(WORD);
  }),
  '2.34': free(async (service) => {
    const one = (await match(service, { keywords: [WORD] })) as { results: Json[] };
    const two = (await match(service, { keywords: [WORD, '蛋糕'] })) as { results: Json[] };
    // More evidence adds up: whoever read it as a probability would meet numbers beyond 1.
    expect(Number(two.results[0]?.['score'])).toBeGreaterThan(Number(one.results[0]?.['score']));
  }),
  '2.36': controlled(async (service) => {
    await service.post(MATCH, { text: `${COPY}${NONSENSE}`, keywords: [NONSENSE] });
    await service.get(stickerPath(await somePreset(service)));
    expect(await service.control.records()).not.toContain(NONSENSE);
  }),
};

const PICTURES: Checks = {
  '2.37': paid(10, async (service) => {
    const size = '1536x1024';
    expectRefusal(await service.post(IMAGES, { size }), 400);
    expectRefusal(await service.post(IMAGES, { size, prompt: '字'.repeat(2001) }), 400);
    const longest = Array.from(newPrompt().padEnd(2000, '字')).slice(0, 2000).join('');
    expect((await service.post(IMAGES, { size, prompt: longest })).status).toBe(200);
  }),
  '2.38': paid(10, async (service) => {
    expectRefusal(await service.post(IMAGES, { prompt: newPrompt() }), 400);
    expectRefusal(await service.post(IMAGES, { prompt: newPrompt(), size: '64x64' }), 400);
    expect((await service.post(IMAGES, imageRequest())).status).toBe(200);
  }),
  '2.39': paid(20, async (service) => {
    for (const size of ['1024x1024', '1024x1536']) {
      expect((await service.post(IMAGES, { prompt: newPrompt(), size })).status).toBe(200);
    }
  }),
  '2.40': paid(10, async (service) => {
    const request = JSON.stringify(imageRequest());
    const body = (sizeBytes: number) => request + ' '.repeat(sizeBytes - Buffer.byteLength(request));
    expect((await service.post(IMAGES, body(KIB_16 + 1))).status).toBeGreaterThanOrEqual(400);
    expect((await service.post(IMAGES, body(KIB_16))).status).toBe(200);
  }),
  '2.41': paid(10, async (service) => {
    const image = bodyOf(await service.post(IMAGES, imageRequest()));
    const { width, height } = pngSize((await service.get(String(image['url']))).bytes);
    expect(image).toMatchObject({ size: `${width}x${height}`, width, height });
  }),
  '2.42': paid(10, async (service) => {
    expect(bodyOf(await service.post(IMAGES, imageRequest()))).toMatchObject({ requested_size: '1536x1024' });
  }),
  '2.43': controlled(async (service) => {
    expect(bodyOf(await service.post(IMAGES, imageRequest()))).not.toHaveProperty('notices');
    await service.control.troubleImages('other_size');
    const image = bodyOf(await service.post(IMAGES, imageRequest()));
    expect(image['size']).not.toBe(image['requested_size']);
    expect(image['notices']).toEqual([{ code: expect.stringMatching(/\S/), message: expect.stringMatching(/\S/) }]);
  }),
  '2.44': controlled(async (service) => {
    await service.control.troubleImages('other_size');
    const image = bodyOf(await service.post(IMAGES, imageRequest()));
    const { width, height } = pngSize((await service.get(String(image['url']))).bytes);
    expect(image).toMatchObject({ size: `${width}x${height}`, width, height, requested_size: '1536x1024' });
    expect(await service.control.charged()).toBe(10);
  }),
  '2.46': paid(10, async (service) => {
    const { url } = bodyOf(await service.post(IMAGES, imageRequest()));
    const cost = await costOf(service, async () => {
      expect((await service.get(String(url))).headers.get('Content-Type')).toBe('image/png');
    });
    expect(cost).toBe(0);
  }),
};

const USAGE: Checks = {
  '2.47': controlled(async (service) => {
    const { control } = service;
    await control.setCredits(100);
    const key = await control.createKey(control.account, { limits: { monthly: 3 } });
    const client = withKey(service, key.secret);
    expect(await creditsLeft(client)).toBe(3);
    await client.get(stickerPath(await somePreset(client)));
    expect(await creditsLeft(client)).toBe(2);
    await control.setCredits(1);
    expect(await creditsLeft(client)).toBe(1);
  }),
  '2.48': free(async (service) => {
    const { effective_credits_remaining: credits, capabilities: list } = await usage(service);
    const counts = Object.fromEntries((list as Json[]).map((one) => [one['id'], one['possible_count']]));
    expect(counts).toMatchObject({ 'stickers.file': credits, 'images.generate': Math.floor(Number(credits) / 10) });
  }),
  '2.49': free(async (service) => {
    const list = (await usage(service))['capabilities'] as Json[];
    const planned = list.filter((one) => one['status'] === 'planned');
    expect(planned.length).toBeGreaterThan(0);
    for (const one of planned) expect(one['possible_count']).toBeNull();
  }),
  '2.50': free(async (service) => {
    expect(await usage(service)).toMatchObject({
      balance: expect.any(Number) as number,
      key: { monthly_cap: anyLimit() },
    });
  }),
  '2.51': free(async (service) => {
    for (const one of await capabilities(service)) expect(one['enabled']).toEqual(expect.any(Boolean));
  }),
  '2.52': free(async (service) => {
    const states = (await capabilities(service)).map((one) => one['status']);
    expect(states).toEqual(expect.arrayContaining(['beta', 'planned']));
  }),
  '2.70': free(async (service) => {
    const { key, pending_credits: pending } = bodyOf(await service.get(`${API}/me`));
    expect([key, pending]).toEqual([
      expect.objectContaining({ permissions: expect.any(Array) as [] }),
      expect.any(Number),
    ]);
    expect((await usage(service))['key']).toMatchObject({ monthly_remaining: anyLimit() });
    for (const one of await capabilities(service)) {
      expect(one).toMatchObject({
        id: expect.stringMatching(/^[a-z]+\.[a-z]+$/) as string,
        name: expect.stringMatching(/\S/) as string,
        cost: anyLimit(),
      });
    }
  }),
};

export const SECTION_2: Checks = { ...KEYS, ...CANDIDATES, ...MATCHING, ...PICTURES, ...USAGE, ...PRODUCING };

function everyCandidate(field: string, check: (value: unknown) => void) {
  return free(async (service) => {
    const candidates = await search(service);
    expect(candidates.length).toBeGreaterThan(0);
    for (const candidate of candidates) check(candidate[field]);
  });
}

/** A number of credits, or null for none. */
function anyLimit(): unknown {
  return {
    asymmetricMatch: (value: unknown) => value === null || typeof value === 'number',
    toString: () => 'a limit',
  };
}
