// Handlers of a video's assets as a whole: the plan of what its slots get, and the report of what a run came to.

import { ownerOnly } from '../../auth/declared-only.js';
import { answerAsset } from '../../http/answer-asset.js';
import type { Report } from '../../api/report.js';
import type { Handlers } from '../../http/router.js';
import type { Journal } from '../../purchases/journal.js';
import type { Verbs } from '../open-verbs.js';
import type { Rooms } from '../rooms.js';

export function createVideoHandlers({ reports, journal }: Rooms, { planAssets, music }: Verbs) {
  return {
    planAssets: ({ body, caller }) => {
      const { grant, known, mark } = caller;
      // As with /svcd/spending not by a Key alone, which anybody may make up; the owner needs none.
      const seesBudgets = known ? grant === undefined || grant.only.includes('account') : mark === 'trusted';
      return planAssets(body, { spender: caller.spender('account'), asker: caller.spender(), grant, seesBudgets });
    },
    takeMusic: async ({ c, caller }) => {
      const { track = '', part = '' } = c.req.param();
      const answer = answerAsset(c, await music.take(track, part, caller.spender('other')), undefined);
      // The service may give it other bytes tomorrow.
      answer.headers.set('Cache-Control', 'private, no-cache');
      return answer;
    },
    selectMusic: ({ c, caller }) => music.select(c.req.param('track') ?? '', caller.spender('other')),
    showReport: async ({ caller, query }) => {
      const own = caller.grant?.run;
      // A run's token asks about its own run, whatever that is called.
      if (own === undefined || query.run === undefined || query.run === own) {
        return withDoubts(reports.show(query.run ?? own), journal);
      }
      throw ownerOnly(caller.grant?.fence);
    },
  } satisfies Partial<Handlers>;
}

const MOST_DOUBTS = 1000;

/** The report with what the journal says of its purchases: a kill cuts off lines, and never that. */
async function withDoubts(report: Report, journal: Pick<Journal, 'list'>): Promise<Report> {
  const { run } = report;
  if (run === null) return report;
  const since = Date.parse(report.started_at);
  const open = (['sent', 'unknown'] as const).map((state) => journal.list({ limit: MOST_DOUBTS, since, state }));
  const ids = (await Promise.all(open)).flat().flatMap(({ id, token }) => (token === run ? [id] : []));
  if (ids.length === 0) return report;
  const summary = { ...report.summary, uncertain: Math.max(report.summary.uncertain, ids.length) };
  return { ...report, summary, in_doubt: ids.toSorted((a, b) => a - b) };
}
