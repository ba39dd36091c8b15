// Section 3 of the document: states and transitions.

import { expect } from 'vitest';
import { controlled, described, free, sameAs, type Checks, type Controlled } from './checks.js';
import { expectRewards, newCustomer } from './customers.js';
import { tasksWork } from './described-only.js';
import {
  API,
  capabilities,
  capability,
  creditsLeft,
  DAY_MS,
  expectRefusal,
  somePreset,
  stickerPath,
  TEMPLATE,
} from './questions.js';
import { SECTION_2 } from './section-2.js';
import { withKey } from './service.js';

const FORTNIGHT_MS = 14 * DAY_MS;

export const SECTION_3: Checks = {
  '3.1': controlled(async (service) => {
    const { account } = await newCustomer(service);
    await expectRewards(service, account, []);
    await service.control.topUp(account, 100);
    await expectRewards(service, account, ['50 locked']);
    await service.control.buyTemplate(account, TEMPLATE, 40);
    await expectRewards(service, account, ['50 locked', '20 locked']);
  }),
  '3.2': controlled(async (service) => {
    const { account, client } = await newCustomer(service);
    await service.control.topUp(account, 100);
    await expectRewards(service, account, ['50 locked']);
    expect(await creditsLeft(client)).toBe(1000);
  }),
  '3.3': controlled(async (service) => {
    await expectLocked(service, async () => service.control.moveClock(FORTNIGHT_MS - 1));
    await expectLocked(service, async ({ payment }) => {
      await service.control.reportAnomaly(payment);
      await service.control.moveClock(FORTNIGHT_MS);
    });
    await expectLocked(service, async ({ payment }) => {
      await service.control.setProviderVerified(payment, false);
      await service.control.moveClock(FORTNIGHT_MS);
    });
    const { account } = await newCustomer(service, { emailVerified: false });
    await service.control.topUp(account, 100);
    await service.control.moveClock(FORTNIGHT_MS);
    await expectRewards(service, account, ['50 locked']);
    await service.control.verifyEmail(account);
    await expectRewards(service, account, ['50 released']);
  }),
  '3.4': controlled(async (service) => {
    const { account, client } = await newCustomer(service);
    await service.control.topUp(account, 2);
    await service.control.moveClock(FORTNIGHT_MS);
    expect(await creditsLeft(client)).toBe(21);
    expect((await client.get(stickerPath(await somePreset(client)))).status).toBe(200);
    expect(await creditsLeft(client)).toBe(20);
  }),
  '3.5': controlled(async (service) => {
    const { account } = await newCustomer(service);
    const payment = await service.control.topUp(account, 100);
    await service.control.refund(payment);
    await service.control.moveClock(FORTNIGHT_MS);
    await expectRewards(service, account, ['50 reversed']);
  }),
  '3.6': controlled(async (service) => {
    const { account, client } = await newCustomer(service);
    const payment = await service.control.topUp(account, 100);
    await service.control.moveClock(FORTNIGHT_MS);
    await expectRewards(service, account, ['50 released']);
    await service.control.refund(payment);
    await expectRewards(service, account, ['50 reversed']);
    expect(await creditsLeft(client)).toBe(0);
  }),
  '3.7': controlled(async (service) => {
    const key = await service.control.createKey(service.control.account);
    const client = withKey(service, key.secret);
    expect((await client.get(`${API}/me`)).status).toBe(200);
    await service.control.setKeyState(key, 'disabled');
    for (const path of ['me', 'usage', 'stickers/search?q=x', 'stickers/x']) {
      expectRefusal(await client.get(`${API}/${path}`), 403, 'key_disabled');
    }
  }),
  '3.8': sameAs(SECTION_2, '2.3'),
  '3.9': controlled(async (service) => {
    const { control } = service;
    const [fromActive, fromDisabled] = [
      await control.createKey(control.account),
      await control.createKey(control.account),
    ];
    await control.setKeyState(fromDisabled, 'disabled');
    for (const key of [fromActive, fromDisabled]) {
      await control.setKeyState(key, 'revoked');
      expect((await withKey(service, key.secret).get(`${API}/me`)).status).toBe(401);
    }
  }),
  '3.10': controlled(async (service) => {
    const key = await service.control.createKey(service.control.account);
    await service.control.setKeyState(key, 'revoked');
    expectRefusal(await withKey(service, key.secret).get(`${API}/me`), 401, 'invalid_key');
  }),
  '3.11': controlled(async (service) => {
    const { control } = service;
    const first = await control.downloadTemplate(control.account, TEMPLATE);
    const second = await control.downloadTemplate(control.account, TEMPLATE);
    expect(JSON.parse(second.files['service.key.json'] ?? '')).toMatchObject({ key: second.key.secret });
    expect(second.files['service.key.json']).not.toBe(first.files['service.key.json']);
  }),
  '3.12': free(async (service) => {
    for (const one of await capabilities(service)) {
      expect(one).toMatchObject({
        status: expect.stringMatching(/^(available|beta|planned)$/) as string,
        enabled: expect.any(Boolean) as boolean,
      });
    }
  }),
  '3.13': controlled(async (service) => {
    await service.control.switchCapability('images.generate', false);
    expect(await capability(service, 'images.generate')).toMatchObject({ status: 'beta', enabled: false });
    await service.control.switchCapability('images.generate', true);
    expect(await capability(service, 'images.generate')).toMatchObject({ status: 'beta', enabled: true });
  }),
  '3.14': described('tasks', tasksWork.lifecycle),
};

/** Expects a reward to stay locked after `happens`. */
async function expectLocked(
  service: Controlled,
  happens: (paid: { account: string; payment: string }) => Promise<void>,
): Promise<void> {
  const { account } = await newCustomer(service);
  const payment = await service.control.topUp(account, 100);
  await happens({ account, payment });
  await expectRewards(service, account, ['50 locked']);
}
