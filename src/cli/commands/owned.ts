// svcd owned: what was paid for, into a file and from one.

import { type Bodies, command, type GroupBody } from '../command.js';
import { exportTo, importFrom } from '../transfer.js';

const ownedGroup: GroupBody = {
  commands: [
    command('export <file>', 'Write everything you own to a file.', {
      examples: ['svcd owned export owned.ndjson.gz # everything you paid for, of every remote'],
      run: (input) => exportTo('/svcd/owned/export', input),
    }),
    command('import <file>', 'Add the contents of such a file. Each item is checked by its digest.', {
      examples: ['svcd owned import owned.ndjson.gz # items that are owned already stay as they are'],
      run: (input) => importFrom('/svcd/owned/import', input),
    }),
  ],
  examples: [
    'svcd owned export mine.ndjson.gz # for another machine of yours',
    'svcd owned import mine.ndjson.gz # adds what is missing, each item checked by its digest',
  ],
};

export const bodies: Bodies = { owned: ownedGroup };
