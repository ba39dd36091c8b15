// svcd library export: the library into a file that another svcd can import.

import { exportTo } from '../transfer.js';
import { HOME_OPTION, type Command } from '../command.js';

export const libraryExportCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd library export library.ndjson.gz', 'compressed by the name: .gz, .zst, or neither']],
  run: (input) =>
    exportTo({
      flags: { home: input.text('home') },
      json: input.json,
      path: '/svcd/library/export',
      file: input.word('file'),
    }),
};
