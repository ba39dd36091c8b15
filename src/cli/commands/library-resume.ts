// svcd library resume

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { LibraryStatus } from '../../api/library-status.js';
import { printJson, printLines } from '../output.js';

export const libraryResumeCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library resume', 'goes on where it stopped']],
  run: async (input) => {
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, async (client) =>
      expectOk(await client.request('POST', '/svcd/library/resume')),
    );
    const status = answer.json() as LibraryStatus;
    return input.json ? printJson(status) : printLines(describe(status));
  },
};

function describe({ background }: LibraryStatus): string {
  return background
    ? 'The library fills itself in the background again.'
    : 'Nothing is paused; the work in the background is off by "backgroundSync" ("svcd config").';
}
