// Keys that work anywhere in the page: to the search box, and back.

import { doesKey } from './keys.js';
import { change, closeDetails, view } from './store.js';

export function beginPageKeys(): void {
  addEventListener('keydown', (event) => {
    if (event.defaultPrevented) return;
    const does = doesKey(event, 'anywhere');
    // An open dialog closes itself.
    if (document.querySelector('dialog[open]') !== null) return;
    if (does === 'search') {
      event.preventDefault();
      goToSearch();
    }
    if (does === 'back') {
      event.preventDefault();
      goBack();
    }
  });
}

function goBack(): void {
  const { preset, q, mode } = view.value;
  if (preset !== '') return closeDetails();
  if (mode === 'copy') return change({ mode: 'grid' }, 'push');
  if (q !== '') change({ q: '' });
  goToSearch();
}

function goToSearch(): void {
  const box = document.querySelector<HTMLInputElement>('#search');
  box?.focus();
  box?.select();
}
