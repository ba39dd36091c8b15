// svcd search and match: finding stickers, those related to one, and words. All of it is free.

import { type CompleteAnswer, type FindAnswer, type RelatedAnswer, DISTANCE_DEFAULT } from '../../api/find.js';
import type { MatchAnswer, Reason, SearchAnswer } from '../../contract/candidate.js';
import type { LibraryStatus } from '../../api/library.js';
import { isWeak, relatedFrom } from '../../contract/fit.js';
import { LIMIT_DEFAULT, LIMIT_MAX } from '../../contract/limits.js';
import { type Client, withClient } from '../connection/client.js';
import { type Bodies, choiceOption, type CommandBody, switchOption, textOption } from '../command.js';
import type { Saving } from '../terminal/fit-table.js';
import {
  formatCount,
  formatNumber,
  formatTable,
  formatTableWithHead,
  openPaint,
  sanitize,
} from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { terminalWords } from '../terminal/words.js';
import { readColor } from './color-names.js';
import { withNearPresets } from './near-presets.js';
import { printAnswer, printNote } from '../terminal/output.js';
import { requestDaemon } from '../request-command.js';
import { expectOk, jsonQuestion } from '../connection/running-daemon.js';
import type { Answer } from '../connection/http-exchange.js';
import { noteFilling } from '../terminal/progress.js';
import {
  addPrices,
  countOf,
  nextPage,
  priceColumn,
  type Priced,
  secondsColumn,
  shapeColumn,
  textColumn,
} from './sticker-columns.js';
import { STYLE_KINDS } from '../../model/sticker.js';
import { readStdin } from '../terminal/terminal-input.js';
import { findWords } from './words.js';

const words = findWords();

const LIMIT_OPTION = { limit: textOption(words.limit(LIMIT_MAX, LIMIT_DEFAULT)) };
const limitOf = (input: Input) => input.whole('limit', 1, LIMIT_MAX) ?? LIMIT_DEFAULT;

const searchCommand: CommandBody = {
  options: {
    ...LIMIT_OPTION,
    offset: textOption(words.offset),
    owned: switchOption(words.owned),
    shipped: switchOption(words.shipped),
    color: textOption(words.color),
    distance: textOption(words.distance(DISTANCE_DEFAULT)),
    aspect: textOption(words.aspect),
    'min-duration': textOption(words.minDuration),
    'max-duration': textOption(words.maxDuration),
    style: textOption(words.style),
    'style-kind': choiceOption(words.styleKind, STYLE_KINDS),
    related: switchOption(words.related),
    complete: switchOption(words.complete),
    look: switchOption(words.look),
  },
  examples: [
    `svcd search 生日 # ${words.examples.birthday}`,
    `svcd search 爱心 --color red --max-duration 2 # ${words.examples.hearts}`,
    `svcd search --related fluent-emoji-flat/birthday-cake # ${words.examples.related}`,
  ],
  run: (input) => {
    if (input.flag('related') === true) return listRelated(input);
    return input.flag('complete') === true ? listWords(input) : search(input);
  },
};

async function search(input: Input): Promise<void> {
  const path = searchPath(input);
  let notes: string[] = [];
  let isWhole = false;
  const answer = await withClient(input, async (client) => {
    const heard = expectOk(await client.request('GET', path));
    notes = await notesOn(input, client, heard);
    const { total } = heard.json() as FoundAnswer;
    isWhole = total === 0 && (await client.ask<LibraryStatus>('GET', '/svcd/library')).complete;
    // What the documented search has no field for is in a header.
    const note = parseSearchNote(heard.header('X-Svcd-Search') ?? '');
    const found = await addPrices(client, { ...note, ...(heard.json() as FoundAnswer) });
    if (input.flag('look') !== true || found.results.length === 0) return found;
    // Loaded late: most searches show no picture.
    const { showSheet } = await import('./look.js');
    const presets = found.results.map(({ preset }) => preset);
    return { ...found, look: await showSheet(input, client, presets) };
  });
  await printAnswer(input, answer, describeSearch);
  notes.forEach(printNote);
  const otherWords = isWhole ? words.otherWordsHere : words.otherWords;
  tellNext(input, answer, input.words('query').length > 0 ? otherWords : words.looserFilters);
}

const matchCommand: CommandBody = {
  options: { keyword: { type: 'string', alias: 'k', array: true, nargs: 1, describe: words.keyword }, ...LIMIT_OPTION },
  examples: [`svcd match 祝你生日快乐 # ${words.examples.copy}`],
  run: async (input) => {
    const limit = limitOf(input);
    const keywords = input.list('keyword');
    const text = await readCopy(input.words('copy'), keywords.length > 0);
    const body = { text, ...(keywords.length > 0 && { keywords }), limit };
    let notes: string[] = [];
    const answer = await withClient(input, async (client) => {
      const heard = expectOk(await client.request('POST', '/api/v1/stickers/match', jsonQuestion(body)));
      notes = await notesOn(input, client, heard);
      return addPrices(client, heard.json() as MatchAnswer);
    });
    await printAnswer(input, answer, describeMatch);
    notes.forEach(printNote);
    tellNext(input, answer, words.matchOther);
  },
};

