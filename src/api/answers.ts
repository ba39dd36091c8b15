// The other answers of svcd, as schemas: for the OpenAPI document, for the types of handlers, and for the tests that
// hold svcd to them.

import * as v from 'valibot';
import { PERMISSIONS } from '../model/spender.js';
import type { Told } from './operation.js';
import { PURCHASE_STATES } from './money.js';

/** ISO 8601. */
const instant = v.string();
const credits = v.number();
const limit = v.nullable(credits);
const texts = v.array(v.string());
const badLines = v.array(v.object({ line: v.number(), why: v.string() }));

// The service's own, of which only what its document shows is promised.
export const lottie = v.looseObject({ w: v.number(), h: v.number(), layers: v.array(v.unknown()) });
export const image = v.looseObject({ size: v.string(), width: v.number(), height: v.number() });
export const account = v.looseObject({});
export const capabilities = v.looseObject({ capabilities: v.array(v.looseObject({})) });
export const production = v.looseObject({
  production_id: v.nullable(v.string()),
  latest_version: v.nullable(v.string()),
});

export const openApi = v.looseObject({ openapi: v.string(), paths: v.looseObject({}) });
export const signpost = v.object({
  name: v.string(),
  status: v.string(),
  search: v.string(),
  guide: v.string(),
  openapi: v.string(),
});
/** Why nothing is bought at all, and what to do; null when buying is allowed. */
const spendingStop = v.nullable(
  v.object({
    by: v.picklist(['user', 'loss', 'moved', 'read_only', 'disk_full', 'elsewhere', 'newer']),
    why: v.string(),
    hint: v.string(),
    since: v.nullable(instant),
  }),
);
const hubRefusal = v.object({
  /** `machine_revoked`, `not_a_machine`, `hub_certificate_changed`: nothing more is served; `budget`, `hub_without_key`: the last purchase. */
  code: v.string(),
  why: v.string(),
  at: instant,
});
export type HubRefusal = Told<typeof hubRefusal>;
const hubBelonging = v.object({
  /** As `https://HOST:PORT`. */
  addresses: v.array(v.string()),
  /** The project that pays. */
  project: v.nullable(v.string()),
  /** What the hub calls this machine. */
  machine: v.nullable(v.string()),
  user: v.nullable(v.string()),
  /** Why svcd cannot tell which hub it is; null where it can. */
  problem: v.nullable(v.string()),
  /** What the hub last refused this machine for good, until it serves it again. */
  refusal: v.nullable(hubRefusal),
});
export type HubBelonging = Told<typeof hubBelonging>;

export const status = v.object({
  name: v.string(),
  version: v.string(),
  /** Which build of that version runs. */
  build: v.string(),
  /** Whether svcd's files were replaced since it started: a restart brings the new ones. */
  updated: v.boolean(),
  url: v.string(),
  pid: v.number(),
  started_at: instant,
  library: v.object({
    stickers: v.number(),
    /** Those of them that svcd brought and the service was not heard to have; absent from an older daemon. */
    shipped: v.exactOptional(v.number()),
    /** How much of the index is built anew, from 0 to 1; null while none is built. */
    building: v.nullable(v.number()),
    /** How far it is, while it is filled by asking the service or copied from a hub; null otherwise. */
    filling: v.nullable(
      v.object({
        known: v.number(),
        total: v.nullable(v.number()),
        seconds_left: v.nullable(v.number()),
        from_hub: v.boolean(),
        /** Whether nobody is asked at the moment; absent from an older daemon. */
        waiting: v.exactOptional(v.boolean()),
      }),
    ),
  }),
  owned: v.object({ items: v.number() }),
  remote: v.object({
    address: v.nullable(v.string()),
    sandbox: v.boolean(),
    /** Address of the proxy it is asked through, without user and password. */
    proxy: v.nullable(v.string()),
    /** Whether it has answered since svcd started. */
    answered: v.boolean(),
    offline: v.boolean(),
    /** Whether the user wants to be offline. */
    forced: v.boolean(),
    since: v.nullable(instant),
    why: v.nullable(v.string()),
    /** Until when the service asked to be left alone (`Retry-After`, at most an hour). */
    held_until: v.nullable(instant),
  }),
  spending_stopped: spendingStop,
  /** The hub that this home belongs to; null where it belongs to none. */
  hub: v.nullable(hubBelonging),
  /** Requests of pages that were refused since svcd started, by origin; told to the owner. */
  refused: v.exactOptional(v.array(v.object({ origin: v.string(), requests: v.number() }))),
  key: v.boolean(),
  key_source: v.picklist(['environment', 'key_file', 'keychain', 'package', 'sandbox', 'hub', 'none']),
  /** What the remote last said is wrong with the Key, such as `invalid_key`; null where nothing is known. */
  key_problem: v.nullable(v.string()),
  keychain: v.picklist(['found', 'empty', 'locked', 'no_service', 'no_module', 'no_answer', 'not_asked']),
});
export type DaemonStatus = Told<typeof status>;
export const free = v.object({ owned: texts, shipped: texts });
/** `kept` is whether the next start will know. */
export const offline = v.object({ offline: v.boolean(), kept: v.boolean() });
export const stopping = v.object({ stopping: v.boolean() });
export const selectedMusic = v.object({ track: v.string() });
export const removed = v.object({ removed: v.string() });

