// svcd library status

import { systemClock } from '../../platform/clock.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { statusRows } from '../library-view.js';
import type { LibraryStatus } from '../../api/library-status.js';
import { printJson, printLines } from '../output.js';
import { layOut } from '../table.js';

export const libraryStatusCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library status', 'how much of the service is known here, and what goes on']],
  run: async (input) => {
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, async (client) =>
      expectOk(await client.request('GET', '/svcd/library')),
    );
    if (input.json) return printJson(answer.json());
    const status = answer.json() as LibraryStatus;
    return printLines(...layOut(statusRows(status, systemClock.now())));
  },
};
