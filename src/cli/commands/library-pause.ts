// svcd library pause

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { LibraryStatus } from '../../api/library-status.js';
import { grouped, printJson, printLines } from '../output.js';

export const libraryPauseCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library pause', 'stops the work in the background at once, also after a restart']],
  run: async (input) => {
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, async (client) =>
      expectOk(await client.request('POST', '/svcd/library/pause')),
    );
    const status = answer.json() as LibraryStatus;
    return input.json ? printJson(status) : printLines(describe(status));
  },
};

function describe({ known }: LibraryStatus): string {
  return `Filling the library is paused, at ${grouped(known)} stickers; "svcd library resume" goes on.`;
}
