// Presets that may have been meant where one was typed that there is not: found as `svcd search` finds, for free.
// Nothing is ever bought on such a guess.

import type { FindAnswer } from '../../api/find.js';
import type { Candidate } from '../../contract/candidate.js';
import { LIMIT_MAX, QUERY_MAX } from '../../contract/limits.js';
import { type ErrorCode, isSvcdError } from '../../model/errors.js';
import { isOwnName } from '../../model/sticker.js';
import type { Client } from '../connection/client.js';
import { sanitize } from '../terminal/format.js';
import { countEdits } from '../../platform/nearest-name.js';
import { findWords } from './words.js';

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
    if (!isSvcdError(error) || !codes.includes(error.code)) throw error;
    throw error.with({ hint: await hintOf(client, preset) });
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
  // What users call their own stickers is nothing that a search may tell the service.
  if (isOwnName(preset)) return [];
  const found = new Map<string, Candidate>();
  // The whole, then its last part: what people remember of a preset.
  for (const words of new Set([wordsOf(preset), wordsOf(nameOf(preset))])) {
    if (words === '') continue;
    const query = new URLSearchParams({ q: Array.from(words).slice(0, QUERY_MAX).join(''), limit: String(LIMIT_MAX) });
    const path = `/svcd/search?${query.toString()}`;
    for (const one of (await client.ask<FindAnswer>('GET', path)).results) found.set(one.preset, one);
  }
  if (found.has(preset)) return undefined;
  const wanted = nameOf(preset).toLowerCase();
  const far = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  const ranked = [...found.values()].map((one, i) => {
    const edits = countEdits(wanted, nameOf(one.preset).toLowerCase());
    return { preset: one.preset, far: edits < far ? edits : isAbout(one, wordsOf(wanted)) ? far : Infinity, i };
  });
  return ranked
    .filter((one) => one.far <= far)
    .toSorted((a, b) => a.far - b.far || a.i - b.i)
    .slice(0, TOLD)
    .map((one) => one.preset);
}

/** Search finds something for nearly everything; it may have been meant only where its own words say so. */
function isAbout({ preset, title, keywords }: Candidate, words: string): boolean {
  const told = [title ?? '', ...keywords, wordsOf(nameOf(preset))].map((text) => text.toLowerCase());
  return told.some((text) => text.length > 1 && (text.includes(words) || words.includes(text)));
}

function wordsOf(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, ' ').trim();
}

function nameOf(preset: string): string {
  return preset.split('/').findLast((part) => part !== '') ?? '';
}
