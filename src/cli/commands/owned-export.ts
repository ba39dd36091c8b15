// svcd owned export: what was paid for, into a file.

import { exportTo } from '../transfer.js';
import { HOME_OPTION, type Command } from '../command.js';

export const ownedExportCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd owned export owned.ndjson.gz', 'everything you paid for, of every remote']],
  run: (input) =>
    exportTo({
      flags: { home: input.text('home') },
      json: input.json,
      path: '/svcd/owned/export',
      file: input.word('file'),
    }),
};
