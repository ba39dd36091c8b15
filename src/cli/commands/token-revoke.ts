// svcd token revoke

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';

export const tokenRevokeCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd token revoke promo', 'end it at once']],
  run: async (input) => {
    const name = input.word('name');
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('DELETE', `/svcd/tokens/${encodeURIComponent(name)}`)).json(),
    );
    return input.json ? printJson(answer) : printLines(`The token ${name} is worth nothing any more.`);
  },
};