async function listRelated(input: Input): Promise<void> {
  refuseFilters(input, '--related', ['offset']);
  const [preset = '', surplus] = input.words('query');
  const usage = 'search --related <preset>';
  if (preset === '') throw invalidArgument(terminalWords().missing('PRESET', usage));
  if (surplus !== undefined) throw invalidArgument(terminalWords().unexpected(JSON.stringify(surplus), usage));
  const query = new URLSearchParams({ limit: String(limitOf(input)), offset: input.text('offset') ?? '0' });
  const path = `/svcd/related/${encodeURIComponent(preset)}?${query.toString()}`;
  const answer = await withClient(input, (client) =>
    withNearPresets(client, preset, async () => addPrices(client, await client.ask<RelatedAnswer>('GET', path))),
  );
  return printAnswer(input, answer, describeRelated);
}

async function listWords(input: Input): Promise<void> {
  refuseFilters(input, '--complete', []);
  if (input.words('query').length === 0)
    throw invalidArgument(terminalWords().missing('TEXT', 'search --complete <text..>'));
  return askWords(input);
}

const askWords = requestDaemon(
  'GET /svcd/complete',
  ({ query, completions }: CompleteAnswer) =>
    completions.length === 0
      ? words.noWord(sanitize(query))
      : [
          ...formatTable(completions.map(({ word, stickers }) => [sanitize(word), formatCount(stickers, 'sticker')])),
          openPaint().faint(words.haveTheWord),
        ],
  { query: (input) => ({ q: input.words('query').join(' '), limit: limitOf(input) }) },
);

/** What lists by another rule than a search takes none of its filters. */
function refuseFilters(input: Input, by: string, allowed: readonly string[]): void {
  const typed = [...FILTERS, 'owned', 'shipped', 'related', 'complete', 'look']
    .filter((name) => !allowed.includes(name) && by !== `--${name}`)
    .find((name) => input.text(name) !== undefined || input.flag(name) !== undefined);
  if (typed !== undefined) throw invalidArgument(words.notWith(`--${typed}`, by));
}

export const bodies: Bodies = { search: searchCommand, match: matchCommand };

/** An answer of either search; each has fields that the other lacks. */
type FoundAnswer = Omit<SearchAnswer, 'query'> &
  Partial<Pick<FindAnswer, 'offset' | 'next'>> & {
    query: string | null;
    dropped?: readonly string[] | undefined;
    /** The file of their picture, or none where the terminal showed it. */
    look?: string | undefined;
    suggestions?: readonly string[] | undefined;
  };

// Options that only svcd's own search has, as its parameters.
const FILTERS = 'offset color distance aspect min-duration max-duration style style-kind'.split(' ');

/** The documented search, or svcd's own where a filter is given. */
function searchPath(input: Input): string {
  const query = new URLSearchParams();
  const typed = input.words('query').join(' ');
  if (typed !== '') query.set('q', typed);
  query.set('limit', String(limitOf(input)));
  const sizeWithoutFilters = query.size;
  for (const name of FILTERS) {
    const value = input.text(name);
    if (value !== undefined && name !== 'color') query.set(name.replace('-', '_'), value);
  }
  const color = input.text('color');
  if (color !== undefined) query.set('color', readColor(color));
  for (const name of ['owned', 'shipped'] as const) {
    const value = input.flag(name);
    if (value !== undefined) query.set(name, String(value));
  }
  const isDocumented = query.size === sizeWithoutFilters;
  if (typed === '' && isDocumented) {
    throw invalidArgument(words.queryMissing, words.queryHint);
  }
  return `${isDocumented ? '/api/v1/stickers/search' : '/svcd/search'}?${query.toString()}`;
}

/** What a person should know of an answer while the list here is not complete: who gave it, and how far the list is. */
async function notesOn({ json }: Input, client: Client, { header }: Answer): Promise<string[]> {
  if (json) return [];
  const isAsked = header('X-Svcd-Source') === 'remote';
  return [...(isAsked ? [words.fromService] : []), ...noteFilling((await client.status()).library)];
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
  if (results.length === 0) return describeNothing(query, total, suggestions);
  const paint = openPaint();
  const isSeen = 'look' in answer;
  const rows = results.map((result, at) => [
    `${isSeen ? `${at + 1} ` : ''}${paint.swatch(result.primary_color)}`,
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
  ]);
  // The documented search has no pages; svcd's own goes on behind it.
  const onward = next === undefined && results.length < total ? results.length : next;
  const from = offset === 0 ? '' : words.from(formatNumber(offset + 1));
  const { title, seconds, shape, preset, price } = words.heads;
  const savings: Saving[] = [
    [shape, 'word'],
    [title, TITLE],
    [seconds, 'nothing'],
    [shape, 'nothing'],
    ...(isSeen ? [] : [['', 'nothing'] as const]),
  ];
  return [
    ...(dropped.length === 0 ? [] : [words.leftOut(dropped.map(sanitize).join(words.comma))]),
    ...nothingFits(results, offset),
    ...formatTableWithHead(['', title, seconds, shape, preset, price], rows, savings, looseBelow(results, offset)),
    paint.faint(`${from}${countOf(results, total)}${words.getOne}${nextPage(onward)}`),
    ...(answer.look === undefined ? [] : [words.pictureIn(sanitize(answer.look))]),
  ];
}

