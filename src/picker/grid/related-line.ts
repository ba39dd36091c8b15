// The line in the list below which all are only loosely related.

import { LINE, type Layout, placeOf } from './layout.js';

export function makeLine(): HTMLElement {
  const line = document.createElement('div');
  [line.id, line.className] = ['related', 'related-line'];
  line.setAttribute('role', 'row');
  const said = document.createElement('span');
  said.setAttribute('role', 'gridcell');
  line.append(said);
  return line;
}

/** Puts it above the first row of those, also in the order in which a screen reader comes by. */
export function placeLine(
  line: HTMLElement,
  said = '',
  layout: Layout,
  scrollTop: number,
  below: HTMLElement | undefined,
): void {
  if (below !== undefined && line.nextSibling !== below) below.before(line);
  line.hidden = layout.line === 0;
  if (line.textContent !== said) line.firstElementChild!.textContent = said;
  line.style.transform = `translateY(${placeOf(layout, layout.above, scrollTop) - LINE}px)`;
}
