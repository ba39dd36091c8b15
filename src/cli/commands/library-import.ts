// svcd library import: the library of another svcd, merged into this one.

import { importFrom } from '../transfer.js';
import { HOME_OPTION, type Command } from '../command.js';

export const libraryImportCommand: Command = {
  options: {
    ...HOME_OPTION,
    'any-remote': { type: 'boolean', describe: 'Import what was exported from another remote too.' },
  },
  examples: [
    ['svcd library import library.ndjson.gz', "merge a colleague's library into yours"],
    ['curl -s … | svcd library import -', 'from standard input'],
  ],
  run: (input) =>
    importFrom({
      flags: { home: input.text('home') },
      json: input.json,
      path: `/svcd/library/import${input.flag('any-remote') === true ? '?any_remote=1' : ''}`,
      file: input.word('file'),
    }),
};
