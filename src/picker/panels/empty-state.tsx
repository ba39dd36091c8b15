// What is said in place of a list: nothing found, svcd away, an error.

import { facts, goOnAtFirst, failure, isThere, reload, view } from '../store.js';
import { useSignal, useSignalEffect } from '@preact/signals';
import { filtersOf } from '../address.js';
import { listTiles } from '../api.js';
import { frontWords } from '../words/front.js';
import { number, words } from '../words/words.js';
import { Dropped, filterChips, searchFor } from './list-head.js';

export function EmptyState() {
  const say = words.value;
  const { value: error } = failure;
  // The bar of the state says it, and what is in memory stays.
  if (!isThere.value || error?.code === 'library_damaged') return null;
  if (error !== undefined) {
    return (
      <div class="bar" role="alert">
        {error.message} {error.hint}{' '}
        <button type="button" onClick={reload}>
          {say.again}
        </button>
      </div>
    );
  }
  if (facts.value === undefined || facts.value.total > 0) return null;
  const { dropped, suggestions } = facts.value;
  const text = frontWords.value;
  return (
    <div class="empty">
      <p class="nothing">{view.value.q === '' ? text.nothingHere : text.nothingFor(view.value.q)}</p>
      {dropped.length > 0 && (
        <p>
          {text.noWord} <Dropped left={dropped} />
        </p>
      )}
      {suggestions.length > 0 && (
        <p>
          {say.meant}{' '}
          {suggestions.map((one) => (
            <button key={one} type="button" class="chip" lang="zh" onClick={() => searchFor(one)}>
              {one}
            </button>
          ))}
        </p>
      )}
      <Lifts />
    </div>
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
      {frontWords.value.without}{' '}
      {found.value.map(({ name, total, off }) => (
        <button
          key={name}
          type="button"
          class="chip"
          aria-label={words.value.removeFilter(name)}
          onClick={() => lift(off)}
        >
          <s>{name}</s> {number(total)}
        </button>
      ))}
    </p>
  );
}
