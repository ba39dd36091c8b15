// apply_plan: what `svcd apply` does, for a plan that was made here: files and a lock in a folder.

import { relative } from 'node:path';
import * as v from 'valibot';
import { refusalIn, SILENT } from '../video/apply/asker.js';
import { askLeft, leftAfter, requireYes } from './consent.js';
import { placeFor } from './folder.js';
import { RULES, terms } from './spending-tools.js';
import { FOREIGN, tool } from './tool.js';

export const applyPlan = tool(
  'apply_plan',
  `Buy what a plan chose and write files and assets.lock.json, by which a template finds them. plan is the digest that plan_stickers gave. ${RULES}`,
  v.strictObject({ plan: v.string(), ...terms }),
  async ({ plan: digest, max_credits: most, folder }, world, call) => {
    const kept = world.plans.get(digest);
    if (kept === undefined) {
      const why = 'this server does not have that plan, or no longer; nothing was bought';
      throw refusalIn([why, 'Make it again: plan_stickers.'], 'plan_stale');
    }
    const out = placeFor(folder, world);
    // It loads SQLite, which holds the folder.
    const { applyAssets } = await import('../video/apply/apply.js');
    const request = {
      named: { copy: { slots: kept.slots }, name: 'the plan' },
      template: undefined,
      out,
      home: world.home,
      plan: { file: 'the plan', plan: kept.plan },
      maxCredits: most,
      strict: false,
      refresh: false,
      select: false,
      update: [],
      replaceDefaults: false,
      form: undefined,
      agree: async ({ cost, planned }: { cost: number; planned: typeof kept.plan.slots }) => {
        const things = planned
          .filter((one) => one.cost > 0)
          .map((one) => {
            if (!('image' in one)) return one.title ?? one.id;
            const prompt = kept.slots.find(({ id }) => id === one.id)?.prompt ?? '';
            return `${one.image.size}: ${prompt}`;
          });
        requireYes({ cost, most, things, left: cost > 0 ? await askLeft(world.asker) : null }, world, call);
      },
    };
    const { lock, cost, defaults, slots } = await applyAssets(request, (work) => work(world.asker), SILENT);
    const shown = slots.map((one) => ({
      id: one.id,
      ...(one.kind === 'sticker' && { preset: one.preset }),
      ...('reason' in one && { reason: one.reason }),
      source: one.source,
      file: one.file,
      kept: one.kept,
    }));
    const told = { ...FOREIGN, folder: out, lock: relative(world.workingFolder, lock), cost, defaults };
    return { ...told, ...(await leftAfter(world)), slots: shown };
  },
  'spend',
);
