// Keys that work anywhere in the page: to the search box, and back.

import { isField } from './extras.js';
import { doesKey } from './keys.js';
import { change, choose, chosen, closeDetails, onlyChosen, openList, reload, settings, view } from './store.js';

export function beginPageKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const does = doesKey(event, 'anywhere', settings.letters.value && !isField(event.target));
    // An open dialog closes itself.
    if (document.querySelector('dialog[open]') !== null) return;
    if (does === 'search') {
      event.preventDefault();
      goToSearch();
    }
    if (does === 'back') {
      event.preventDefault();
      goBack(event.target);
    }
    if (does === 'help') {
      event.preventDefault();
      openList('help');
    }
  });
}

/** Closes what is open, else empties the choice. A search is thrown away only where it is written. */
function goBack(from: EventTarget | null): void {
  const { preset, q, mode } = view.value;
  if (preset !== '') return closeDetails();
  if (mode === 'copy') return change({ mode: 'grid' }, 'push');
  if (onlyChosen.value) return reload();
  if (from instanceof Element && from.id === 'search') {
    if (q !== '') change({ q: '' });
  } else if (chosen.value.size > 0) return choose([...chosen.value.values()], false);
  goToSearch();
}

function goToSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}
