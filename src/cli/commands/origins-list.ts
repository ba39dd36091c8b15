// svcd origins list

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';

const NONE =
  'No web pages but svcd\'s own may use it. "svcd origins add http://localhost:3000" lets those of one origin in.';

export const originsListCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd origins', 'whose web pages may use svcd']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('GET', '/svcd/origins')),
    );
    if (input.json) return printJson(answer.json());
    const { origins } = answer.json() as { origins: string[] };
    return printLines(...(origins.length === 0 ? [NONE] : origins.map(plain)));
  },
};
