// Buys what is missing in one request under one ceiling, and takes bytes by their digests: neither can spend more than was
// shown, and taking cannot spend at all.

import { json } from 'node:stream/consumers';
import type { LockedAsset } from '../../api/lock.js';
import { prefetchEventSchema, type PrefetchEvent, type PrefetchRequest } from '../../api/prefetch.js';
import type { Credit } from '../../model/credit.js';
import { parseWith } from '../../contract/json-body.js';
import { type ErrorCode, SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';
import { parseJson } from '../../platform/json.js';
import { readLines } from '../../platform/read-lines.js';
import { soundFacts } from '../lock/sound-facts.js';
import { asLocked } from './sticker-forms.js';
import { jsonQuestion, refusalIn, toRefusal, type Asker, type Telling } from './asker.js';
import type { ApplyWords } from './words.js';

type AssetEvent = Extract<PrefetchEvent, { event: 'asset' }>;
export type Place = Extract<PrefetchEvent, { event: 'asset' | 'failed' }>;

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
/** Between what a service says of a track's length and what its file says: it may count whole seconds. */
const LENGTH_SLACK_S = 1.5;

/** Throws the refusal, and `not_running` when the answer ends too early. */
export async function buyAssets(asker: Asker, request: PrefetchRequest, { words, note }: Telling): Promise<Bought> {
  const answer = await asker.stream('POST', '/svcd/prefetch', jsonQuestion(request));
  if (answer.status !== 200) throw toRefusal((await json(answer.body)) as object);
  const places: Place[] = [];
  try {
    for await (const lines of readLines(answer.body, { maxBytes: LINE_MAX_BYTES, batch: 1 })) {
      for (const { text } of lines) {
        const event = parseWith(prefetchEventSchema, parseJson(text ?? ''));
        if (event.event === 'error') throw toRefusal(event);
        if (event.event === 'waiting') note(words.waits(event.seconds, event.why));
        if (event.event === 'asset' || event.event === 'failed') places[event.place] = event;
        if (event.event !== 'ended') continue;
        if (event.uncertain.length > 0) note(words.uncertain(event.uncertain.length));
        return { places, cost: event.cost };
      }
    }
  } finally {
    answer.body.destroy();
  }
  throw refusalIn(words.cutOff, 'not_running');
}

/** What became of a slot's order. Throws why it could not be had; what the rest of the request cost is told with it. */
export function placeOf({ places, cost }: Bought, at: number, slot: string, words: ApplyWords): AssetEvent {
  const event = places[at];
  if (event === undefined) throw new SvcdError('internal', `svcd did not say what became of ${slot}`);
  if (event.event === 'asset') return event;
  const { code, message, hint } = toRefusal(event);
  const hints = [hint, cost === 0 ? undefined : words.spent(cost)].filter((one) => one !== undefined);
  throw refusalIn([`${slot}${words.colon}${message}`, hints.length === 0 ? undefined : hints.join('\n')], code);
}

/**
 * The file of a digest; undefined when it is not owned here. It may be the safe form of the file of `preset`. Throws every
 * other refusal.
 */
export async function takeByDigest(asker: Asker, sha256: string, preset?: string): Promise<TakenFile | undefined> {
  const query = preset === undefined ? '' : `?preset=${encodeURIComponent(preset)}`;
  const answer = await asker.request('GET', `/svcd/owned/by-digest/${sha256}${query}`);
  if (answer.status === 404) return undefined;
  if (answer.status !== 200) throw toRefusal(answer.json() as object);
  const bytes = answer.bytes();
  if (sha256Hex(bytes) !== sha256) throw new SvcdError('internal', `svcd gave other bytes than those of ${sha256}`);
  const decoded = (name: string) => {
    const value = answer.header(name);
    return value === undefined ? undefined : decodeURIComponent(value);
  };
  return { bytes, licence: decoded('x-svcd-licence'), attribution: decoded('x-svcd-attribution') };
}

/** The file that a lock names for a slot, made of what was bought where it has other colors; undefined when it is not owned here, and of music when the service gives another. */
export async function takeLocked(asker: Asker, locked: LockedAsset, telling: Telling): Promise<TakenFile | undefined> {
  const here = await takeByDigest(asker, locked.sha256, locked.kind === 'sticker' ? locked.preset : undefined);
  if (here !== undefined || locked.kind === 'image') return here;
  if (locked.kind === 'sticker') {
    const { source_sha256: source } = locked;
    const file = source === undefined ? undefined : await takeByDigest(asker, source);
    const made = file && (await asLocked(file.bytes, locked, telling));
    return made && { ...file, bytes: made };
  }
  const file = await takeTrack(asker, locked, telling.words);
  return sha256Hex(file.bytes) === locked.sha256 ? file : undefined;
}

/**
 * A track of the service. Throws its refusal, and `upstream_failure` for silence, for no sound, and for another length than was told;
 * of what `isOptional` the rest is bought without it.
 */
export async function takeTrack(
  asker: Asker,
  { track, duration_s: told, licence, attribution }: { track: string; duration_s?: number } & Credit,
  words: ApplyWords,
  isOptional = false,
): Promise<TakenFile> {
  const refusal = (why: string, code: ErrorCode, hint?: string) => {
    const unusable = words.badTrack(track, why);
    return refusalIn([isOptional ? unusable : words.nothingBought(unusable), hint], code);
  };
  const answer = await asker.request('GET', `/svcd/music/${encodeURIComponent(track)}/file`);
  if (answer.status !== 200) {
    const { code, message, hint } = toRefusal(answer.json() as object);
    throw refusal(message, code, hint);
  }
  const bytes = answer.bytes();
  const facts = soundFacts(bytes);
  const length = facts?.duration_s ?? told;
  const problem =
    facts === undefined
      ? words.noSound
      : facts.isSilent
        ? words.silence
        : length === undefined
          ? words.noLength
          : told !== undefined && Math.abs(length - told) > LENGTH_SLACK_S && words.otherLength(length, told);
  if (problem === undefined || problem === false) return { bytes, licence, attribution };
  throw refusal(problem, 'upstream_failure');
}

/** Selects a track into the private assets of the account. Throws its refusal. */
export function selectTrack(asker: Asker, track: string): Promise<unknown> {
  return asker.ask('POST', `/svcd/music/${encodeURIComponent(track)}/select`);
}

/** Throws `budget` for a price above a ceiling, before anything is bought. */
export function requireWithin(price: number, max: number | undefined, words: ApplyWords): void {
  if (max !== undefined && price > max) throw refusalIn(words.overMax(price, max), 'budget');
}
