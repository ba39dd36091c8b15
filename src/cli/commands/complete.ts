// svcd complete

import type { CompleteAnswer } from '../../api/find-answer.js';
import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { limitOf, LIMIT_OPTION } from '../list-options.js';
import { counted, plain, printJson, printLines } from '../output.js';
import { layOut } from '../table.js';

export const completeCommand: Command = {
  options: {
    ...HOME_OPTION,
    ...LIMIT_OPTION,
  },
  examples: [['svcd complete 生', 'words such as 生日']],
  run: async (input) => {
    const limit = limitOf(input);
    const query = new URLSearchParams({ q: input.words('text').join(' '), limit: String(limit) });
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, async (client) =>
      expectOk(await client.request('GET', `/svcd/complete?${query.toString()}`)).json(),
    );
    if (input.json) return printJson(answer);
    return printLines(...describe(answer as CompleteAnswer));
  },
};

function describe({ query, completions }: CompleteAnswer): string[] {
  if (completions.length === 0) return [`No word begins with ${plain(query)}.`];
  return layOut(completions.map(({ word, stickers }) => [plain(word), counted(stickers, 'sticker')]));
}
