// A copy and what was found for it. All of it lives in this tab alone, unless `project.ts` has svcd keep it.

import { batch, computed, signal } from '@preact/signals';
import type { Tile, TileMatch } from '../api/tile.js';
import { ApiError, isAborted, messageOf, readTile, sendJson } from './api.js';
import { copyText } from './extras.js';
import { filtersOf } from './address.js';
import { choose, tileLists, view } from './store.js';
import { extraWords } from './words/extras.js';
import { number } from './words/words.js';

export type Sentence = TileMatch['sentences'][number];

const BEST = 6;
/** As long a text svcd reads at once. */
const MOST_TEXT = 2000;

/** What was matched, with the text as it was then: places are in it. */
export const matched = signal<
  { readonly text: string; readonly sentences: readonly Sentence[]; readonly filters: string } | undefined
>(undefined);
export const problem = signal('');
/** Of what is chosen for all: `auto`, or `any` for no one style. */
export const style = signal('any');
export const isMatching = signal(false);
/** What a person decided for a sentence. Of a kept one the sticker may be gone, and its preset alone is known. */
export interface Line {
  readonly tile?: Tile | undefined;
  readonly preset?: string | undefined;
  /** What is searched for it, in place of its own words. */
  readonly q?: string | undefined;
  /** Whether it stays when all others are chosen again. */
  readonly locked?: boolean | undefined;
}
/** By the number of their sentence. */
export const lines = signal<ReadonlyMap<number, Line>>(new Map());
/** Of each sentence, by its number. */
export const choices = computed<ReadonlyMap<number, Tile>>(
  () => new Map([...lines.value].flatMap(([index, { tile }]) => (tile === undefined ? [] : [[index, tile] as const]))),
);
export const choiceCount = computed(() => choices.value.size);

let asked: AbortController | undefined;

tileLists.add((preset, part) => {
  const { value } = matched;
  if (value === undefined) return;
  const changed = (tile: Tile) => (tile.preset === preset ? { ...tile, ...part } : tile);
  const sentences = value.sentences.map((one) => ({ ...one, tiles: one.tiles.map(changed) }));
  matched.value = { ...value, sentences };
  lines.value = new Map(
    [...lines.value].map(([index, line]) => [index, { ...line, tile: line.tile && changed(line.tile) }]),
  );
});

/** A line of a text that was matched before, or kept. */
export type Said = Line & { readonly text: string };

/** What the copy says of its sentences, with what was decided for each. */
export function linesSaid(): readonly Said[] {
  const { value } = matched;
  return (value?.sentences ?? []).map(({ at }, index) => ({
    text: value!.text.slice(...at),
    ...lines.value.get(index),
  }));
}

/**
 * Splits the copy and finds stickers for each sentence; an older answer is never shown. What was decided for sentences that are in
 * the new text too stays; answers whether there was any.
 */
export async function matchCopy(before?: readonly Said[], filters = rowFilters()): Promise<boolean> {
  const words = extraWords.value;
  const slots = before === undefined ? slotsIn(copyText.value) : undefined;
  if (slots !== undefined) copyText.value = slots.map((one) => one.text).join('\n');
  const text = copyText.value;
  const length = Array.from(text).length;
  asked?.abort();
  problem.value = text.trim() === '' ? words.copyEmpty : '';
  if (length > MOST_TEXT) problem.value = words.copyTooLong(number(length), number(MOST_TEXT));
  if (problem.value !== '') return false;
  const controller = (asked = new AbortController());
  isMatching.value = true;
  try {
    const said = before ?? slots ?? linesSaid();
    const rows = said.some(({ q }) => q !== undefined) ? said.map(({ text: line, q }) => ({ text: line, q })) : [];
    const body = { text, by: 'sentence', limit: BEST, style: style.value, lines: rows, filters };
    const { sentences } = await sendJson<TileMatch>('POST', '/svcd/tiles/match', body, controller.signal);
    const kept = await linesKept(text, sentences, said);
    if (asked !== controller) return true;
    batch(() => {
      matched.value = { text, sentences, filters: JSON.stringify(filters) };
      lines.value = kept;
    });
    choose([...choices.value.values()], true);
    return slots === undefined && kept.size > 0;
  } catch (error) {
    if (asked === controller && !isAborted(error)) problem.value = messageOf(error);
    // A project may have kept a style that the library has no more: the next time without one.
    if (error instanceof ApiError && error.code === 'invalid_request') style.value = 'any';
    return true;
  } finally {
    if (asked === controller) isMatching.value = false;
  }
}

