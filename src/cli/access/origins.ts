// svcd config origins: the origins whose web pages may use svcd.

import { isSpoofable, parseOrigin } from '../../model/web-origin.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { sanitize } from '../terminal/format.js';
import type { Input } from '../terminal/input.js';
import { printNote } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { originsWords } from './origins-words.js';

const words = originsWords();

const originsGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', words.list, {
      examples: [`svcd config origins # ${words.listExample}`],
      run: requestDaemon('GET /svcd/origins', ({ origins }: { origins: string[] }) =>
        origins.length === 0 ? words.none : origins.map(sanitize),
      ),
    }),
    command('add <origin>', words.add, {
      examples: [`svcd config origins add http://localhost:3000 # ${words.addExample}`],
      run: async (input) => {
        await allow(input);
        if (isSpoofable(parseOrigin(input.word('origin')))) printNote(words.spoofable);
      },
    }),
    command('remove <origin>', words.remove, {
      examples: [`svcd config origins remove http://localhost:3000 # ${words.removeExample}`],
      run: requestDaemon(
        (input) => `DELETE ${originPath(input)}`,
        (_, input) => words.removed(nameOf(input)),
      ),
    }),
  ],
};

export const bodies: Bodies = { origins: originsGroup };

const allow = requestDaemon(
  (input) => `PUT ${originPath(input)}`,
  (_, input) => [words.added(nameOf(input)), words.needToken],
);

function originPath(input: Input): `/${string}` {
  return `/svcd/origins/${encodeURIComponent(parseOrigin(input.word('origin')))}`;
}

function nameOf(input: Input): string {
  return sanitize(parseOrigin(input.word('origin')));
}
