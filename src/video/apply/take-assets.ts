// Buys what is missing in one request under one ceiling, and takes bytes by their digests: neither can spend more than was
// shown, and taking cannot spend at all.

import type { LockedAsset } from '../../api/lock.js';
import { prefetchEventSchema, type PrefetchEvent, type PrefetchRequest } from '../../api/prefetch.js';
import { parseWith } from '../../contract/json-body.js';
import { ERROR_CODES, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { isOwnName } from '../../model/sticker.js';
import { readLines } from '../../platform/read-lines.js';
import { parseJson } from '../../platform/json.js';
import type { Client } from '../../cli/connection/client.js';
import { formatCount, sanitize } from '../../cli/terminal/format.js';
import { gather } from '../../cli/connection/http-exchange.js';
import { printNote } from '../../cli/terminal/output.js';
import { expectOk, jsonQuestion } from '../../cli/connection/running-daemon.js';
import { applyWords } from '../../cli/video/apply-words.js';

type AssetEvent = Extract<PrefetchEvent, { event: 'asset' }>;
type FailedEvent = Extract<PrefetchEvent, { event: 'failed' }>;
export type Place = AssetEvent | FailedEvent;

export interface Bought {
  /** What each thing came to, in the order of the request. */
  readonly places: readonly Place[];
  readonly cost: number;
}

export interface TakenFile {
  readonly bytes: Uint8Array;
  readonly licence: string | undefined;
  readonly attribution: string | undefined;
}

const LINE_MAX_BYTES = 1024 * 1024;

/** Throws the refusal, and `not_running` when the answer ends too early. */
export async function buyAssets(client: Client, request: PrefetchRequest): Promise<Bought> {
  const answer = await client.stream('POST', '/svcd/prefetch', jsonQuestion(request));
  if (answer.status !== 200) expectOk(await gather(answer));
  const places: Place[] = [];
  try {
    for await (const lines of readLines(answer.body, { maxBytes: LINE_MAX_BYTES, batch: 1 })) {
      for (const { text } of lines) {
        const event = parseWith(prefetchEventSchema, parseJson(text ?? ''));
        if (event.event === 'ended') return endedWith(places, event);
        if (event.event === 'error') throw refusalOf(event);
        if (event.event === 'waiting') printNote(sanitize(applyWords().waits(event.seconds, event.why)));
        if (event.event === 'asset' || event.event === 'failed') places[event.place] = event;
      }
    }
  } finally {
    answer.body.destroy();
  }
  throw new SvcdError('not_running', applyWords().cutOff, { hint: applyWords().cutOffHint });
}

function endedWith(places: readonly Place[], { cost, uncertain }: Extract<PrefetchEvent, { event: 'ended' }>): Bought {
  if (uncertain.length > 0) {
    const files = formatCount(uncertain.length, 'file');
    printNote(applyWords().uncertain(files));
  }
  return { places, cost };
}

/** The error of what could not be had for a slot; `spent` is what the whole request cost. */
export function failureOf(event: FailedEvent, slot: string, spent: number): SvcdError {
  const { code, message, hint } = refusalOf(event);
  const credits = formatCount(spent, 'credit');
  const paid = applyWords().spent(credits);
  const hints = [hint, spent === 0 ? undefined : paid].filter((one) => one !== undefined);
  return new SvcdError(
    code,
    `${slot}${applyWords().colon}${message}`,
    hints.length === 0 ? {} : { hint: hints.join('\n') },
  );
}

function refusalOf({ code, message, hint }: Pick<FailedEvent, 'code' | 'message' | 'hint'>): SvcdError {
  const known = ERROR_CODES.find((one) => one === code) ?? 'upstream_failure';
  return new SvcdError(known, message, hint === undefined ? {} : { hint });
}

/**
 * The file of a digest; undefined when it is not owned here. It may be the safe form of the file of `preset`. Throws every
 * other refusal.
 */
export async function takeByDigest(client: Client, sha256: string, preset?: string): Promise<TakenFile | undefined> {
  const query = preset === undefined ? '' : `?preset=${encodeURIComponent(preset)}`;
  const answer = await client.request('GET', `/svcd/owned/by-digest/${sha256}${query}`);
  if (answer.status === 404) return undefined;
  const bytes = expectOk(answer).bytes();
  if (sha256Hex(bytes) !== sha256) throw new SvcdError('internal', `svcd gave other bytes than those of ${sha256}`);
  const decoded = (name: string) => {
    const value = answer.header(name);
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  return { bytes, licence: decoded('x-svcd-licence'), attribution: decoded('x-svcd-attribution') };
}

/** `opening: fluent-emoji-flat/birthday-cake, 1 credit`: what a slot of a lock would cost. */
export function describeUnmet(slot: string, asset: LockedAsset): string {
  const words = applyWords();
  const what = asset.kind === 'sticker' ? asset.preset : words.anImage;
  if (asset.source === 'default') return words.unmetDefault(slot, what);
  const isOwn = asset.kind === 'sticker' && isOwnName(asset.preset);
  return isOwn ? words.unmetOwn(slot, what) : words.unmetPrice(slot, what, formatCount(asset.price, 'credit'));
}
