// Section 1 of the document: what the service does, and the rules of credits.

import { expect } from 'vitest';
import { controlled, described, free, paid, type Checks } from './checks.js';
import { musicWorks, tasksWork } from './described-only.js';
import {
  API,
  bodyOf,
  capabilities,
  capability,
  costOf,
  COPY,
  creditsHeader,
  creditsLeft,
  DAY_MS,
  expectLottie,
  expectRefusal,
  IMAGES,
  imageRequest,
  match,
  MATCH,
  PRODUCTION,
  PRODUCTIONS,
  search,
  SEARCH,
  somePreset,
  stickerPath,
  TEMPLATE,
  usage,
  WORD,
} from './questions.js';
import { expectRewards, newCustomer } from './customers.js';
import { withKey, type Json } from './service.js';

export const SECTION_1: Checks = {
  '1.1': free(async (service) => {
    expect((await search(service)).length).toBeGreaterThan(0);
  }),
  '1.2': controlled(async ({ control }) => {
    expect(await control.librarySize()).toBeGreaterThan(11_000);
  }),
  '1.3': free(async (service) => {
    for (const asked of [{ text: COPY }, { keywords: [WORD] }, { text: COPY, keywords: [WORD] }]) {
      const { results } = (await match(service, asked)) as { results: Json[] };
      expect(results[0]?.['reasons']).toEqual(expect.arrayContaining([expect.anything()]));
    }
  }),
  '1.4': paid(1, async (service) => {
    expectLottie(await service.get(stickerPath(await somePreset(service))));
  }),
  '1.5': free(async (service) => {
    expect(await capability(service, 'images.generate')).toMatchObject({ status: 'beta' });
  }),
  '1.6': free(async (service) => {
    expect(await usage(service)).toMatchObject({
      effective_credits_remaining: expect.any(Number) as number,
      capabilities: expect.arrayContaining([
        expect.objectContaining({ possible_count: expect.any(Number) as number }),
      ]) as object[],
    });
  }),
  '1.7': free(async (service) => {
    expect(bodyOf(await service.post(PRODUCTIONS, PRODUCTION))).toMatchObject({
      notices: expect.any(Array) as [],
      tips: expect.any(Array) as [],
    });
  }),
  '1.8': described('music', musicWorks.candidates),
  '1.9': described('music', musicWorks.previewDownloadSelect),
  '1.10': described('music', musicWorks.free),
  '1.11': described('music', async (service) => {
    expect(await capability(service, 'music.search')).toMatchObject({ enabled: true });
  }),
  '1.12': described('tasks', tasksWork.imageByTask),
  '1.13': described('tasks', tasksWork.newProvidersDisabled),
  '1.14': planned('video.generate'),
  '1.15': planned('music.match'),
  '1.16': planned('speech.synthesize'),
  '1.17': planned('captions.align'),
  '1.18': planned('fonts.match'),
  '1.19': planned('render.cloud'),
  '1.20': controlled(async (service) => {
    const { control } = service;
    const { account, client } = await newCustomer(service);
    await control.topUp(account, 100);
    expect(await creditsLeft(client)).toBe(1000);
    await control.moveClock(14 * DAY_MS);
    expect(await creditsLeft(client)).toBe(1050);
  }),
  '1.21': controlled(async (service) => {
    const { client } = await newCustomer(service);
    await service.control.moveClock(32 * DAY_MS);
    expect(await creditsLeft(client)).toBe(0);
  }),
  '1.22': controlled(async (service) => {
    const { client } = await newCustomer(service);
    expect(await creditsLeft(client)).toBe(0);
  }),
  '1.23': controlled(async (service) => {
    const { account, client } = await newCustomer(service, { emailVerified: false });
    await service.control.verifyEmail(account);
    expect(await creditsLeft(client)).toBe(0);
  }),
  '1.24': controlled(async (service) => {
    const { client } = await newCustomer(service);
    for (const path of ['me', 'capabilities', 'usage']) await client.get(`${API}/${path}`);
    expect(await creditsLeft(client)).toBe(0);
  }),
  '1.25': controlled(async (service) => {
    const { account } = await newCustomer(service);
    await service.control.topUp(account, 100);
    await service.control.buyTemplate(account, TEMPLATE, 20);
    await expectRewards(service, account, ['50 locked', '10 locked']);
  }),
  '1.26': controlled(async (service) => {
    const inviter = await newCustomer(service);
    const { account } = await newCustomer(service, { invitedBy: inviter.account });
    await service.control.topUp(account, 100);
    await expectRewards(service, inviter.account, ['50 locked']);
  }),
  '1.27': controlled(async (service) => {
    const { account } = await newCustomer(service);
    // 5% of CNY 39 is CNY 1.95: 19.5 credits.
    await service.control.topUp(account, 39);
    await expectRewards(service, account, ['19 locked']);
  }),
  '1.28': controlled(async (service) => {
    const { account } = await newCustomer(service);
    await service.control.topUp(account, 100);
    await expectRewards(service, account, ['50 locked']);
  }),
  '1.29': controlled(async (service) => {
    const { account } = await newCustomer(service);
    await service.control.topUp(account, 100);
    await service.control.moveClock(14 * DAY_MS);
    await expectRewards(service, account, ['50 released']);
  }),
  '1.30': controlled(async (service) => {
    const { account } = await newCustomer(service);
    await service.control.refund(await service.control.topUp(account, 100));
    await expectRewards(service, account, ['50 reversed']);
  }),
  '1.31': controlled(async (service) => {
    const limits = { perRequest: 5, daily: 20, monthly: 30 };
    const key = await service.control.createKey(service.control.account, { limits });
    const { key: told } = bodyOf(await withKey(service, key.secret).get(`${API}/me`)) as { key: Json };
    expect(told['limits']).toEqual({ per_request: 5, daily: 20, monthly: 30 });
  }),
  '1.32': controlled(async (service) => {
    const key = await service.control.createKey(service.control.account, { limits: { perRequest: 5 } });
    const answer = await withKey(service, key.secret).post(IMAGES, imageRequest());
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.status).toBeLessThan(500);
  }),
  '1.33': controlled(async (service) => {
    await service.control.setCredits(0);
    expectRefusal(await service.get(stickerPath(await somePreset(service))), 402, 'insufficient_credits');
  }),
  '1.34': free(async (service) => {
    const anybody = { Authorization: null };
    const answers = await Promise.all([
      ...['me', 'usage', 'capabilities', 'stickers/none', 'nowhere'].map((p) => service.get(`${API}/${p}`)),
      service.get(SEARCH),
      service.post(MATCH, { text: COPY }),
      service.post(MATCH, '{'),
      service.get(`${API}/capabilities`, anybody),
      service.get(`${API}/me`, anybody),
    ]);
    for (const answer of answers) expect(creditsHeader(answer)).toMatch(/^\d+$/);
  }),
  '1.35': free(async (service) => {
    const cost = await costOf(service, async () => {
      for (const path of ['me', 'capabilities', 'usage']) await service.get(`${API}/${path}`);
      await search(service);
      await match(service, { text: COPY });
      await service.post(PRODUCTIONS, PRODUCTION);
    });
    expect(cost).toBe(0);
  }),
  '1.36': paid(1, async (service) => {
    const preset = await somePreset(service);
    expect(await costOf(service, () => service.get(stickerPath(preset)))).toBe(1);
  }),
  '1.37': paid(10, async (service) => {
    expect(await costOf(service, () => service.post(IMAGES, imageRequest()))).toBe(10);
  }),
};

function planned(id: string) {
  return free(async (service) => {
    expect((await capabilities(service)).filter((one) => one['id'] === id)).toEqual([
      expect.objectContaining({ status: 'planned', enabled: false }),
    ]);
  });
}
