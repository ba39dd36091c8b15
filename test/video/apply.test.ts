// What a person is shown before svcd apply buys.

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { applyAssets, type ApplyRequest, type Proposal } from '../../src/video/apply/apply.js';
import type { Asker } from '../../src/video/apply/asker.js';

const IMAGE = { id: 'cover', prompt: '一只猫', size: '1024x1024' } as const;
const PLAN = {
  slots: [{ id: 'cover', image: { size: '1024x1024', digest: '0'.repeat(64) }, price: 10, cost: 10, have: 'no' }],
  cost: 10,
  remote: 'https://api.example.com',
  warnings: [],
  fits: true,
};

it('refuses a plan that was made with another service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-apply-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asker = {
    ask: async (_: string, path: string) => (path === '/svcd/plan' ? PLAN : { remote: {} }),
  } as unknown as Asker;
  const request = {
    named: { copy: { slots: [IMAGE] }, name: 'copy.json' },
    out: join(folder, 'out'),
    home: join(folder, 'home'),
    plan: { file: 'plan.json', plan: { ...PLAN, remote: 'sandbox' } },
    update: [],
    agree: () => Promise.reject(new Error('it was asked')),
  } as unknown as ApplyRequest;
  await expect(applyAssets(request, (work) => work(asker))).rejects.toMatchObject({
    code: 'plan_stale',
    message: 'plan.json was made with the service sandbox, and now it is https://api.example.com; nothing was bought',
  });
});

it('warns of what the template does not declare, as svcd plan does', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-apply-'));
  const shown: Proposal[] = [];
  const asker = {
    ask: async (_: string, path: string) => (path === '/svcd/plan' ? PLAN : { remote: {} }),
  } as unknown as Asker;
  const request: ApplyRequest = {
    named: { copy: { slots: [IMAGE] }, name: 'copy.json' },
    template: { template: 'card@1.0.0', packageSha256: undefined, capabilities: ['stickers.file'] },
    out: join(folder, 'out'),
    home: join(folder, 'home'),
    plan: undefined,
    maxCredits: undefined,
    strict: false,
    update: [],
    replaceDefaults: false,
    refresh: false,
    select: false,
    form: undefined,
    agree: async (proposal) => {
      shown.push(proposal);
      throw new Error('nobody agrees');
    },
  };
  await expect(applyAssets(request, (work) => work(asker))).rejects.toThrow('nobody agrees');
  expect(shown[0]).toMatchObject({
    cost: 10,
    warnings: [{ code: 'not_declared', slot: 'cover', words: 'card@1.0.0 does not declare images.generate' }],
  });
  rmSync(folder, { recursive: true });
});
