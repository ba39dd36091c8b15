// What svcd answers, as the client hands it on: field for field what is on the wire. Types that answers share with nothing
// else stay here; a test holds them to the schemas of api/ and contract/.

/** Credits; `unknown` while it cannot be told whether something was charged. */
export type Cost = number | 'unknown';

export interface Candidate {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  readonly width?: number;
  readonly height?: number;
  /** Seconds. */
  readonly duration?: number;
  readonly aspect_ratio?: number;
  readonly primary_color?: string;
  readonly file: string;
}

export interface FoundSticker extends Candidate {
  readonly owned: boolean;
  readonly shipped: boolean;
  readonly licence: string;
  readonly attribution: string | null;
}

interface PageFacts {
  readonly total: number;
  readonly offset: number;
  readonly limit: number;
  /** Offset of the next page; null on the last. */
  readonly next: number | null;
}

export interface SearchAnswer extends PageFacts {
  readonly query: string | null;
  /** Words of the query that nothing had, and that were left out. */
  readonly dropped: readonly string[];
  readonly suggestions: readonly string[];
  readonly results: readonly FoundSticker[];
}

export interface RelatedAnswer extends PageFacts {
  readonly preset: string;
  readonly results: readonly (FoundSticker & {
    readonly same_concept: boolean;
    readonly shared: readonly string[];
  })[];
}

export interface CompleteAnswer {
  readonly query: string;
  readonly completions: readonly { readonly word: string; readonly stickers: number }[];
}

export interface MatchAnswer {
  readonly extracted_keywords: readonly string[];
  readonly total: number;
  readonly results: readonly {
    readonly preset: string;
    readonly title: string;
    /** For ordering only. */
    readonly score: number;
    readonly reasons: readonly {
      readonly keyword: string;
      readonly field: 'title' | 'keywords';
      readonly source: 'direct' | 'synonym';
    }[];
    readonly width?: number;
    readonly height?: number;
    readonly duration?: number;
    readonly file: string;
  }[];
}

type Fit = 'strong' | 'fair' | 'weak';
type Have = 'no' | 'owned' | 'own' | 'shipped';

export interface PlannedSticker {
  readonly id: string;
  readonly preset: string | null;
  readonly title?: string;
  readonly fit?: Fit;
  readonly why: readonly string[];
  readonly price: number;
  readonly cost: number;
  readonly have: Have;
  readonly purchase?: number;
  readonly aspect?: number;
  readonly duration_s?: number;
  readonly verdict?: string;
  readonly others: readonly {
    readonly preset: string;
    readonly title: string;
    readonly fit: Fit;
    readonly cost: number;
    readonly have: Have;
  }[];
}

export interface PlannedImage {
  readonly id: string;
  readonly image: { readonly size: string; readonly digest: string };
  readonly price: number;
  readonly cost: number;
  readonly have: Have;
  readonly purchase?: number;
}

export interface Plan {
  readonly plan: 1;
  readonly digest: string;
  readonly template?: string;
  readonly package_sha256?: string;
  readonly copy_sha256?: string;
  readonly remote: string | null;
  readonly library: { readonly known: number; readonly complete: boolean };
  readonly slots: readonly (PlannedSticker | PlannedImage)[];
  readonly cost: number;
  /** Credits left by each limit; null for none. */
  readonly left: {
    readonly request: number | null;
    readonly day: number | null;
    readonly month: number | null;
    readonly token: number | null;
    readonly account: number | null;
    readonly account_as_of: string | null;
  } | null;
  readonly fits: boolean;
  readonly short_of: string | null;
  readonly would_fit: readonly string[];
  readonly warnings: readonly { readonly code: string; readonly words: string; readonly slot?: string }[];
}

/** `place` is the number of a thing in `presets` and then `images`, from 0. */
export type PrefetchEvent =
  | {
      readonly event: 'begun';
      readonly of: number;
      readonly have: number;
      readonly buy: number;
      readonly cost: number;
    }
  | {
      readonly event: 'asset';
      readonly place: number;
      readonly preset?: string;
      readonly image?: true;
      readonly source: 'bought' | 'owned' | 'own' | 'shipped' | 'default';
      readonly reason?: FallbackReason;
      readonly cost: Cost;
      readonly sha256: string;
      readonly bytes: number;
      readonly done: number;
      readonly of: number;
    }
  | {
      readonly event: 'failed';
      readonly place: number;
      readonly preset?: string;
      readonly image?: true;
      readonly cost: Cost;
      readonly done: number;
      readonly of: number;
      readonly code: string;
      readonly message: string;
      readonly hint?: string;
    }
  | { readonly event: 'waiting'; readonly why: string; readonly seconds: number }
  | {
      readonly event: 'ended';
      readonly cost: number;
      /** Places whose cost is not known. */
      readonly uncertain: readonly number[];
      readonly defaults: number;
      readonly failed: readonly number[];
    };

