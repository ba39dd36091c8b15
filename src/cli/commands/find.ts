// svcd search, match, related and complete: finding stickers and words. All of it is free.

import type { CompleteAnswer, FindAnswer, RelatedAnswer } from '../../api/find-answer.js';
import { DISTANCE_DEFAULT } from '../../api/find-request.js';
import type { MatchAnswer, Reason, SearchAnswer } from '../../contract/candidate.js';
import { type Client, withClient } from '../client.js';
import { type Bodies, type CommandBody, switchOption, textOption } from '../command.js';
import { formatCount, formatNumber, formatTable, formatTableWithHead, openPaint, sanitize } from '../format.js';
import type { Input } from '../input.js';
import { invalidArgument } from '../invalid-argument.js';
import { LIMIT_OPTION, limitOf, OFFSET_OPTION } from '../options.js';
import { printAnswer } from '../output.js';
import { requestDaemon } from '../request-command.js';
import { expectOk } from '../running-daemon.js';
import {
  addPrices,
  countOf,
  nextPage,
  priceColumn,
  type Priced,
  secondsColumn,
  shapeColumn,
  textColumn,
} from '../sticker-columns.js';
import { readStdin } from '../terminal-input.js';

const searchCommand: CommandBody = {
  options: {
    ...LIMIT_OPTION,
    ...OFFSET_OPTION,
    owned: switchOption('Only owned stickers; --owned=false only the others.'),
    shipped: switchOption("Also svcd's own stickers, behind what suits as well; --shipped=false none of them."),
    color: textOption("Only stickers of about this color: '#ff8800'."),
    distance: textOption(`Greatest distance from --color; 2 is just visible [${DISTANCE_DEFAULT}].`),
    aspect: textOption('Only this shape: square, wide, tall, 16:9, or a range such as 0.8..1.25.'),
    'min-duration': textOption('Only stickers of at least these seconds.'),
    'max-duration': textOption('Only stickers of at most these seconds.'),
  },
  examples: [
    'svcd search 生日 # stickers for birthdays',
    "svcd search 爱心 --color '#ff0000' --max-duration 2 # red hearts, two seconds at most",
    'svcd search --owned --limit 50 --json # owned stickers, for a script',
  ],
  run: async (input) => {
    const path = searchPath(input);
    return printAnswer(input, await withClient(input, (client) => findStickers(client, path)), describeSearch);
  },
};

const matchCommand: CommandBody = {
  options: {
    keyword: {
      type: 'string',
      alias: 'k',
      array: true,
      nargs: 1,
      describe: 'A word that counts more than the copy; may be repeated.',
    },
    ...LIMIT_OPTION,
  },
  examples: [
    'svcd match 祝你生日快乐 # stickers for a line of copy',
    'svcd match - -k 雨 -k 伞 < copy.txt # two keywords, then copy from stdin',
  ],
  run: async (input) => {
    const limit = limitOf(input);
    const keywords = input.list('keyword');
    const text = await readCopy(input.words('copy'), keywords.length > 0);
    const body = { text, ...(keywords.length > 0 && { keywords }), limit };
    const answer = await withClient(input, async (client) =>
      addPrices(client, await client.ask<MatchAnswer>('POST', '/api/v1/stickers/match', body)),
    );
    return printAnswer(input, answer, describeMatch);
  },
};

const relatedCommand: CommandBody = {
  options: { ...LIMIT_OPTION, ...OFFSET_OPTION },
  examples: ['svcd related fluent-emoji-flat/birthday-cake # the cake in other styles, then other birthdays'],
  run: async (input) => {
    const query = new URLSearchParams({
      limit: String(limitOf(input)),
      offset: input.text('offset') ?? '0',
    });
    const path = `/svcd/related/${encodeURIComponent(input.word('preset'))}?${query.toString()}`;
    const answer = await withClient(input, async (client) =>
      addPrices(client, await client.ask<RelatedAnswer>('GET', path)),
    );
    return printAnswer(input, answer, describeRelated);
  },
};

const completeCommand: CommandBody = {
  options: LIMIT_OPTION,
  examples: ['svcd complete 生 # words such as 生日'],
  run: requestDaemon(
    'GET /svcd/complete',
    ({ query, completions }: CompleteAnswer) =>
      completions.length === 0
        ? `No word begins with ${sanitize(query)}.`
        : formatTable(completions.map(({ word, stickers }) => [sanitize(word), formatCount(stickers, 'sticker')])),
    { query: (input) => ({ q: input.words('text').join(' '), limit: limitOf(input) }) },
  ),
};

export const bodies: Bodies = {
  search: searchCommand,
  match: matchCommand,
  related: relatedCommand,
  complete: completeCommand,
};

/** An answer of either search; each has fields that the other lacks. */
type FoundAnswer = Omit<SearchAnswer, 'query'> &
  Partial<Pick<FindAnswer, 'offset' | 'next'>> & {
    query: string | null;
    dropped?: readonly string[] | undefined;
    suggestions?: readonly string[] | undefined;
  };

// Options that only svcd's own search has, as its parameters.
const FILTERS = ['offset', 'color', 'distance', 'aspect', 'min-duration', 'max-duration'] as const;

