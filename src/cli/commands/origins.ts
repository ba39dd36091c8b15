// svcd origins: the origins whose web pages may use svcd.

import { isSpoofable, parseOrigin } from '../../model/origin.js';
import { type Bodies, command, type GroupBody } from '../command.js';
import { sanitize } from '../format.js';
import type { Input } from '../input.js';
import { printNote } from '../output.js';
import { requestDaemon } from '../request-command.js';

const NONE =
  'Only svcd\'s own web pages may use it. "svcd origins add http://localhost:3000" allows those of another origin.';
const SPOOFABLE = 'Warning: without https, anyone who controls the network can pretend to be this origin.';

const originsGroup: GroupBody = {
  otherwise: 'list',
  commands: [
    command('list', 'List the origins whose pages may use svcd.', {
      examples: ['svcd origins # the allowed origins'],
      run: requestDaemon('GET /svcd/origins', ({ origins }: { origins: string[] }) =>
        origins.length === 0 ? NONE : origins.map(sanitize),
      ),
    }),
    command('add <origin>', 'Allow the pages of an origin to use svcd, at once.', {
      examples: ['svcd origins add http://localhost:3000 # for pages you develop there'],
      run: async (input) => {
        await allow(input);
        if (isSpoofable(parseOrigin(input.word('origin')))) printNote(SPOOFABLE);
      },
    }),
    command('remove <origin>', 'Refuse the pages of an origin again, at once.', {
      examples: ['svcd origins remove http://localhost:3000 # its pages are refused again'],
      run: requestDaemon(
        (input) => `DELETE ${originPath(input)}`,
        (_, input) => `Pages of ${nameOf(input)} may not use svcd any more.`,
      ),
    }),
  ],
};

export const bodies: Bodies = { origins: originsGroup };

const allow = requestDaemon(
  (input) => `PUT ${originPath(input)}`,
  (_, input) => [
    `Pages of ${nameOf(input)} may search, match and use owned stickers from now on.`,
    'To spend or to see the account they need the local token.',
  ],
);

function originPath(input: Input): `/${string}` {
  return `/svcd/origins/${encodeURIComponent(parseOrigin(input.word('origin')))}`;
}

function nameOf(input: Input): string {
  return sanitize(parseOrigin(input.word('origin')));
}
