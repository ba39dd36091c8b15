// svcd run: the command gets the address and a token of its own, and never sees the Key.

import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { launchDaemon } from '../detach.js';
import { leaseToken, type LeasedToken } from '../lease-token.js';
import { note } from '../output.js';
import { endLike, runChild } from '../run-child.js';
import { findRunningDaemon, getRunningDaemon, type RunningDaemon } from '../running-daemon.js';
import { templateVariables } from '../template-variables.js';
import { ONLY_OPTION, readCredits, readOnly } from '../token-options.js';

export const runCommand: Command = {
  options: {
    ...HOME_OPTION,
    ...ONLY_OPTION,
    budget: { type: 'string', requiresArg: true, describe: 'Credits it may spend in all.' },
  },
  examples: [
    ['svcd run -- node render.js', 'starts svcd in the background if it does not run'],
    ['svcd run --budget 5 --only stickers -- npm run render', 'at most 5 credits, and no images'],
  ],
  run: async (input) => {
    const wish = { only: readOnly(input), total: readCredits(input, 'budget') };
    const daemon = await findOrStart(await findHome({ home: input.text('home') }));
    const lease = await leaseToken(daemon, wish);
    const watching = watch(lease);
    try {
      endLike(await runChild(input.words('command'), templateVariables(daemon.url, lease.token)));
    } finally {
      watching.stop();
      lease.release();
    }
  },
};

/** Left running afterwards: the next command will want it, and what was bought may still be on its way. */
async function findOrStart(home: string): Promise<RunningDaemon> {
  const running = await findRunningDaemon(home);
  if (running !== undefined) return running;
  const { url } = await launchDaemon({ home });
  note(`svcd runs in the background at ${url} now; "svcd stop" stops it.`);
  return getRunningDaemon(home);
}

/** Says so when svcd goes away first, because the command will only see refusals. */
function watch({ lost }: LeasedToken): { stop: () => void } {
  let over = false;
  const tell = async () => {
    await lost;
    if (!over) note('svcd went away: it serves this command no more, and its token is worth nothing.');
  };
  void tell();
  return { stop: () => (over = true) };
}
