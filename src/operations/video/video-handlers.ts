// Handlers of a video's assets as a whole: the plan of what its slots get, and the report of what a run came to.

import { ownerOnly } from '../../auth/declared-only.js';
import type { Handlers } from '../../http/router.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';

export function createVideoHandlers({ reports }: Rooms, { planAssets }: Verbs) {
  return {
    planAssets: ({ body, caller }) => {
      const { grant, known, mark } = caller;
      // As with /svcd/spending not by a Key alone, which anybody may make up; the owner needs none.
      const seesBudgets = known ? grant === undefined || grant.only.includes('account') : mark === 'trusted';
      return planAssets(body, { spender: caller.spender('account'), asker: caller.spender(), grant, seesBudgets });
    },
    showReport: ({ caller, query }) => {
      const own = caller.grant?.run;
      // A run's token asks about its own run, whatever that is called.
      if (own === undefined || query.run === undefined || query.run === own) return reports.show(query.run ?? own);
      throw ownerOnly(caller.grant?.fence);
    },
  } satisfies Partial<Handlers>;
}
