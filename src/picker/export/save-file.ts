// Gives a made file to the person, and tells svcd that a sticker was used.

import { sendJson } from '../api.js';
import { hasSession } from '../extras.js';
import { sayToStay } from '../store.js';

/** The browser reads the file after the click. */
const KEPT_MS = 60_000;

export function saveFile(blob: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), KEPT_MS);
}

/** For the list of what was used last, which belongs to a session. */
export function noteExport(presets: readonly string[]): void {
  if (!hasSession()) return;
  sendJson('POST', '/svcd/exports', { presets }).catch((error: unknown) => sayToStay(String(error)));
}
