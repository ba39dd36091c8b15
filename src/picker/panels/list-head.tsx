// How many were found, and the filters in use as chips that can be taken off.

import { useSignal, useSignalEffect } from '@preact/signals';
import { change, facts, hasChanged, reload, view } from '../store.js';
import { number, words } from '../words/words.js';

/** So long after the last key a screen reader is told. */
const TELL_AFTER_MS = 500;

export function ListHead() {
  const told = useSignal('');
  useSignalEffect(() => {
    const text = facts.value === undefined ? '' : words.value.found(number(facts.value.total), facts.value.query ?? '');
    const timer = setTimeout(() => (told.value = text), TELL_AFTER_MS);
    return () => clearTimeout(timer);
  });
  const { value: known } = facts;
  const say = words.value;
  return (
    <div class="head">
      <h1 class="count">{known === undefined ? '' : say.found(number(known.total), known.query ?? '')}</h1>
      <span class="unseen" role="status">
        {told}
      </span>
      {chips().map(({ name, off }) => (
        <button key={name} type="button" class="chip" aria-label={say.removeFilter(name)} onClick={off}>
          {name} ✕
        </button>
      ))}
      {known !== undefined && known.dropped.length > 0 && <s class="dropped">{known.dropped.join(' ')}</s>}
      {hasChanged.value && (
        <span class="changed">
          {say.changed}{' '}
          <button type="button" onClick={reload}>
            {say.show}
          </button>
        </span>
      )}
    </div>
  );
}

function chips(): { readonly name: string; off(this: void): void }[] {
  const { owned, color, aspect, maxDuration, collection } = view.value;
  const say = words.value;
  const shape = aspect === 'square' || aspect === 'wide' || aspect === 'tall' ? say[aspect] : aspect;
  return [
    ...(owned ? [{ name: say.owned, off: () => change({ owned: false }) }] : []),
    ...(color === '' ? [] : [{ name: `#${color}`, off: () => change({ color: '' }) }]),
    ...(aspect === '' ? [] : [{ name: shape, off: () => change({ aspect: '' }) }]),
    ...(maxDuration === 0 ? [] : [{ name: say.atMost(number(maxDuration, 1)), off: () => change({ maxDuration: 0 }) }]),
    ...(collection === '' ? [] : [{ name: collection, off: () => change({ collection: '' }) }]),
  ];
}
