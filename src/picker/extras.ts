// What opens the parts of the page that are loaded late: a paste outside a field is read as copy, dropped files are the
// person's own stickers.

import { signal } from '@preact/signals';
import { change, layer, session } from './store.js';

/** The copy that was pasted: kept here alone, in no address, storage or log. */
export const copyText = signal('');
/** Counts what was pasted, so that the same text is matched again. */
export const copyCount = signal(0);
/** What was typed after `>` before the list of commands was there. */
export const commandText = signal('');
/** Files that were dropped and not read yet. */
export const dropped = signal<readonly File[]>([]);
/** Whether this page has a session, while it is good: without one there is nothing to change. */
export const hasSession = (): boolean => session.value === 'live';

/** Whether the rail asks for the name of a new collection. */
export const asksForCollection = signal(false);

/** Shows the copy view; a text is matched at once. */
export function openCopy(text?: string): void {
  if (text !== undefined) {
    copyText.value = text;
    copyCount.value += 1;
  }
  change({ mode: 'copy', preset: '' }, 'push');
}

export function beginExtras(): void {
  addEventListener('paste', (event) => {
    if (isField(event.target) || isModalOpen()) return;
    const text = event.clipboardData?.getData('text/plain') ?? '';
    const files = [...(event.clipboardData?.files ?? [])];
    if (text.trim() === '' && files.length === 0) return;
    event.preventDefault();
    if (text.trim() === '') openOwn(files);
    else openCopy(text);
  });
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') === true;
  addEventListener('dragover', (event) => {
    if (hasFiles(event)) event.preventDefault();
  });
  // Without this the browser would leave the page and show the file.
  addEventListener('drop', (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    openOwn([...(event.dataTransfer?.files ?? [])]);
  });
}

/** Lists the commands that hold what was typed after `>`. */
export function openCommands(typed: string): void {
  commandText.value = typed.replace(/^\s*>/, '');
  layer.value = { kind: 'commands', presets: [] };
}

export function openOwn(files: readonly File[] = []): void {
  dropped.value = files;
  layer.value = { kind: 'own', presets: [] };
}

function isModalOpen(): boolean {
  return document.querySelector('dialog[open]') !== null;
}

/** Whether what is typed there belongs to the field. */
export function isField(target: EventTarget | null): boolean {
  const fields = 'input:not([type=checkbox], [type=color], [type=range]), textarea, select';
  return target instanceof HTMLElement && (target.matches(fields) || target.isContentEditable);
}
