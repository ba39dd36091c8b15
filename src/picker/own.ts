// The user's own Lottie files: read here only as far as to say at once what is no Lottie file. svcd checks them; the worker
// alone draws them.

import { sendJson } from './api.js';

/** The most svcd takes of one file. */
export const MOST_OWN_BYTES = 8 * 1024 * 1024;
export const MOST_AT_ONCE = 50;

export type OwnProblem = 'large' | 'notJson' | 'notLottie';

export interface OwnDraft {
  readonly file: string;
  readonly title: string;
  readonly keywords: string;
  readonly lottie: string;
}

/** Reads a dropped file. Nothing of a file that is too large is read. */
export async function readOwn(file: File): Promise<OwnDraft | OwnProblem> {
  if (!/\.(json|lottie\.json)$/i.test(file.name)) return 'notJson';
  if (file.size > MOST_OWN_BYTES) return 'large';
  const lottie = await file.text();
  const title = file.name
    .replace(/(\.lottie)?\.json$/i, '')
    .replace(/[_-]+/g, ' ')
    .trim();
  return looksLikeLottie(lottie) ? { file: file.name, title, keywords: '', lottie } : 'notLottie';
}

function looksLikeLottie(text: string): boolean {
  try {
    const { w, h, layers } = JSON.parse(text) as Record<string, unknown>;
    return typeof w === 'number' && typeof h === 'number' && Array.isArray(layers);
  } catch {
    return false;
  }
}

/** Its name under `own/`: what of the title a preset may hold, and a part that no other has. */
async function presetOf({ title, lottie }: OwnDraft): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(lottie)));
  const end = Array.from(digest.subarray(0, 4), (byte) => byte.toString(16).padStart(2, '0')).join('');
  const plain = title
    .toLowerCase()
    .replace(/[^a-z\d]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 40);
  return `own/${plain === '' ? '' : `${plain}-`}${end}`;
}

/** Adds it; the same file again takes its own place. Throws `ApiError`. */
export async function addOwn(draft: OwnDraft): Promise<string> {
  const preset = await presetOf(draft);
  const keywords = [...new Set(draft.keywords.split(/[\s,，、;；]+/u).filter((word) => word !== ''))];
  await sendJson('PUT', `/svcd/library/stickers/${encodeURIComponent(preset)}`, {
    title: draft.title.trim(),
    keywords,
    lottie: draft.lottie,
  });
  return preset;
}

export async function removeOwn(preset: string): Promise<void> {
  await sendJson('DELETE', `/svcd/library/stickers/${encodeURIComponent(preset)}`);
}