/** The documented search, or svcd's own where a filter is given. */
function searchPath(input: Input): string {
  const query = new URLSearchParams();
  const words = input.words('query').join(' ');
  if (words !== '') query.set('q', words);
  query.set('limit', String(limitOf(input)));
  const sizeWithoutFilters = query.size;
  for (const name of FILTERS) {
    const value = input.text(name);
    if (value !== undefined) query.set(name.replace('-', '_'), value);
  }
  for (const name of ['owned', 'shipped'] as const) {
    const value = input.flag(name);
    if (value !== undefined) query.set(name, String(value));
  }
  const isDocumented = query.size === sizeWithoutFilters;
  if (words === '' && isDocumented) {
    throw invalidArgument(
      'QUERY is missing: svcd search <query..>',
      'With a filter, such as --owned, it may be left out. See "svcd search --help".',
    );
  }
  return `${isDocumented ? '/api/v1/stickers/search' : '/svcd/search'}?${query.toString()}`;
}

async function findStickers(client: Client, path: string): Promise<Priced<FoundAnswer>> {
  const answer = expectOk(await client.request('GET', path));
  // What the documented search has no field for is in a header.
  const note = parseSearchNote(answer.header('X-Svcd-Search') ?? '');
  return addPrices(client, { ...note, ...(answer.json() as FoundAnswer) });
}

function parseSearchNote(header: string): Pick<FoundAnswer, 'dropped' | 'suggestions'> {
  const list = (name: string) => {
    const part = header.split('; ').find((one) => one.startsWith(`${name}=`));
    return part
      ?.slice(name.length + 1)
      .split(',')
      .map(decodeURIComponent);
  };
  return { dropped: list('dropped'), suggestions: list('suggested') };
}

function describeSearch({ query, total, offset = 0, next, ...answer }: Priced<FoundAnswer>): string[] {
  const { results, dropped = [], suggestions = [] } = answer;
  if (results.length === 0) return [describeNothing(query, total, suggestions)];
  const paint = openPaint();
  const rows = results.map((result) => [
    paint.swatch(result.primary_color),
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
  ]);
  const from = offset === 0 ? '' : `from ${formatNumber(offset + 1)}, `;
  const leftOut = dropped.map(sanitize).join(', ');
  return [
    ...(dropped.length === 0 ? [] : [`No sticker has all words; left out: ${leftOut}.`]),
    ...formatTableWithHead(['', 'title', 'seconds', 'shape', 'preset', 'price'], rows, ['shape', 'title']),
    paint.faint(`${from}${countOf(results, total)} "svcd get PRESET" downloads one.${nextPage(next)}`),
  ];
}

function describeNothing(query: string | null, total: number, suggestions: readonly string[]): string {
  if (total > 0) return `There are only ${formatNumber(total)}.`;
  const nothing = query === null ? 'Nothing passes these filters.' : `Nothing found for ${sanitize(query)}.`;
  return suggestions.length === 0 ? nothing : `${nothing} Did you mean ${suggestions.map(sanitize).join(', ')}?`;
}

/** The copy: words, else stdin; undefined when keywords are enough. Throws `invalid_argument` when there is none. */
async function readCopy(words: readonly string[], hasKeywords: boolean): Promise<string | undefined> {
  const piped = words.length === 1 && words[0] === '-';
  if (words.length > 0 && !piped) return words.join(' ');
  // A pipe that stays open must not block a script that gave keywords.
  if (!piped && hasKeywords) return undefined;
  const copy = process.stdin.isTTY && !piped ? '' : (await readStdin('the copy')).trim();
  if (copy !== '') return copy;
  throw invalidArgument('there is nothing to match', 'Give copy as words or on stdin, or keywords with --keyword.');
}

function describeMatch({ extracted_keywords: words, total, results }: Priced<MatchAnswer>): string[] {
  const keywords = `Keywords: ${words.length === 0 ? 'none' : words.map(sanitize).join(', ')}`;
  if (results.length === 0) return [keywords, 'Nothing in the library matches.'];
  const rows = results.map((result) => [
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
    result.reasons.map(describeReason).join(', '),
  ]);
  return [
    keywords,
    '',
    ...formatTableWithHead(['title', 'seconds', 'shape', 'preset', 'price', 'why'], rows, ['shape', 'why', 'title']),
    openPaint().faint(countOf(results, total)),
  ];
}

function describeReason({ keyword, field, source }: Reason): string {
  return `${sanitize(keyword)} (${field}${source === 'synonym' ? ', synonym' : ''})`;
}

function describeRelated({ preset, total, results, next }: Priced<RelatedAnswer>): string[] {
  if (total === 0) return [`Nothing is related to ${sanitize(preset)}.`];
  const rows = results.map((result) => [
    textColumn(result.title),
    textColumn(result.preset),
    priceColumn(result),
    result.same_concept ? 'another style' : result.shared.map(sanitize).join(', '),
  ]);
  return [
    ...formatTableWithHead(['title', 'preset', 'price', 'why'], rows, ['why', 'title']),
    openPaint().faint(`${countOf(results, total)}${nextPage(next)}`),
  ];
}
