// The handler of plans: who asks decides what is told of the money.

import type { PlanAssets } from '../../video/choose/plan-assets.js';
import type { Handlers } from '../../http/router.js';

export interface PlanHandlerParts {
  readonly planAssets: PlanAssets;
}

export function createPlanHandlers({ planAssets }: PlanHandlerParts) {
  return {
    planAssets: ({ body, caller }) => {
      const { grant, known, mark } = caller;
      // As with /svcd/spending not by a Key alone, which anybody may make up; the owner needs none.
      const seesBudgets = known ? grant === undefined || grant.only.includes('account') : mark === 'trusted';
      return planAssets(body, { spender: caller.spender('account'), asker: caller.spender(), grant, seesBudgets });
    },
  } satisfies Partial<Handlers>;
}
