// svcd library synonyms: the file with the user's own, and which lines of it cannot be used.

import { readFileSync } from 'node:fs';
import { readSynonymTable, type SynonymTable } from '../../library/language/synonym-table.js';
import { userSynonymsPath } from '../../library/user-synonyms.js';
import { systemCode } from '../../model/errors.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { EXIT_CODE_OF } from '../terminal/exit-codes.js';
import { formatCount, sanitize } from '../terminal/format.js';
import { invalidArgument } from '../terminal/invalid-argument.js';
import { printAnswer } from '../terminal/output.js';
import { libraryWords } from './words.js';

const words = libraryWords().synonyms;

const synonymsGroup: GroupBody = {
  otherwise: 'check',
  commands: [
    command('check [file]', words.check, {
      run: async (input) => {
        const named = input.findWord('file');
        const path = named ?? userSynonymsPath(await input.home());
        const { entries, problems } = readSynonymTable(readText(path, named !== undefined));
        if (problems.length > 0) process.exitCode = EXIT_CODE_OF.invalid_argument;
        return printAnswer(input, { path, entries: entries.length, problems }, (answer) =>
          describe(path, answer.entries, problems),
        );
      },
    }),
    command('path', words.path, {
      run: async (input) => printAnswer(input, { path: userSynonymsPath(await input.home()) }, ({ path }) => path),
    }),
  ],
};

export const bodies: Bodies = { synonyms: synonymsGroup };

function describe(path: string, entries: number, problems: SynonymTable['problems']): string[] {
  const lines = problems.map(({ line, what }) => `${sanitize(path)}:${line}: ${sanitize(what)}`);
  const summary = formatCount(entries, 'valid line');
  return [...lines, problems.length === 0 ? summary : words.check.skipped(summary, problems.length)];
}

function readText(path: string, isNamed: boolean): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    // The user's own synonyms are optional.
    if (systemCode(cause) === 'ENOENT' && !isNamed) return '';
    throw invalidArgument(words.unreadable(path, (cause as Error).message), undefined, cause);
  }
}
