// A copy and what was found for it. All of it lives in this tab alone, until it is closed.

import { computed, signal } from '@preact/signals';
import type { Tile, TileMatch } from '../api/tile.js';
import { isAborted, messageOf, sendJson } from './api.js';
import { copyText } from './extras.js';
import { choose, tileLists } from './store.js';
import { extraWords } from './words/extras.js';
import { number } from './words/words.js';

export type Sentence = TileMatch['sentences'][number];

const BEST = 6;
/** As long a text svcd reads at once. */
const MOST_TEXT = 2000;

/** What was matched, with the text as it was then: places are in it. */
export const matched = signal<{ readonly text: string; readonly sentences: readonly Sentence[] } | undefined>(
  undefined,
);
export const problem = signal('');
export const isMatching = signal(false);
/** Of each sentence, by its number. */
export const choices = signal<ReadonlyMap<number, Tile>>(new Map());
export const choiceCount = computed(() => choices.value.size);

let asked: AbortController | undefined;

tileLists.add((preset, part) => {
  const { value } = matched;
  if (value === undefined) return;
  const changed = (tile: Tile) => (tile.preset === preset ? { ...tile, ...part } : tile);
  const sentences = value.sentences.map((one) => ({ ...one, tiles: one.tiles.map(changed) }));
  matched.value = { ...value, sentences };
  choices.value = new Map([...choices.value].map(([index, tile]) => [index, changed(tile)]));
});

/** Splits the copy and finds stickers for each sentence; an older answer is never shown. */
export async function matchCopy(): Promise<void> {
  const words = extraWords.value;
  const text = copyText.value;
  const length = Array.from(text).length;
  asked?.abort();
  problem.value = text.trim() === '' ? words.copyEmpty : '';
  if (length > MOST_TEXT) problem.value = words.copyTooLong(number(length), number(MOST_TEXT));
  if (problem.value !== '') return;
  const controller = (asked = new AbortController());
  isMatching.value = true;
  try {
    const body = { text, by: 'sentence', limit: BEST };
    const answer = await sendJson<TileMatch>('POST', '/svcd/tiles/match', body, controller.signal);
    if (asked !== controller) return;
    choices.value = choicesKept(text, answer.sentences);
    matched.value = { text, sentences: answer.sentences };
  } catch (error) {
    if (asked === controller && !isAborted(error)) problem.value = messageOf(error);
  } finally {
    if (asked === controller) isMatching.value = false;
  }
}

/** What was chosen for sentences that are in the new text too. */
function choicesKept(text: string, sentences: readonly Sentence[]): ReadonlyMap<number, Tile> {
  // The last of a text may have had no full stop.
  const said = (whole: string, { at: [from, to] }: Sentence) => whole.slice(from, to).replace(/[\s\p{P}]+$/u, '');
  const before = new Map<string, Tile>();
  for (const [index, tile] of choices.value) {
    const sentence = matched.value?.sentences[index];
    if (matched.value !== undefined && sentence !== undefined) before.set(said(matched.value.text, sentence), tile);
  }
  const kept = new Map<number, Tile>();
  for (const [index, sentence] of sentences.entries()) {
    const tile = before.get(said(text, sentence));
    if (tile !== undefined) kept.set(index, tile);
  }
  return kept;
}

/** Chooses for a sentence, or nothing for it. What is chosen is in the selection; what no sentence has any more is not. */
export function chooseFor(sentence: number, tile: Tile | undefined): void {
  const next = new Map(choices.value);
  const before = next.get(sentence);
  if (tile === undefined) next.delete(sentence);
  else next.set(sentence, tile);
  choices.value = next;
  const isElsewhere = [...next.values()].some(({ preset }) => preset === before?.preset);
  if (before !== undefined && !isElsewhere) choose([before], false);
  if (tile !== undefined) choose([tile], true);
}

/** Of each sentence that has none yet the best that no other has; nothing that is only loosely related. */
export function chooseBest(): void {
  for (const [index, sentence] of (matched.value?.sentences ?? []).entries()) {
    if (choices.value.has(index)) continue;
    const taken = new Set([...choices.value.values()].map(({ preset }) => preset));
    const best = sentence.tiles.find(({ preset }, place) => isFitting(sentence, place) && !taken.has(preset));
    if (best !== undefined) chooseFor(index, best);
  }
}

/** Whether what stands at a place of a sentence's list is more than loosely related. */
export function isFitting({ related_from: from }: Sentence, place: number): boolean {
  return from === null || place < from;
}
