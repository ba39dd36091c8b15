// svcd search

import { SvcdError } from '../../model/errors.js';
import type { Candidate, SearchAnswer } from '../../contract/candidate.js';
import type { FindAnswer } from '../../api/find-answer.js';
import { DISTANCE_DEFAULT } from '../../api/find-request.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import type { Input } from '../input.js';
import { limitOf, LIMIT_OPTION, OFFSET_OPTION } from '../list-options.js';
import { grouped, plain, printJson, printLines } from '../output.js';
import { openPaint, type Paint } from '../colors.js';
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
    ...LIMIT_OPTION,
    ...OFFSET_OPTION,
    owned: { type: 'boolean', describe: 'Only what you own; --owned=false only what you do not.' },
    color: { type: 'string', requiresArg: true, describe: "Only stickers of about this color: '#ff8800'." },
    distance: {
      type: 'string',
      requiresArg: true,
      describe: `How far from --color, 2 being just visible [${DISTANCE_DEFAULT}].`,
    },
    aspect: {
      type: 'string',
      requiresArg: true,
      describe: 'Only this shape: square, wide, tall, 16:9, or a range such as 0.8..1.25.',
    },
    'min-duration': {
      type: 'string',
      requiresArg: true,
      describe: 'Only stickers of at least these seconds.',
    },
    'max-duration': {
      type: 'string',
      requiresArg: true,
      describe: 'Only stickers of at most these seconds.',
    },
  },
  examples: [
    ['svcd search 生日', 'stickers for birthdays'],
    ["svcd search 爱心 --color '#ff0000' --max-duration 2", 'red hearts, two seconds at most'],
    ['svcd search --owned --limit 50 --json', 'what you own, for a script'],
  ],
  run: async (input) => {
    const path = pathOf(input);
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: false }, (client) =>
      search(client, path),
    );
    if (input.json) return printJson(answer);
    return printLines(...describe(answer, openPaint()));
  },
};

type PricedAnswer = Omit<SearchAnswer, 'results' | 'query'> &
  Partial<Pick<FindAnswer, 'offset' | 'next'>> & {
    dropped?: readonly string[] | undefined;
    suggestions?: readonly string[] | undefined;
    query: string | null;
    results: (Candidate & Price)[];
  };

// Options that only svcd's own search understands, as its parameters.
const FILTERS = ['offset', 'color', 'distance', 'aspect', 'min-duration', 'max-duration'] as const;

/** The documented search, unless something is asked that it does not know. */
function pathOf(input: Input): string {
  const query = new URLSearchParams();
  const words = input.words('query').join(' ');
  if (words !== '') query.set('q', words);
  query.set('limit', String(limitOf(input)));
  const plainSize = query.size;
  for (const name of FILTERS) {
    const value = input.text(name);
    if (value !== undefined) query.set(name.replace('-', '_'), value);
  }
  const owned = input.flag('owned');
  if (owned !== undefined) query.set('owned', String(owned));
  const isPlain = query.size === plainSize;
  if (words === '' && isPlain) {
    throw new SvcdError('invalid_argument', 'QUERY is missing: svcd search <query..>', {
      hint: 'With a filter, such as --owned, it may be left out. See "svcd search --help".',
    });
  }
  return `${isPlain ? '/api/v1/stickers/search' : '/svcd/search'}?${query.toString()}`;
}

async function search(client: Client, path: string): Promise<PricedAnswer> {
  const answer = expectOk(await client.request('GET', path));
  const { results, ...rest } = answer.json() as SearchAnswer & Partial<FindAnswer>;
  const note = noteIn(answer.header('X-Svcd-Search') ?? '');
  return { ...note, ...rest, results: await addPrices(client, results) };
}

// What the documented search has no place for in its body, it says in a header.
function noteIn(header: string): Pick<PricedAnswer, 'dropped' | 'suggestions'> {
  const list = (name: string) => {
    const part = header.split('; ').find((one) => one.startsWith(`${name}=`));
    return part
      ?.slice(name.length + 1)
      .split(',')
      .map(decodeURIComponent);
  };
  return { dropped: list('dropped'), suggestions: list('suggested') };
}

function describe(answer: PricedAnswer, paint: Paint): string[] {
  const { total, results, offset = 0, next } = answer;
  if (results.length === 0) return nothing(answer);
  const head = ['', 'title', 'seconds', 'shape', 'preset', 'price'].map(paint.faint);
  const rows = results.map((result) => [
    paint.swatch(result.primary_color),
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
  ]);
  const from = offset === 0 ? '' : `from ${grouped(offset + 1)}, `;
  const more = next === undefined || next === null ? '' : ` --offset ${next} shows the next page.`;
  const count = `${from}${results.length} of ${grouped(total)}. "svcd get PRESET" fetches one.${more}`;
  return [...leftOut(answer), ...layOut([head, ...rows]), paint.faint(count)];
}

function nothing({ query, total, suggestions = [] }: PricedAnswer): string[] {
  if (total > 0) return [`There are only ${grouped(total)}.`];
  const found = query === null ? 'Nothing passes these filters.' : `Nothing found for ${plain(query)}.`;
  return suggestions.length === 0 ? [found] : [`${found} Did you mean ${suggestions.map(plain).join(', ')}?`];
}

function leftOut({ dropped = [] }: PricedAnswer): string[] {
  return dropped.length === 0 ? [] : [`Nothing has every word; left out: ${dropped.map(plain).join(', ')}.`];
}
