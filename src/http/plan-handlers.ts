// The handler of plans: who asks decides what is told of the money.

import type { PlanAssets } from '../actions/plan-assets.js';
import type { Handlers } from './router.js';

export interface PlanHandlerParts {
  readonly planAssets: PlanAssets;
}

export function createPlanHandlers({ planAssets }: PlanHandlerParts) {
  return {
    planAssets: ({ body, caller }) => {
      const { grant, known } = caller;
      const spender = caller.spender('account');
      // The owner sees the budgets without a Key, too.
      const maySee = spender.kind === 'key' || (known && (grant === undefined || grant.only.includes('account')));
      return planAssets(body, { spender, maySee, asker: caller.spender(), grant });
    },
  } satisfies Partial<Handlers>;
}
