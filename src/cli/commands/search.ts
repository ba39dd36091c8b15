// svcd search

import type { Candidate, SearchAnswer } from '../../wire/candidate.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../wire/limits.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../paint.js';
import {
  addPrices,
  priceColumn,
  secondsColumn,
  shapeColumn,
  textColumn,
  type Price,
} from '../sticker-columns.js';
import { layOut } from '../table.js';

export const searchCommand: Command = {
  options: {
    ...HOME_OPTION,
    limit: {
      type: 'string',
      requiresArg: true,
      describe: `How many to list, 1 to ${LIMIT_MAX} [${LIMIT_DEFAULT}].`,
    },
  },
  examples: [
    ['svcd search 生日', 'stickers for birthdays'],
    ['svcd search 红色 爱心 --limit 30 --json', 'for a script'],
  ],
  run: async (input) => {
    const limit = input.whole('limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT;
    const words = input.words('query').join(' ');
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, (client) =>
      search(client, words, limit),
    );
    if (input.json) return printJson(answer);
    return printLines(...describe(answer, openPaint()));
  },
};

type PricedAnswer = Omit<SearchAnswer, 'results'> & { results: (Candidate & Price)[] };

async function search(client: Client, words: string, limit: number): Promise<PricedAnswer> {
  const query = new URLSearchParams({ q: words, limit: String(limit) });
  const answer = expectOk(await client.request('GET', `/api/v1/stickers/search?${query.toString()}`));
  const { results, ...rest } = answer.json() as SearchAnswer;
  return { ...rest, results: await addPrices(client, results) };
}

function describe({ query, total, results }: PricedAnswer, paint: Paint): string[] {
  if (results.length === 0) return [`Nothing found for ${plain(query)}.`];
  const head = ['', 'title', 'seconds', 'shape', 'preset', 'price'].map(paint.faint);
  const rows = results.map((result) => [
    paint.swatch(result.primary_color),
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
  ]);
  const count = `${results.length} of ${grouped(total)}. "svcd get PRESET" fetches one.`;
  return [...layOut([head, ...rows]), paint.faint(count)];
}
