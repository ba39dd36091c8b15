// svcd origins remove

import { parseOrigin } from '../../model/origin.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';

export const originsRemoveCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd origins remove http://localhost:3000', 'its pages are refused again, at once']],
  run: async (input) => {
    const origin = parseOrigin(input.word('origin'));
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('DELETE', `/svcd/origins/${encodeURIComponent(origin)}`)),
    );
    if (input.json) return printJson(answer.json());
    return printLines(`Pages of ${plain(origin)} may not use svcd any more.`);
  },
};
