// Section 4 of the document: endpoints, their cost, and their rules.

import { expect } from 'vitest';
import { controlled, described, free, paid, sameAs, type Checks } from './checks.js';
import { musicWorks, tasksWork } from './described-only.js';
import {
  API,
  bodyOf,
  capabilities,
  COPY,
  costOf,
  expectLottie,
  expectRefusal,
  IMAGES,
  imageRequest,
  MATCH,
  match,
  NONSENSE,
  PRODUCTION,
  PRODUCTIONS,
  resultsOf,
  SEARCH,
  somePreset,
  stickerPath,
  TEMPLATE,
  usage,
} from './questions.js';
import { SECTION_2 } from './section-2.js';
import { readTemplateKey } from './template-key.js';

const ENDPOINTS: Checks = {
  '4.1': free(async (service) => {
    const anybody = { Authorization: null };
    for (const path of ['me', 'usage', 'stickers/search?q=x', 'stickers/x']) {
      expectRefusal(await service.get(`${API}/${path}`, anybody), 401, 'invalid_key');
    }
    expectRefusal(await service.post(MATCH, { text: COPY }, anybody), 401, 'invalid_key');
    expectRefusal(await service.post(IMAGES, imageRequest(), anybody), 401, 'invalid_key');
  }),
  '4.2': free(async (service) => {
    for (const type of ['application/json', 'application/json; charset=utf-8']) {
      expect((await service.post(MATCH, { text: COPY }, { 'Content-Type': type })).status).toBe(200);
    }
    const wrong = await service.post(MATCH, { text: COPY }, { 'Content-Type': 'text/plain' });
    expect(wrong.status).toBeGreaterThanOrEqual(400);
    expect(wrong.status).toBeLessThan(500);
  }),
  '4.3': free(async (service) => {
    const me = bodyOf(await service.get(`${API}/me`));
    expect(me).toMatchObject({ key: { status: 'active' }, balance: expect.any(Number) as number });
    expect(JSON.stringify(me)).not.toContain(service.key);
  }),
  '4.4': free(async (service) => {
    const ids = (await capabilities(service)).map((one) => one['id']);
    expect(ids).toEqual(
      expect.arrayContaining(['stickers.search', 'stickers.match', 'stickers.file', 'images.generate']),
    );
  }),
  '4.5': free(async (service) => {
    expect(resultsOf(await service.get(`${SEARCH}&limit=1`))).toHaveLength(1);
    expect(await costOf(service, () => service.get(SEARCH))).toBe(0);
  }),
  '4.6': free(async (service) => {
    expect(await costOf(service, () => match(service, { text: COPY }))).toBe(0);
  }),
  '4.7': paid(1, async (service) => {
    expectLottie(await service.get(stickerPath(await somePreset(service))));
    expectRefusal(await service.get(stickerPath(NONSENSE)), 404);
  }),
  '4.8': paid(10, async (service) => {
    expect(await costOf(service, async () => bodyOf(await service.post(IMAGES, imageRequest())))).toBe(10);
  }),
  '4.9': free(async (service) => {
    expect(await costOf(service, () => usage(service))).toBe(0);
  }),
  '4.10': free(async (service) => {
    expect((await service.post(PRODUCTIONS, PRODUCTION, { Authorization: null })).status).toBe(200);
    expect(await costOf(service, () => service.post(PRODUCTIONS, PRODUCTION))).toBe(0);
  }),
};

const RULES: Checks = {
  '4.11': free(async (service) => {
    const cost = await costOf(service, async () => {
      for (let time = 0; time < 3; time++) {
        await service.get(SEARCH);
        await match(service, { text: COPY });
      }
    });
    expect(cost).toBe(0);
  }),
  '4.12': paid(2, async (service) => {
    const path = stickerPath(await somePreset(service));
    const cost = await costOf(service, async () => {
      await service.get(path);
      await service.get(path);
    });
    expect(cost).toBe(2);
  }),
  '4.13': controlled(async (service) => {
    const { control } = service;
    await control.switchCapability('images.generate', false);
    expectRefusal(await service.post(IMAGES, imageRequest()), 503, 'not_enabled');
    expect(await control.charged()).toBe(0);
  }),
  '4.14': controlled(async (service) => {
    const { control } = service;
    await control.troubleImages('upstream_failure');
    expect((await service.post(IMAGES, imageRequest())).status).toBeGreaterThanOrEqual(500);
    expect(await control.charged()).toBe(0);
  }),
  '4.15': controlled(async (service) => {
    const { control } = service;
    const release = await control.holdImages();
    const image = service.post(IMAGES, imageRequest());
    await service.get(`${API}/me`);
    expect(await control.charged()).toBe(0);
    release();
    const { url } = bodyOf(await image);
    expect(await control.charged()).toBe(10);
    expect((await service.get(String(url))).status).toBe(200);
  }),
  '4.16': controlled(async (service) => {
    const { control } = service;
    const release = await control.holdImages();
    const request = imageRequest();
    const [first, second] = [service.post(IMAGES, request), service.post(IMAGES, request)];
    // The one that is refused does not wait for the one that is made.
    const refused = await Promise.race([first, second]);
    release();
    expectRefusal(refused, 409);
    await Promise.all([first, second]);
    expect(await control.charged()).toBe(10);
  }),
  '4.17': controlled(async (service) => {
    await service.control.troubleImages('busy');
    expectRefusal(await service.post(IMAGES, imageRequest()), 429);
    expect(await service.control.charged()).toBe(0);
  }),
  '4.18': controlled(async (service) => {
    await service.control.troubleImages('timeout');
    expectRefusal(await service.post(IMAGES, imageRequest()), 504);
    expect(await service.control.charged()).toBe(0);
  }),
  '4.19': sameAs(SECTION_2, '2.28'),
  '4.20': sameAs(SECTION_2, '2.53'),
  '4.21': free(async (service) => {
    const answer = await service.post(PRODUCTIONS, PRODUCTION, { Authorization: null });
    expect(bodyOf(answer)).toHaveProperty('production_id');
    expect(JSON.stringify(answer.body)).not.toMatch(/account/);
  }),
  '4.22': free(async (service) => {
    const wrong = { Authorization: 'Bearer wrong' };
    expectRefusal(await service.post(PRODUCTIONS, PRODUCTION, wrong), 401, 'invalid_key');
  }),
  '4.24': free(async (service) => {
    expect(bodyOf(await service.get(SEARCH))).toMatchObject({
      query: '生日',
      total: expect.any(Number) as number,
      results: expect.any(Array) as [],
    });
  }),
  '4.25': described('music', musicWorks.paths),
  '4.26': described('tasks', tasksWork.paths),
  '4.27': controlled(async (service) => {
    const { key, files } = await service.control.downloadTemplate(service.control.account, TEMPLATE);
    expect(readTemplateKey({}, files)).toBe(key.secret);
    expect(readTemplateKey({ SERVICE_API_KEY: service.key }, files)).toBe(service.key);
  }),
};

export const SECTION_4: Checks = { ...ENDPOINTS, ...RULES };