/** The slots of a pasted `copy.json`; undefined for any other text. */
function slotsIn(text: string): readonly Said[] | undefined {
  try {
    const { slots } = JSON.parse(text) as { slots?: unknown };
    if (!Array.isArray(slots)) return undefined;
    const texts = (slots as Partial<Said>[]).filter((one) => typeof one?.text === 'string' && one.text.trim() !== '');
    return texts.map((one) => ({
      text: one.text ?? '',
      preset: typeof one.preset === 'string' ? one.preset : undefined,
    }));
  } catch {
    return undefined;
  }
}

/** What was decided for sentences that are in the new text too, each once. */
async function linesKept(
  text: string,
  sentences: readonly Sentence[],
  before: readonly Said[],
): Promise<ReadonlyMap<number, Line>> {
  // The last of a text may have had no full stop.
  const plain = (said: string) => said.replace(/[\s\p{P}]+$/u, '');
  const rest = [...before];
  const kept = new Map<number, Line>();
  for (const [index, { at, tiles, best, q }] of sentences.entries()) {
    const said = plain(text.slice(...at));
    const place = rest.findIndex((one) => plain(one.text).startsWith(said));
    const [found] = place < 0 ? [] : rest.splice(place, 1);
    if (found === undefined) continue;
    const { text: _, ...line } = found;
    const preset = line.tile?.preset ?? line.preset;
    if (preset === undefined) {
      if (q !== undefined) kept.set(index, { q });
      continue;
    }
    const known = line.tile ?? [...tiles, best].find((one) => one?.preset === preset);
    // One that svcd knows no more stays named.
    kept.set(index, { ...line, q, preset, tile: known ?? (await readTile(preset).catch(() => undefined)) });
  }
  return kept;
}

/** Chooses for a sentence, or nothing for it. What is chosen is in the selection; what no sentence has any more is not. */
export function chooseFor(sentence: number, tile: Tile | undefined): void {
  const before = choices.value.get(sentence);
  decide(sentence, { tile, preset: tile?.preset });
  const isElsewhere = [...choices.value.values()].some(({ preset }) => preset === before?.preset);
  if (before !== undefined && !isElsewhere) choose([before], false);
  if (tile !== undefined) choose([tile], true);
}

export function decide(sentence: number, part: Line): void {
  lines.value = new Map(lines.value).set(sentence, { ...lines.value.get(sentence), ...part });
}

/**
 * Of each sentence that has none yet what it gets where all are served together, else the best that no other has; nothing that is
 * only loosely related. With `again` those that are not locked are chosen anew.
 */
export function chooseBest(again = false): void {
  const sentences = matched.value?.sentences ?? [];
  for (const index of again ? sentences.keys() : []) {
    if (lines.value.get(index)?.locked !== true) chooseFor(index, undefined);
  }
  for (const [index, sentence] of sentences.entries()) {
    if (choices.value.has(index)) continue;
    const taken = new Set([...choices.value.values()].map(({ preset }) => preset));
    const { best, tiles } = sentence;
    const place = tiles.findIndex(({ preset }) => preset === best?.preset);
    const fitting = tiles.filter((_, at) => isFitting(sentence, at));
    // Beyond those that are shown it fits where all of them do.
    const first = best !== null && isFitting(sentence, place < 0 ? tiles.length : place) ? [best] : [];
    const free = [...first, ...fitting].find(({ preset }) => !taken.has(preset));
    if (free !== undefined) chooseFor(index, free);
  }
}

/** Searches for a sentence by other words than its own; by these again for none. */
export async function searchLine(sentence: number, q: string): Promise<void> {
  decide(sentence, { q: q.trim() === '' ? undefined : q });
  await matchCopy();
}

/** The filters of the list that narrow the rows of a copy too. */
export const isOfRows = (filter: string): boolean => ['color', 'aspect', 'max_duration', 'style'].includes(filter);
export function rowFilters(): Record<string, string> {
  return Object.fromEntries(Object.entries(filtersOf(view.value)).filter(([name]) => isOfRows(name)));
}

/** Matches again for another style, and chooses again what is not locked. */
export async function takeStyle(wanted: string): Promise<void> {
  style.value = wanted;
  await matchCopy();
  if (problem.value === '') chooseBest(true);
}

/** Whether what stands at a place of a sentence's list is more than loosely related. */
export function isFitting({ related_from: from }: Sentence, place: number): boolean {
  return from === null || place < from;
}
