// The search box. It asks at every letter and waits for none; nothing happens while an input method composes.

import { useRef } from 'preact/hooks';
import { focusGrid } from '../grid/grid-view.js';
import { openCommands } from '../extras.js';
import { change, view } from '../store.js';
import { words } from '../words/words.js';

/** Safari ends a composition before it sends its Enter. */
const AFTER_COMPOSITION_MS = 50;

export function SearchBox() {
  const input = useRef<HTMLInputElement>(null);
  const composed = useRef(-Infinity);
  const isComposing = (event: KeyboardEvent) =>
    event.isComposing || event.keyCode === 229 || event.timeStamp - composed.current < AFTER_COMPOSITION_MS;
  const search = () => {
    const typed = input.current?.value ?? '';
    // The list takes over what is typed until it is there.
    if (typed.startsWith('>')) return openCommands(typed);
    change({ q: typed });
  };
  return (
    <div class="search" role="search">
      <input
        ref={input}
        id="search"
        type="search"
        aria-label={words.value.search}
        placeholder={words.value.searchHint}
        value={view.value.q}
        maxLength={500}
        autocomplete="off"
        spellcheck={false}
        autofocus
        onInput={(event) => {
          if (!(event as InputEvent).isComposing) search();
        }}
        onCompositionEnd={(event) => {
          composed.current = event.timeStamp;
          search();
        }}
        onKeyDown={(event) => {
          if (isComposing(event)) return;
          if (event.key === 'ArrowDown' || event.key === 'Enter') {
            event.preventDefault();
            focusGrid();
          }
          if (event.key === 'Escape' && view.value.q !== '') {
            event.preventDefault();
            change({ q: '' });
          }
        }}
      />
    </div>
  );
}
