// svcd owned import: what was paid for, from a file; what is here already stays as it is.

import { importFrom } from '../transfer.js';
import { HOME_OPTION, type Command } from '../command.js';

export const ownedImportCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd owned import owned.ndjson.gz', 'keep it here too; each file is checked by its digest']],
  run: (input) =>
    importFrom({
      flags: { home: input.text('home') },
      json: input.json,
      path: '/svcd/owned/import',
      file: input.word('file'),
    }),
};
