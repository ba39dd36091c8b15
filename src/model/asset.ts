// An asset: bytes that leave svcd for a client, with where they came from and what they cost.

import type { Credit } from './credit.js';
import { sha256Hex } from './hash.js';

/** Where an answer came from (`X-Svcd-Source`). */
export const SOURCES = ['library', 'owned', 'remote', 'default', 'last-known'] as const;
export type Source = (typeof SOURCES)[number];

/** Why a default was served (`X-Svcd-Reason`). */
export const FALLBACK_REASONS = [
  'offline',
  'no_key',
  'insufficient_credits',
  'budget',
  'not_enabled',
  'rate_limited',
  'late',
  'spending_stopped',
  'disk_full',
  'upstream_failure',
  'unsettled',
  'unknown_preset',
] as const;
export type FallbackReason = (typeof FALLBACK_REASONS)[number];

export const LOTTIE_TYPE = 'application/json';

/** Bytes with their type and digest. */
export interface Asset {
  readonly bytes: Uint8Array;
  readonly contentType: string;
  /** Lower-case hexadecimal SHA-256 of `bytes`. */
  readonly sha256: string;
  /** The same bytes compressed, where that was worth it. */
  readonly gzip?: Uint8Array;
  readonly brotli?: Uint8Array;
}

/** An asset of these bytes, with their digest. */
export function assetOf(bytes: Uint8Array, contentType: string): Asset {
  return { bytes, contentType, sha256: sha256Hex(bytes) };
}

/** Credits; `unknown` while a call is under way, or it cannot be told whether it was charged. */
export type Cost = number | 'unknown';

/** An asset on its way to a client; the credit is of what is delivered. */
export interface Delivery extends Asset, Credit {
  readonly source: Source;
  /** Credits that this very request spent. */
  readonly cost: Cost;
  readonly reason?: FallbackReason;
  /** In so many seconds svcd looks what became of an earlier purchase, of which nothing is known. */
  readonly looksAgainS?: number;
  /** False when it was paid for and could not be written down (yet). */
  readonly kept?: boolean;
  /** What common players trip over in it: stable words (`X-Svcd-Warning`). */
  readonly warnings?: readonly string[];
  /** What a render has to expect of it (`X-Svcd-Verdict`); undefined as long as it is not known. */
  readonly verdict?: Verdict | undefined;
  /** Which default and why, in plain ASCII (`X-Svcd-Default`). */
  readonly chosen?: string;
}

/** Text of any script for a header, in plain ASCII: everything else, `%`, `;` and control characters are percent-encoded. */
export function asciiText(text: string): string {
  // Half a surrogate pair cannot be encoded.
  return text.replace(/\p{Cs}/gu, '\uFFFD').replace(/[^\x20-\x7e]|[%;]/gu, encodeURIComponent);
}

/** Version of the facts: a file that is the same has the same facts of the same version. */
export const FACTS_VERSION = 1;

/** The worst first: `remote` and `scripted` files may look different each time, `heavy` ones are slow. */
export const VERDICTS = ['remote', 'scripted', 'heavy', 'differs', 'clean'] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Of the file as it was bought, or without code and without what is fetched from elsewhere. */
export const FORMS = ['as-bought', 'safe'] as const;
export type Form = (typeof FORMS)[number];
