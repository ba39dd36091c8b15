// What is said in place of a list: nothing found, svcd away, an error.

import { facts, goOnAtFirst, failure, isThere, reload, summary, view } from '../store.js';
import { signal, useSignal, useSignalEffect } from '@preact/signals';
import { filtersOf } from '../address.js';
import { askJson, listTiles } from '../api.js';
import { statusWords } from '../words/status.js';
import { number, words } from '../words/words.js';
import { Button } from './controls.js';
import { Dropped, filterChips, leftOut, searchFor } from './list-head.js';

export function EmptyState() {
  const say = words.value;
  const { value: error } = failure;
  // The bar of the state says it, and what is in memory stays.
  if (!isThere.value || error?.code === 'library_damaged') return null;
  if (error !== undefined) {
    return (
      <div class="bar" role="alert">
        {error.message} {error.hint} <Button onClick={reload}>{say.again}</Button>
      </div>
    );
  }
  if (facts.value === undefined || facts.value.total > 0) return null;
  const { suggestions } = facts.value;
  const text = words.value;
  return (
    <div class="empty">
      <p class="nothing">{view.value.q === '' ? text.nothingHere : text.nothingFor(view.value.q)}</p>
      {leftOut().length > 0 && (
        <p>
          {text.noWord} <Dropped />
        </p>
      )}
      {suggestions.length > 0 && (
        <p>
          {say.meant}{' '}
          {suggestions.map((one) => (
            <Button key={one} class="chip" lang="zh" onClick={() => searchFor(one)}>
              {one}
            </Button>
          ))}
        </p>
      )}
      <Lifts />
      <LookFurther />
    </div>
  );
}

/** What was asked for last beyond the library. */
const further = signal<{ readonly q: string; readonly state: 'none' | 'looking' | 'nothing' }>({
  q: '',
  state: 'none',
});

/** The library is not complete: the service may have more, and is asked for nothing. */
function LookFurther() {
  const { q } = view.value;
  const { value: known } = summary;
  const text = statusWords.value;
  if (!known || q.trim() === '' || known.remote.offline || known.library.complete || known.key.source === 'none') {
    return null;
  }
  const state = further.value.q === q ? further.value.state : 'none';
  const look = async () => {
    further.value = { q, state: 'looking' };
    // What the service answers is learned, and then the list is another.
    await askJson(`/svcd/search?${new URLSearchParams({ q, limit: '50' })}`).catch(() => undefined);
    if (view.peek().q !== q) return;
    reload();
    further.value = { q, state: 'nothing' };
  };
  return (
    <p role="status">
      {state === 'none' ? (
        <Button onClick={() => void look()}>{text.lookFurther}</Button>
      ) : state === 'looking' ? (
        text.lookingFurther
      ) : (
        text.nothingFurther
      )}
    </p>
  );
}

function lift(off: () => void): void {
  off();
  goOnAtFirst();
}

/** Each filter without which something is found, and how much. */
function Lifts() {
  const found = useSignal<readonly { readonly name: string; readonly total: number; off(this: void): void }[]>([]);
  useSignalEffect(() => {
    const given = filtersOf(view.value);
    const asked = new AbortController();
    found.value = [];
    for (const { name, key, off } of filterChips()) {
      const { [key]: _lifted, ...rest } = given;
      listTiles(rest, 0, 1, asked.signal).then(
        ({ total }) => {
          if (total > 0 && !asked.signal.aborted) found.value = [...found.peek(), { name, total, off }];
          return undefined;
        },
        // Without a count the chips above can still be taken off.
        () => undefined,
      );
    }
    return () => asked.abort();
  });
  if (found.value.length === 0) return null;
  return (
    <p>
      {words.value.without}{' '}
      {found.value.map(({ name, total, off }) => (
        <Button
          key={name}
          class="chip"
          aria-label={`${words.value.removeFilter(name)} ${number(total)}`}
          onClick={() => lift(off)}
        >
          <s>{name}</s> {number(total)}
        </Button>
      ))}
    </p>
  );
}
