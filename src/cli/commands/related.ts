// svcd related

import type { RelatedAnswer } from '../../api/find-answer.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { limitOf, LIMIT_OPTION, OFFSET_OPTION } from '../list-options.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
import { addPrices, priceColumn, textColumn, type Price } from '../sticker-columns.js';
import { layOut } from '../table.js';

export const relatedCommand: Command = {
  options: {
    ...HOME_OPTION,
    ...LIMIT_OPTION,
    ...OFFSET_OPTION,
  },
  examples: [
    ['svcd related fluent-emoji-flat/birthday-cake', 'the cake in other styles, then other birthdays'],
  ],
  run: async (input) => {
    const limit = limitOf(input);
    const query = new URLSearchParams({ limit: String(limit), offset: input.text('offset') ?? '0' });
    const path = `/svcd/related/${encodeURIComponent(input.word('preset'))}?${query.toString()}`;
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, (client) =>
      listRelated(client, path),
    );
    if (input.json) return printJson(answer);
    return printLines(...describe(answer, openPaint()));
  },
};

type PricedAnswer = Omit<RelatedAnswer, 'results'> & {
  results: (RelatedAnswer['results'][number] & Price)[];
};

async function listRelated(client: Client, path: string): Promise<PricedAnswer> {
  const { results, ...rest } = expectOk(await client.request('GET', path)).json() as RelatedAnswer;
  return { ...rest, results: await addPrices(client, results) };
}

function describe({ preset, total, results, next }: PricedAnswer, paint: Paint): string[] {
  if (total === 0) return [`Nothing is related to ${plain(preset)}.`];
  const head = ['title', 'preset', 'price', 'why'].map(paint.faint);
  const rows = results.map((result) => [
    textColumn(result.title),
    textColumn(result.preset),
    priceColumn(result),
    result.same_concept ? 'another style' : result.shared.map(plain).join(', '),
  ]);
  const more = next === null ? '' : ` --offset ${next} shows the next page.`;
  return [...layOut([head, ...rows]), paint.faint(`${results.length} of ${grouped(total)}.${more}`)];
}
