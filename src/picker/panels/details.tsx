// Everything of one sticker.

import { change, focused, view } from '../store.js';
import { words } from '../words/words.js';

export function Details() {
  const tile = focused.value;
  if (tile === undefined || view.value.preset === '') return null;
  return (
    <aside class="details" aria-label={words.value.details}>
      <button type="button" onClick={() => change({ preset: '' })}>
        {words.value.close}
      </button>
      <h2 lang="zh">{tile.title}</h2>
      <p lang="zh">{tile.keywords.join(' ')}</p>
      <code>{tile.preset}</code>
    </aside>
  );
}
