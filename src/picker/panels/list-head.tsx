// How many were found, and the filters in use as chips that can be taken off.

import { signal, useSignal, useSignalEffect } from '@preact/signals';
import {
  chosen,
  change,
  facts,
  filterCount,
  goOnAtFirst,
  more,
  onlyChosen,
  openList,
  ranges,
  reload,
  settings,
  view,
} from '../store.js';
import { useRef } from 'preact/hooks';
import type { View } from '../address.js';
import { lookOf } from '../grid/tile.js';
import { doesKey } from '../keys.js';
import { nameOfCollection, nameOfStyle, number, SCENES, words } from '../words/words.js';
import { Button } from './controls.js';

/** So long after the last key a screen reader is told. */
const TELL_AFTER_MS = 500;

export function ListHead() {
  const told = useSignal('');
  useSignalEffect(() => {
    const text = sayCount();
    const timer = setTimeout(() => (told.value = text), TELL_AFTER_MS);
    return () => clearTimeout(timer);
  });
  const { value: known } = facts;
  const say = words.value;
  return (
    <div class="head">
      {known === undefined ? <h1 class="unseen">svcd</h1> : <h1 class="count">{sayCount()}</h1>}
      <span class="unseen" role="status">
        {told}
      </span>
      <Chips />
      {known !== undefined && <Dropped />}
      {settings.motion.value === 'view' && (
        <Button onClick={() => (settings.motion.value = 'hover')}>❚❚ {words.value.stop}</Button>
      )}
      {more.value !== undefined && (
        <span class="changed" role="status">
          {more.value > 0 ? words.value.more(number(more.value)) : say.changed}{' '}
          <Button onClick={reload}>{say.show}</Button>
        </span>
      )}
      {isEverything() && chosen.value.size === 0 && <FirstVisit />}
    </div>
  );
}

/** Whether all is listed; it stands until another list is there, so that nothing moves twice for a key. */
const isEverything = (): boolean =>
  (facts.value === undefined ? view.value.q : (facts.value.query ?? '')) === '' && filterCount.value === 0;

function sayCount(): string {
  const { value: known } = facts;
  return known === undefined ? '' : words.value.found(number(known.total), known.query ?? '', known.total === 1);
}

export function searchFor(q: string): void {
  change({ q }, 'push');
  goOnAtFirst();
}

/** Words that nothing had together with the rest: each can be put back, and then those without it are left out. */
export function Dropped() {
  const left = leftOut();
  if (left.length === 0) return null;
  return (
    <span class="dropped" lang="zh">
      {left.map((word) => (
        <Button key={word} aria-label={words.value.putBack(word)} onClick={() => putBack(word)}>
          <s>{word}</s>
        </Button>
      ))}
    </span>
  );
}

/** What the user put aside to have another word in its place, and the words that are searched since. */
const aside = signal<{ readonly words: readonly string[]; readonly q: string }>({ words: [], q: '' });

const wordsAside = (): readonly string[] => (aside.value.q === view.value.q ? aside.value.words : []);

/** Words of the search that count for nothing now. */
export function leftOut(): readonly string[] {
  const { query = '', dropped = [] } = facts.value ?? {};
  return [...new Set([...dropped, ...(query === view.value.q ? wordsAside() : [])])];
}

/** One that nothing has together with the rest takes its place; one that was put aside joins it again. */
function putBack(word: string): void {
  const isSame = (other: string) => other.toLowerCase() === word.toLowerCase();
  const left = leftOut();
  const isDropped = facts.value?.dropped.includes(word) === true;
  const searched = view.value.q.split(/\s+/u).filter((one) => one !== '' && !isSame(one));
  const rest = isDropped ? [] : searched.filter((one) => !left.includes(one.toLowerCase()));
  const q = [...rest, word].join(' ');
  const out = [...searched, ...left].filter((one) => !isSame(one) && !rest.includes(one));
  aside.value = { words: [...new Set(out)], q };
  searchFor(q);
}

