// What a program that imports the client sees. What it asks is written here, as plain interfaces; a test holds them to the
// schemas of api/ and contract/.

import type {
  CompleteAnswer,
  Cost,
  Facts,
  FoundSticker,
  KnownErrorCode,
  MatchAnswer,
  Plan,
  PrefetchEvent,
  RelatedAnswer,
  SearchAnswer,
  Spending,
  Status,
} from './answer-types.js';

import type { LockLike, LottieFile, MusicSlot, Slot as SlotOf, StickerSlot } from './slots/lock-types.js';

export type * from './answer-types.js';
export type { LockLike, LottieFile } from './slots/lock-types.js';

export interface ConnectOptions {
  /** Where svcd is; else `SERVICE_BASE_URL`, else the daemon of the home, else http://127.0.0.1:7823 if no home was named. */
  readonly baseUrl?: string | undefined;
  /** Sent to addresses of this machine alone; else `SERVICE_API_KEY` of that address, else that of the home. */
  readonly token?: string | undefined;
  /** The home of svcd, if not the usual one; then no other svcd is asked. Node.js only. */
  readonly home?: string | undefined;
  /** A lock file: what it names is read from the files beside it, without svcd. Node.js only. */
  readonly lock?: string | undefined;
  /** Starts svcd in the background if it does not run. Node.js only. */
  readonly start?: boolean | undefined;
  /** No default in place of an asset, unless a call says `fallback: 'default'`, and no slot of the lock that is no choice. Node.js only. */
  readonly strict?: boolean | undefined;
  /** What happens where svcd is not there: a plain asset (`plain`, the default), the service itself, or an error. */
  readonly otherwise?: 'plain' | 'remote' | 'error' | undefined;
  /** The service, for `otherwise: 'remote'`; else `SERVICE_BASE_URL` and the Key in `SERVICE_API_KEY`. */
  readonly remote?: { readonly baseUrl: string; readonly key?: string | undefined } | undefined;
  /**
   * For each call, where it gives none: 60 s (300 s for an image), in which svcd keeps to its own deadline. For a prefetch
   * it bounds how long its answer may take to begin.
   */
  readonly deadlineMs?: number | undefined;
  /** Ends the waiting of every call. */
  readonly signal?: AbortSignal | undefined;
  /** In place of the global one. What is wrong with the program in it is `invalid_argument`. */
  readonly fetch?: ((url: string, init: RequestInit) => Promise<Response>) | undefined;
}

export interface CallOptions {
  /** Told to svcd less 200 ms, so that a default comes before the call ends. */
  readonly deadlineMs?: number | undefined;
  /** Ends the waiting, never a purchase that was sent. */
  readonly signal?: AbortSignal | undefined;
}

export interface AssetOptions extends CallOptions {
  /** Whether a default will do; svcd's own setting where this is left out. */
  readonly fallback?: 'default' | 'error' | undefined;
}

export interface StickerOptions extends AssetOptions {
  /**
   * In other colors: `#e5484d` for the main one and its shades, `all=#e5484d` for all, `#333=#fff,…` for one each. A default keeps its
   * own, and what svcd did not send (`not_colored` in `warnings`).
   */
  readonly color?: string | undefined;
}

/** `L` is the type of the lock, `typeof lock` of the imported JSON. */
export interface Client<L extends LockLike = LockLike> {
  search(query: SearchQuery, options?: CallOptions): Promise<SearchAnswer>;
  /** Every result, page after page. */
  searchAll(query: SearchQuery, options?: CallOptions): AsyncIterable<FoundSticker>;
  match(request: MatchRequest, options?: CallOptions): Promise<MatchAnswer>;
  complete(query: { q: string; limit?: number | undefined }, options?: CallOptions): Promise<CompleteAnswer>;
  related(preset: string, page?: Page, options?: CallOptions): Promise<RelatedAnswer>;
  /** One credit, unless it is owned. */
  sticker(preset: string, options?: StickerOptions): Promise<Sticker>;
  /** Ten credits, unless it is owned. */
  image(request: ImageRequest, options?: AssetOptions): Promise<Image>;
  /** What each slot gets and what it costs; buys nothing. */
  plan(request: PlanRequest, options?: CallOptions): Promise<Plan>;
  /**
   * Buys many things for at most `maxCredits`. A `deadlineMs` of the call is for the whole; without one it takes as long as it
   * takes, and is `timeout` once nothing was heard of svcd for 30 s. Who stops reading stops what has not begun.
   */
  prefetch(request: PrefetchRequest, options?: CallOptions): AsyncIterable<PrefetchEvent>;
  /** What the lock of `connect` has for a slot: its very file, without svcd. Node.js only. */
  slot<S extends SlotOf<L>>(slot: S): Promise<SlotAsset<L, S>>;
  facts(preset: string, options?: CallOptions): Promise<Facts>;
  status(options?: CallOptions): Promise<Status>;
  spending(options?: CallOptions): Promise<Spending>;
}

