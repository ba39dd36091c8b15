// What is said in place of a list: nothing found, svcd away, an error.

import { change, facts, failure, isThere, reload, view } from '../store.js';
import { EVERYTHING } from '../address.js';
import { words } from '../words/words.js';

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
  return (
    <div class="empty">
      <p>{say.nothing}</p>
      {facts.value.suggestions.length > 0 && (
        <p>
          {say.meant}{' '}
          {facts.value.suggestions.map((one) => (
            <button key={one} type="button" class="chip" lang="zh" onClick={() => change({ q: one })}>
              {one}
            </button>
          ))}
        </p>
      )}
      <button type="button" onClick={() => change({ ...EVERYTHING, q: view.value.q })}>
        {say.lift}
      </button>
    </div>
  );
}