/** Where to begin, and what the dashed frames are. */
function FirstVisit() {
  const text = words.value;
  // Said where there is one to be seen.
  const first = facts.value && ranges.at(0);
  const hasPictures = first === undefined || lookOf(first) === 'picture';
  return (
    <>
      <p class="scenes">
        <span>{text.scenes}</span>
        {SCENES.map((one) => (
          <Button key={one} class="chip" onClick={() => searchFor(one)}>
            {text.sceneNames[one]}
          </Button>
        ))}
      </p>
      {!hasPictures && <p class="hint">{text.standIn}</p>}
    </>
  );
}

/** The filters in use: ← and → move, Backspace removes, Enter goes to where it is changed. */
export function Chips({ of = () => true }: { readonly of?: (this: void, key: string) => boolean }) {
  const say = words.value;
  const line = useRef<HTMLSpanElement>(null);
  const focusAt = (at: number) => {
    const all = line.current?.querySelectorAll('button');
    if (all === undefined || all.length === 0) document.querySelector<HTMLElement>('#search')?.focus();
    else all[Math.max(0, Math.min(at, all.length - 1))]?.focus();
  };
  const onKey = (event: KeyboardEvent, at: number, chip: Chip) => {
    const does = doesKey(event, 'chips');
    if (does === undefined) return;
    event.preventDefault();
    if (does === 'moveChip') focusAt(at + (event.key === 'ArrowLeft' ? -1 : 1));
    if (does === 'editChip') edit(chip);
    // A key that is held removes one.
    if (does !== 'removeChip' || event.repeat) return;
    chip.off();
    // After the chip is gone.
    setTimeout(() => focusAt(at));
  };
  return (
    <span ref={line} class="chips">
      {filterChips()
        .filter(({ key }) => of(key))
        .map((chip, at) => (
          <Button
            key={chip.name}
            class="chip"
            aria-label={say.removeFilter(chip.name)}
            onClick={chip.off}
            onKeyDown={(event) => onKey(event, at, chip)}
          >
            {chip.name} <span aria-hidden="true">✕</span>
          </Button>
        ))}
    </span>
  );
}

/** Goes to where a filter is changed: beside the list, or in their sheet. */
function edit({ key }: Chip): void {
  if (!goToFilter('.rail', key)) openList('filters', [key]);
}

/** Puts the focus on what changes a filter; false where that cannot be seen. */
export function goToFilter(where: string, key: string): boolean {
  const all = [...document.querySelectorAll<HTMLElement>(`${where} [data-filter="${key}"]`)];
  const control = all.find((one) => one.ariaPressed === 'true' || 'on' in one.dataset) ?? all[0];
  control?.focus();
  return control !== undefined && control === document.activeElement;
}

export interface Chip {
  /** Of the parameter. */
  readonly key: string;
  readonly name: string;
  off(this: void): void;
}

const nameOfColor = (color: string): string => {
  const { colors } = words.value;
  return colors[color as keyof typeof colors] ?? `#${color}`;
};

/** The filters in use. */
export function filterChips(): Chip[] {
  const { owned, color, aspect, maxDuration, style, collection } = view.value;
  const say = words.value;
  const shape = aspect === 'square' || aspect === 'wide' || aspect === 'tall' ? say[aspect] : aspect;
  const chip = (key: string, name: string, part: Partial<View>): Chip => ({ key, name, off: () => change(part) });
  return [
    onlyChosen.value && { key: 'chosen', name: say.onlyChosen, off: reload },
    owned && chip('owned', say.owned, { owned: false }),
    color !== '' && chip('color', nameOfColor(color), { color: '' }),
    aspect !== '' && chip('aspect', shape, { aspect: '' }),
    maxDuration !== 0 && chip('max_duration', say.atMost(number(maxDuration, 1)), { maxDuration: 0 }),
    style !== '' && chip('style', nameOfStyle(style), { style: '' }),
    collection !== '' && chip('collection', nameOfCollection(collection), { collection: '' }),
  ].filter((one) => one !== false);
}