/** A sticker or an image by what the lock says; either where its type is not known. */
export type SlotAsset<L extends LockLike, S extends SlotOf<L>> =
  string extends SlotOf<L>
    ? Sticker | Image
    : S extends StickerSlot<L>
      ? Sticker
      : S extends MusicSlot<L>
        ? Asset
        : Image;

export interface Asset {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly contentType: string;
  /** Lower-case hexadecimal, of `bytes`. */
  readonly sha256: string;
  /** `locked` is a file of the lock; `remote` was bought just now. */
  readonly source: 'library' | 'owned' | 'remote' | 'default' | 'last-known' | 'locked';
  /** Why it is a default: a reason of svcd, or `no_svcd`. */
  readonly reason: string | undefined;
  /** What this very call spent. */
  readonly cost: Cost;
  /** Credits of the account, where they are told. */
  readonly balance: number | undefined;
  /** The credit line it asks for. */
  readonly attribution: string | undefined;
  /** What common players trip over in it, `not_kept`, and `locked_file_damaged` and `locked_file_missing`. */
  readonly warnings: readonly string[];
}

export interface Sticker extends Asset {
  /** What was asked for; a default stands for it. */
  readonly preset: string;
  /** Undefined for a file without a size, a rate and an end. */
  readonly facts: StickerFacts | undefined;
  json(): LottieFile;
}

export interface StickerFacts {
  readonly width: number;
  readonly height: number;
  readonly frame_rate: number;
  readonly first_frame: number;
  readonly frames: number;
  readonly duration_s: number;
  /** Where it is known. */
  readonly verdict: string | undefined;
}

export interface Image extends Asset {
  readonly width: number;
  readonly height: number;
  /** The size that was asked for. */
  readonly size: string;
  /** Where svcd shows it; undefined for a file of the lock and a plain one. */
  readonly url: string | undefined;
  /** What the service says of it, such as another size than the one asked for. */
  readonly notices: readonly unknown[];
}

export interface SearchQuery {
  readonly q?: string | undefined;
  /** 1 to 50; of each page for `searchAll`. */
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
  readonly owned?: boolean | undefined;
  /** Whether svcd's own are among them, or none; else where nothing else suits as well. */
  readonly shipped?: boolean | undefined;
  /** `#rrggbb` */
  readonly color?: string | undefined;
  readonly distance?: number | undefined;
  /** `square`, `wide`, `tall`, a ratio (`16:9`, 1.5) or a range (`0.8..1.25`). */
  readonly aspect?: string | number | undefined;
  readonly minDuration?: number | undefined;
  readonly maxDuration?: number | undefined;
  /** The first part of a preset, as `twemoji`. */
  readonly style?: string | undefined;
  readonly style_kind?: 'filled' | 'outline' | 'colour' | undefined;
}

export interface Page {
  readonly limit?: number | undefined;
  readonly offset?: number | undefined;
}

export interface MatchRequest {
  readonly text?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly limit?: number | undefined;
}

export type ImageSize = '1024x1024' | '1536x1024' | '1024x1536';

export interface ImageRequest {
  readonly prompt: string;
  readonly size: ImageSize;
  /** Another picture for the same words. */
  readonly variant?: string | undefined;
  /** One never asked for before; never asked for twice by the client. */
  readonly fresh?: boolean | undefined;
}

/** As in `copy.json`. */
export interface Slot {
  readonly id: string;
  readonly want?: 'sticker' | 'image' | 'music' | undefined;
  readonly text?: string | undefined;
  readonly keywords?: readonly string[] | undefined;
  readonly preset?: string | undefined;
  readonly aspect?: number | undefined;
  readonly max_duration_s?: number | undefined;
  /** In other colors, as of `sticker`. */
  readonly color?: string | undefined;
  readonly prompt?: string | undefined;
  readonly size?: ImageSize | undefined;
  /** Of music, which svcd asks the service for: a plan needs `refresh`. */
  readonly purpose?: string | undefined;
  readonly mood?: string | undefined;
  readonly style?: string | undefined;
  readonly duration_s?: number | undefined;
  readonly track?: string | undefined;
  readonly optional?: boolean | undefined;
}

export interface PlanRequest {
  readonly slots: readonly Slot[];
  readonly maxCredits?: number | undefined;
  /** Asks the service for the balance and for matches first. */
  readonly refresh?: boolean | undefined;
}

export interface PrefetchRequest {
  readonly presets?: readonly string[] | undefined;
  readonly images?: readonly { readonly prompt: string; readonly size: ImageSize }[] | undefined;
  /** All of it may cost this much at most, or nothing is bought. */
  readonly maxCredits: number;
  /** Whether a default will do (the default), or what cannot be had has failed. */
  readonly fallback?: 'default' | 'error' | undefined;
}

/** A service may have others. */
export type ErrorCode = KnownErrorCode | (string & {});

export interface ErrorDetail {
  /** HTTP status of the answer that says so. */
  readonly status?: number | undefined;
  readonly hint?: string | undefined;
  readonly retryAfterS?: number | undefined;
  readonly cause?: unknown;
}