export type FallbackReason =
  | 'offline'
  | 'no_key'
  | 'insufficient_credits'
  | 'budget'
  | 'not_enabled'
  | 'rate_limited'
  | 'late'
  | 'spending_stopped'
  | 'upstream_failure'
  | 'unsettled';

export interface Facts {
  readonly preset: string;
  readonly sha256: string;
  readonly facts: 1;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  readonly frame_rate: number;
  readonly first_frame: number;
  readonly frames: number;
  readonly duration_s: number;
  readonly layers: number;
  readonly keyframes: number;
  readonly markers: readonly { readonly name: string; readonly frame: number; readonly frames: number }[];
  readonly images: { readonly embedded: number; readonly remote: number; readonly bytes: number };
  readonly fonts: readonly string[];
  readonly uses: readonly string[];
  readonly verdict: 'remote' | 'scripted' | 'heavy' | 'differs' | 'clean';
  readonly problems: readonly {
    readonly code: string;
    readonly at: string;
    readonly count: number;
    readonly players: { readonly [player: string]: string };
  }[];
}

/** The content of `assets.lock.json`, for programs that read it themselves. */
export interface Lock {
  readonly $schema?: string;
  readonly lock: 1;
  readonly remote: string | null;
  readonly template?: string;
  readonly package_sha256?: string;
  readonly copy_sha256?: string;
  /** By the name of the slot. */
  readonly assets: { readonly [slot: string]: LockedSticker | LockedImage };
}

export interface LockedSticker extends LockedFile {
  readonly kind: 'sticker';
  /** What was wanted; a default stands for it. */
  readonly preset: string;
  readonly frame_rate: number;
  readonly frames: number;
  readonly form: 'as-bought' | 'safe';
  readonly verdict: Facts['verdict'];
}

export interface LockedImage extends LockedFile {
  readonly kind: 'image';
  /** Digest of size and prompt. */
  readonly image: string;
}

interface LockedFile {
  readonly source: 'service' | 'own' | 'shipped' | 'default';
  readonly reason?: string;
  readonly price: number;
  /** Of what the slot asked for. */
  readonly slot_sha256?: string;
  readonly sha256: string;
  readonly bytes: number;
  readonly width: number;
  readonly height: number;
  /** Beside the lock. */
  readonly file: string;
  readonly licence?: string;
  readonly attribution?: string;
}

type SpendingStop = {
  readonly by: 'user' | 'loss' | 'moved' | 'read_only' | 'elsewhere';
  readonly why: string;
  readonly hint: string;
  readonly since: string | null;
} | null;

export interface Status {
  readonly name: string;
  readonly version: string;
  readonly build: string;
  readonly updated: boolean;
  readonly url: string;
  readonly pid: number;
  readonly started_at: string;
  /** `building` is how much of the index is built anew, from 0 to 1; null while none is built. */
  readonly library: { readonly stickers: number; readonly building: number | null };
  readonly owned: { readonly items: number };
  readonly remote: {
    readonly address: string | null;
    readonly sandbox: boolean;
    readonly proxy: string | null;
    readonly answered: boolean;
    readonly offline: boolean;
    readonly forced: boolean;
    readonly since: string | null;
    readonly why: string | null;
    readonly held_until: string | null;
  };
  readonly spending_stopped: SpendingStop;
  readonly hub: {
    readonly addresses: readonly string[];
    readonly project: string | null;
    readonly machine: string | null;
    readonly user: string | null;
    readonly problem: string | null;
    readonly refusal: { readonly code: string; readonly why: string; readonly at: string } | null;
  } | null;
  readonly key: boolean;
  readonly key_source: 'environment' | 'key_file' | 'keychain' | 'package' | 'sandbox' | 'hub' | 'none';
  readonly keychain: 'found' | 'empty' | 'locked' | 'no_service' | 'no_module' | 'no_answer' | 'not_asked';
}

export interface Spending {
  readonly stopped: SpendingStop;
  readonly spent: number;
  readonly unsettled: number;
  readonly saved: number;
  readonly purchases: {
    readonly intent: number;
    readonly sent: number;
    readonly paid: number;
    readonly refused: number;
    readonly unknown: number;
  };
  readonly budgets: readonly {
    readonly period: 'request' | 'day' | 'month';
    readonly limit: number | null;
    readonly spent: number | null;
  }[];
}
