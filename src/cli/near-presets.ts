// Presets that may have been meant where one was typed that there is not: from the library on this machine, for free.
// Nothing is ever bought on such a guess.

import type { SearchAnswer } from '../contract/candidate.js';
import { QUERY_MAX } from '../contract/limits.js';
import { type ErrorCode, isSvcdError, SvcdError } from '../model/errors.js';
import type { Client } from './client.js';
import { sanitize } from './format.js';
import { countEdits } from './usage-error.js';
import { findWords } from './words/find.js';

const LOOK_AT = 50;
const TOLD = 3;

/** Does the work about a preset; a refusal with one of `codes` tells what may have been meant. */
export async function withNearPresets<T>(
  client: Client,
  preset: string,
  work: () => Promise<T>,
  codes: readonly ErrorCode[] = ['unknown_preset'],
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!codes.some((code) => isSvcdError(error, code))) throw error;
    const hint = await hintOf(client, preset);
    throw hint === undefined
      ? error
      : new SvcdError((error as SvcdError).code, (error as SvcdError).message, { cause: error, hint });
  }
}

/** What to do about a preset that there is not; undefined where the library has it. */
export async function hintOf(client: Client, preset: string): Promise<string | undefined> {
  const near = await nearPresets(client, preset);
  if (near === undefined) return undefined;
  return near.length === 0 ? findWords().noPresets : findWords().presets(near.map(sanitize));
}

/** The presets nearest to one, best first; undefined where the library knows it. */
async function nearPresets(client: Client, preset: string): Promise<string[] | undefined> {
  const found = new Set<string>();
  // The whole, then its last part: what people remember of a preset.
  for (const words of new Set([preset, nameOf(preset)].map((text) => text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()))) {
    if (words === '') continue;
    const query = new URLSearchParams({ q: Array.from(words).slice(0, QUERY_MAX).join(''), limit: String(LOOK_AT) });
    const path = `/api/v1/stickers/search?${query.toString()}`;
    for (const one of (await client.ask<SearchAnswer>('GET', path)).results) found.add(one.preset);
  }
  if (found.has(preset)) return undefined;
  const wanted = nameOf(preset).toLowerCase();
  const ranked = [...found].map((one, i) => ({
    one,
    edits: Math.min(countEdits(wanted, nameOf(one).toLowerCase()), wanted.length),
    i,
  }));
  return ranked
    .toSorted((a, b) => a.edits - b.edits || a.i - b.i)
    .slice(0, TOLD)
    .map(({ one }) => one);
}

function nameOf(preset: string): string {
  return preset.split('/').findLast((part) => part !== '') ?? '';
}
