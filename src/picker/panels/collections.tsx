// The person's collections in the rail: those that are always there, those they made, and what can be done with one.

import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Collection } from '../../api/collections.js';
import { EVERYTHING } from '../address.js';
import { NO_SKETCH } from '../../api/page-terms.js';
import {
  beginCollections,
  collections,
  concerned,
  isUsual,
  makeCollection,
  problemOf,
  removeCollection,
  renameCollection,
  toggleIn,
} from '../collections.js';
import { openExport } from '../export/ways.js';
import { asksForCollection, hasSession, openOwn } from '../extras.js';
import { change, chosen, view } from '../store.js';
import { extraWords } from '../words/extras.js';
import { nameOfCollection, number, words } from '../words/words.js';
import { Button, Problem } from './controls.js';
import { Menu } from './menu.js';

const MARKS: Readonly<Record<string, string>> = { favourites: '★', wanted: '♡', recent: '↺' };
const USUAL_ORDER = ['recent', 'favourites', 'wanted'];

export function CollectionsPanel() {
  useEffect(beginCollections, []);
  const text = extraWords.value;
  if (!hasSession()) return null;
  const known = new Map(collections.value.map((one) => [one.name, one]));
  const usual = USUAL_ORDER.map((name) => known.get(name) ?? { name, presets: [], changed_at: null });
  const plain = collections.value.filter(({ name, presets }) => name === NO_SKETCH && presets.length > 0);
  const own = collections.value.filter(({ name }) => !isUsual(name));
  return (
    <section class="collections" aria-label={words.value.collections}>
      <ul class="plain">
        {[...usual, ...plain, ...own].map((one) => (
          <Line key={one.name} {...one} />
        ))}
      </ul>
      {asksForCollection.value ? (
        <NameForm
          name=""
          act={text.create}
          onDone={(name) => {
            asksForCollection.value = false;
            void made(name);
          }}
        />
      ) : (
        <Button class="new-collection" onClick={() => (asksForCollection.value = true)}>
          + {text.newCollection}
        </Button>
      )}
      <Button class="new-collection" onClick={() => openOwn()}>
        + {text.ownTitle} …
      </Button>
    </section>
  );
}

/** What is chosen is put into it; the focus goes on there, or back to where it was asked for. */
async function made(name: string | undefined): Promise<void> {
  if (name !== undefined) await makeCollection(name, [...chosen.value.keys()]);
  requestAnimationFrame(() => {
    const line = name === undefined ? undefined : `[data-collection="${CSS.escape(name)}"]`;
    const shown = [...document.querySelectorAll<HTMLElement>(line ?? '.new-collection')];
    shown.find((one) => one.offsetParent !== null)?.focus();
  });
}

/** What "add" in the menu would do now. */
function sayAdd(presets: readonly string[]): string {
  const text = extraWords.value;
  const tiles = concerned();
  const what = chosen.value.size > 0 ? text.theChosen(number(tiles.length)) : text.theOne(tiles[0]?.title ?? '');
  if (tiles.length === 0) return text.nothingChosen;
  return tiles.every(({ preset }) => presets.includes(preset)) ? text.takeOut(what) : text.putIn(what);
}

function Line({ name, presets }: Collection) {
  const text = extraWords.value;
  const isRenaming = useSignal(false);
  const isShown = view.value.collection === name;
  if (isRenaming.value) {
    return (
      <li>
        <NameForm
          name={name}
          act={text.rename}
          onDone={(to) => {
            isRenaming.value = false;
            if (to !== undefined && to !== name) void renameCollection(name, to);
          }}
        />
      </li>
    );
  }
  return (
    <li class="line">
      <Button
        class="choice"
        data-collection={name}
        data-filter="collection"
        aria-pressed={isShown}
        // It is a place to be, not a part of what was searched.
        onClick={() => change({ ...EVERYTHING, collection: isShown ? '' : name }, 'push')}
      >
        <span class="line-name">
          {MARKS[name] === undefined ? '' : `${MARKS[name]} `}
          {nameOfCollection(name)}
        </span>{' '}
        <small>{number(presets.length)}</small>
      </Button>
      <Menu label={text.menuOf(nameOfCollection(name))} shown="⋯">
        {(act) => (
          <>
            {name !== 'recent' && (
              <Button aria-disabled={concerned().length === 0} onClick={act(() => void toggleIn(name, concerned()))}>
                {sayAdd(presets)}
              </Button>
            )}
            <Button onClick={act(() => openExport({ id: 'sheet', tiles: [], collection: name }))}>
              {text.sheetOf}
            </Button>
            <Button onClick={act(() => openExport({ id: 'print', tiles: [], collection: name }))}>
              {text.ways.print}
            </Button>
            {!isUsual(name) && (
              <>
                <Button onClick={act(() => (isRenaming.value = true))}>{text.rename}</Button>
                <Button onClick={act(() => void removeCollection(name))}>{text.remove}</Button>
              </>
            )}
          </>
        )}
      </Menu>
    </li>
  );
}

interface NameFormProps {
  readonly name: string;
  readonly act: string;
  /** Without a name where the person left it. */
  onDone(this: void, name?: string): void;
}

function NameForm({ name, act, onDone }: NameFormProps) {
  const text = extraWords.value;
  const typed = useSignal(name);
  const problem = useSignal<string | undefined>(undefined);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.select(), []);
  return (
    <form
      class="name-form"
      onSubmit={(event) => {
        event.preventDefault();
        const next = typed.value.trim();
        problem.value = next === name ? undefined : problemOf(next);
        if (problem.value === undefined) onDone(next);
      }}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.isComposing) return;
        event.stopPropagation();
        onDone();
      }}
    >
      <input
        ref={input}
        autofocus
        type="text"
        aria-label={text.collectionName}
        placeholder={text.collectionName}
        aria-invalid={problem.value !== undefined}
        maxLength={60}
        value={typed.value}
        onInput={(event) => (typed.value = event.currentTarget.value)}
      />
      <Problem>{problem.value}</Problem>
      <div class="acts">
        <Button onClick={() => onDone()}>{words.value.cancel}</Button>
        <button type="submit">{act}</button>
      </div>
    </form>
  );
}