type Fitting = Parameters<typeof isWeak>[0];

/** What stands above results of which none fits. */
function nothingFits(results: Fitting, offset = 0): string[] {
  return offset === 0 && isWeak(results) ? [words.nothingFits] : [];
}

/** The line between what fits and what is only loosely related. */
function looseBelow(results: Fitting, offset = 0): (row: number) => readonly string[] {
  const from = offset === 0 && isWeak(results) ? null : relatedFrom(results, offset);
  return (row) => (from !== null && row === from - offset - 1 ? [openPaint().faint(words.loose)] : []);
}

/** A title that is cut says enough with so many columns. */
const TITLE = 10;
/** Reasons that are cut further say less than none. */
const WHY = 24;

/** That nothing was found, or no more. */
function describeNothing(query: string | null, total: number, suggestions: readonly string[]): string[] {
  if (total > 0) return [words.onlySoMany(formatNumber(total))];
  if (query === null) return [words.nothingPasses];
  const nothing = words.nothingFor(sanitize(query));
  return suggestions.length === 0
    ? [nothing]
    : [`${nothing} ${words.meant(suggestions.map(sanitize).join(words.comma))}`];
}

/** What to try where nothing was found: beside the answer, so that what reads it finds what it knows. */
function tellNext(
  { json }: Input,
  { total, suggestions = [] }: { readonly total: number; readonly suggestions?: readonly string[] | undefined },
  next: string,
): void {
  if (!json && total === 0 && suggestions.length === 0) printNote(next);
}

/** The copy: words, else stdin; undefined when keywords are enough. Throws `invalid_argument` when there is none. */
async function readCopy(typed: readonly string[], hasKeywords: boolean): Promise<string | undefined> {
  const piped = typed.length === 1 && typed[0] === '-';
  const text = typed.join(' ');
  if (!piped && text.trim() !== '') return text;
  // A pipe that stays open must not block a script that gave keywords.
  if (!piped && hasKeywords) return undefined;
  const isTyped = typed.length > 0 && !piped;
  const copy = isTyped || (process.stdin.isTTY && !piped) ? '' : (await readStdin('the copy')).trim();
  if (copy !== '') return copy;
  throw invalidArgument(words.nothingToMatch, words.giveCopy);
}

function describeMatch({ extracted_keywords: found, total, results }: Priced<MatchAnswer>): string[] {
  const keywords = words.keywords(found.length === 0 ? words.none : found.map(sanitize).join(words.comma));
  if (results.length === 0) return [keywords, words.nothingMatches];
  const { title, seconds, shape, preset, price, why } = words.heads;
  const rows = results.map((result) => [
    textColumn(result.title),
    secondsColumn(result.duration),
    shapeColumn(result),
    textColumn(result.preset),
    priceColumn(result),
    result.reasons.map(describeReason).join(words.comma),
  ]);
  const savings: Saving[] = [
    [shape, 'word'],
    [title, TITLE],
    [why, WHY],
    [why, 'below'],
    [seconds, 'nothing'],
    [shape, 'nothing'],
  ];
  return [
    keywords,
    ...nothingFits(results),
    '',
    ...formatTableWithHead([title, seconds, shape, preset, price, why], rows, savings, looseBelow(results)),
    openPaint().faint(countOf(results, total)),
  ];
}

function describeReason({ keyword, field, source }: Reason): string {
  return words.reason(sanitize(keyword), words.field(field), source === 'synonym');
}

function describeRelated({ preset, total, results, next }: Priced<RelatedAnswer>): string[] {
  if (total === 0) return [words.nothingRelated(sanitize(preset))];
  const { title, price, why } = words.heads;
  const rows = results.map((result) => [
    textColumn(result.title),
    textColumn(result.preset),
    priceColumn(result),
    result.same_concept ? words.anotherStyle : result.shared.map(sanitize).join(words.comma),
  ]);
  return [
    ...formatTableWithHead([title, words.heads.preset, price, why], rows, [
      [title, TITLE],
      [why, WHY],
      [why, 'below'],
    ]),
    openPaint().faint(`${countOf(results, total)}${nextPage(next)}`),
  ];
}
