// svcd match

import type { MatchAnswer, MatchResult, Reason } from '../../contract/candidate.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { limitOf, LIMIT_OPTION } from '../list-options.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
import { readCopy } from '../read-copy.js';
import {
  addPrices,
  priceColumn,
  secondsColumn,
  shapeColumn,
  textColumn,
  type Price,
} from '../sticker-columns.js';
import { layOut } from '../table.js';

export const matchCommand: Command = {
  options: {
    ...HOME_OPTION,
    keyword: {
      type: 'string',
      alias: 'k',
      array: true,
      nargs: 1,
      describe: 'A word that must count before the copy; may be repeated.',
    },
    ...LIMIT_OPTION,
  },
  examples: [
    ['svcd match 祝你生日快乐', 'stickers for a line of copy'],
    ['svcd match - -k 雨 -k 伞 < copy.txt', 'words first, then copy from stdin'],
  ],
  run: async (input) => {
    const limit = limitOf(input);
    const body = JSON.stringify({ ...(await readSubmission(input)), limit });
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, (client) =>
      match(client, body),
    );
    if (input.json) return printJson(answer);
    return printLines(...describe(answer, openPaint()));
  },
};

type PricedAnswer = Omit<MatchAnswer, 'results'> & { results: (MatchResult & Price)[] };

async function readSubmission(input: Input): Promise<{ text?: string; keywords?: readonly string[] }> {
  const keywords = input.list('keyword');
  const text = await readCopy(input.words('copy'), keywords.length > 0);
  return {
    ...(text === undefined ? {} : { text }),
    ...(keywords.length === 0 ? {} : { keywords }),
  };
}

async function match(client: Client, body: string): Promise<PricedAnswer> {
  const headers = { 'content-type': 'application/json' };
  const answer = expectOk(await client.request('POST', '/api/v1/stickers/match', { body, headers }));
  const { results, ...rest } = answer.json() as MatchAnswer;
  return { ...rest, results: await addPrices(client, results) };
}

function describe({ extracted_keywords: words, total, results }: PricedAnswer, paint: Paint): string[] {
  const read = `Keywords: ${words.length === 0 ? 'none' : words.map(plain).join(', ')}`;
  if (results.length === 0) return [read, 'Nothing in the library matches.'];
  const head = ['title', 'seconds', 'shape', 'preset', 'price', 'why'].map(paint.faint);
  const rows = results.map((result) => [
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
    result.reasons.map(reasonOf).join(', '),
  ]);
  return [read, '', ...layOut([head, ...rows]), paint.faint(`${results.length} of ${grouped(total)}.`)];
}

function reasonOf({ keyword, field, source }: Reason): string {
  return `${plain(keyword)} (${field}${source === 'synonym' ? ', synonym' : ''})`;
}
