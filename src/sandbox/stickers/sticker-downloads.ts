// Selling sticker files: one credit a download, and none for a file that is not handed over.

import { SvcdError } from '../../model/errors.js';
import type { Key } from '../key-store.js';
import * as credits from '../money/credit-account.js';
import type { SandboxParts } from '../sandbox-parts.js';
import { PRICES } from '../wire/limits.js';
import { findEntry } from './sticker-store.js';

/**
 * The file of a preset, charged to a Key. Throws `unknown_preset`, `key_limit_exceeded` or `insufficient_credits`, and
 * then nothing is charged.
 */
export async function buySticker({ state, catalogue }: SandboxParts, preset: string, key: Key): Promise<Buffer> {
  const entry = findEntry(state, preset);
  if (entry === undefined) throw new SvcdError('unknown_preset', 'There is no sticker of this preset.');
  // Before the file is read, so that an empty account costs no work; charge() asks again.
  credits.requireCredits(state, key, PRICES.sticker);
  const file = await catalogue.readLottie(entry.at);
  credits.charge(state, key, { capability: 'stickers.file', subject: preset, credits: PRICES.sticker });
  return file;
}