const registered = {
  preset: v.string(),
  size_bytes: v.number(),
  sha256: v.string(),
  added_at: instant,
  width: v.number(),
  height: v.number(),
};
export const registeredDefault = v.object(registered);
export const defaults = v.object({ defaults: v.array(registeredDefault) });
export type DefaultView = Told<typeof registeredDefault>;

const ownSticker = { ...registered, title: v.string(), keywords: texts, duration: v.number() };
export const ownStickers = v.object({ stickers: v.array(v.object(ownSticker)) });
export const addedSticker = v.object({ ...ownSticker, replaced: v.boolean() });
export type OwnStickerView = Told<typeof ownStickers>['stickers'][number];

export const purchase = v.object({
  id: v.number(),
  kind: v.picklist(['sticker', 'image']),
  preset: v.exactOptional(v.string()),
  /** A digest of its prompt and size. */
  image: v.exactOptional(v.string()),
  state: v.picklist(PURCHASE_STATES),
  price: credits,
  cost: v.nullable(credits),
  reason: v.nullable(v.string()),
  owned: v.boolean(),
  /** `name@version` of the template whose run asked for it. */
  template: v.exactOptional(v.string()),
  created_at: instant,
  settled_at: v.nullable(instant),
  /** When svcd looks by itself what became of one of unknown end; left out where it does not. */
  looks_again_at: v.exactOptional(instant),
});
export type PurchaseView = Told<typeof purchase>;
export const purchases = v.object({ purchases: v.array(purchase) });
/** What one look at the balance said of all purchases of unknown end. */
export const settledPurchases = v.object({
  settled: v.array(purchase),
  /** Those of which it cannot tell, and why. */
  left: v.array(v.object({ ...purchase.entries, why: v.string() })),
});
export type SettledPurchases = Told<typeof settledPurchases>;

const periods = v.array(
  v.object({ period: v.picklist(['request', 'day', 'month']), limit, spent: v.nullable(credits) }),
);
export const budgets = v.object({ budgets: periods });
export const spending = v.object({
  stopped: spendingStop,
  spent: credits,
  /** Of purchases under way or of unknown end. */
  unsettled: credits,
  saved: credits,
  purchases: v.object(v.entriesFromList(PURCHASE_STATES, v.number())),
  budgets: periods,
});
export type Spending = Told<typeof spending>;

const counts = { lines: v.number(), added: v.number(), unchanged: v.number() };
export const libraryReport = v.object({
  ...counts,
  changed: v.number(),
  /** More than 64 of a sticker, repeated, or too long. */
  dropped_keywords: v.number(),
  bad: v.number(),
  bad_lines: badLines,
  /** Whether the file came to its end; null for one that cannot say. */
  whole: v.nullable(v.boolean()),
});
export const ownedReport = v.object({
  ...counts,
  mended: v.number(),
  bad: v.number(),
  bad_lines: badLines,
  whole: v.boolean(),
});
export type OwnedReport = v.InferOutput<typeof ownedReport>;

export const origins = v.object({ origins: texts });
export const originAdded = v.object({ added: v.string(), origins: texts });
export const originRemoved = v.object({ removed: v.string(), origins: texts });

export const key = v.object({
  source: v.string(),
  path: v.nullable(v.string()),
  last_four: v.nullable(v.string()),
  /** Name of the keychain's entry: the remote's base address. */
  account: v.nullable(v.string()),
  keychain: v.object({ state: v.string(), words: v.string(), hint: v.nullable(v.string()) }),
  warnings: texts,
});

export const token = v.object({ token: v.string() });
export const namedToken = v.object({ name: v.string(), token: v.string() });
/** Never the token itself. */
const tokenView = v.object({
  name: v.string(),
  /** `name@version` of the template that it is fenced to. */
  template: v.exactOptional(v.string()),
  only: v.array(v.picklist(PERMISSIONS)),
  /** `total` is for as long as it lives. */
  limits: v.object({ request: limit, day: limit, month: limit, total: limit }),
  /** Credits spent or reserved. */
  spent: v.object({ day: credits, month: credits, total: credits }),
  /** Whether it belongs to a command that runs, and ends with it. */
  temporary: v.boolean(),
  created_at: instant,
  last_used_at: v.nullable(instant),
});
export const tokens = v.object({ tokens: v.array(tokenView) });
export type TokenView = Told<typeof tokenView>;
export const revoked = v.object({ revoked: v.string() });
export const sessionCode = v.object({ url: v.string(), expires_in_s: v.number() });
export const pageCode = v.object({ code: v.string(), expires_in_s: v.number() });
export type PageCode = Told<typeof pageCode>;
