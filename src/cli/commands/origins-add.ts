// svcd origins add

import { isSpoofable, parseOrigin } from '../../model/origin.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { note, plain, printJson, printLines } from '../output.js';

const SPOOFABLE = 'Note that without https whoever controls the network can pose as it.';

export const originsAddCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd origins add http://localhost:3000', 'let the pages you develop there use svcd, at once']],
  run: async (input) => {
    const origin = parseOrigin(input.word('origin'));
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('PUT', `/svcd/origins/${encodeURIComponent(origin)}`)),
    );
    if (isSpoofable(origin)) note(SPOOFABLE);
    if (input.json) return printJson(answer.json());
    const what = `Pages of ${plain(origin)} may search and match from now on, and use what is owned.`;
    return printLines(what, 'To spend or to see the account they need the local token, like everybody.');
  },
};
