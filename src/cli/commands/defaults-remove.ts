// svcd defaults remove

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { defaultPath, presetName } from '../default-view.js';
import { plain, printJson, printLines } from '../output.js';

export const defaultsRemoveCommand: Command = {
  options: HOME_OPTION,
  examples: [["svcd defaults remove '*'", 'back to what is owned or shipped']],
  run: async (input) => {
    const needs = { json: input.json, spends: false };
    const answer = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('DELETE', defaultPath(input))),
    );
    if (input.json) return printJson(answer.json());
    return printLines(`Nothing is registered for ${plain(presetName(input.word('preset')))} any more.`);
  },
};
