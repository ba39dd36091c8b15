// svcd synonyms check

import { readFileSync } from 'node:fs';
import { findHome } from '../../config/config.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { userSynonymsPath } from '../../library/user-synonyms.js';
import { readSynonymTable, type SynonymTable } from '../../library/language/synonym-table.js';
import { EXIT_CODE_OF } from '../exit-codes.js';
import { HOME_OPTION, type Command } from '../command.js';
import { counted, plain, printJson, printLines } from '../output.js';

export const synonymsCheckCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd synonyms check', 'which lines of yours svcd understands'],
    ['svcd synonyms check team.txt', 'before you copy it there'],
  ],
  run: async (input) => {
    const path = input.findWord('file') ?? userSynonymsPath(await findHome({ home: input.text('home') }));
    const table = readSynonymTable(readTable(path, input.findWord('file') !== undefined));
    if (table.problems.length > 0) process.exitCode = EXIT_CODE_OF.invalid_argument;
    const { entries, problems } = table;
    return input.json
      ? printJson({ path, entries: entries.length, problems })
      : printLines(...describe(path, table));
  },
};

function describe(path: string, { entries, problems }: SynonymTable): string[] {
  const lines = problems.map(({ line, what }) => `${plain(path)}:${line}: ${plain(what)}`);
  const summary = counted(entries.length, 'sound line');
  return [...lines, problems.length === 0 ? summary : `${summary}, ${problems.length} passed over`];
}

function readTable(path: string, isNamed: boolean): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    // Nobody has to have synonyms of their own.
    if (systemCode(cause) === 'ENOENT' && !isNamed) return '';
    throw new SvcdError('invalid_argument', `Cannot read ${path}: ${(cause as Error).message}`, { cause });
  }
}
