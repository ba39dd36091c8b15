// svcd token add

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { note, printJson, printLines } from '../output.js';
import { ONLY_OPTION, readCredits, readOnly } from '../token-options.js';

const CREDITS = { type: 'string', requiresArg: true } as const;

export const tokenAddCommand: Command = {
  options: {
    ...HOME_OPTION,
    ...ONLY_OPTION,
    daily: { ...CREDITS, describe: 'Credits it may spend a day.' },
    monthly: { ...CREDITS, describe: 'Credits it may spend a calendar month.' },
    'per-request': { ...CREDITS, describe: 'Credits one request may cost.' },
  },
  examples: [
    ['svcd token add promo --daily 20 --only stickers', 'stickers only, 20 credits a day'],
    ['svcd token add ci --monthly 100 --only stickers,images', 'for another machine user or a job'],
  ],
  run: async (input) => {
    const name = input.word('name');
    const limits = {
      day: readCredits(input, 'daily'),
      month: readCredits(input, 'monthly'),
      request: readCredits(input, 'per-request'),
    };
    const body = JSON.stringify({ name, only: readOnly(input), ...limits });
    const headers = { 'content-type': 'application/json' };
    const needs = { json: input.json, spends: false };
    const made = await withClient({ home: input.text('home') }, needs, async (client) =>
      expectOk(await client.request('POST', '/svcd/tokens', { body, headers })).json(),
    );
    if (input.json) return printJson(made);
    await printLines((made as { token: string }).token);
    note(`This is the token ${name}. It is shown this once: svcd keeps only a digest of it.`);
  },
};
