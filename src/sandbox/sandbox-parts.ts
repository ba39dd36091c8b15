// The parts of a sandbox over its one file, each with what it needs of the others. What they do over HTTP is in the
// routes, which take from here what they use.

import { openCatalogue } from '../catalogue/catalogue.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { Accounts } from './accounts.js';
import { CapabilitySwitches } from './capability-switches.js';
import { FaultRules } from './faults/fault-rules.js';
import { drawImage } from './images/draw-image.js';
import { ImageService, type DrawImage, type ImageLimits } from './images/image-service.js';
import { KeyStore } from './key-store.js';
import { CreditAccount } from './money/credit-account.js';
import { Ledger } from './money/ledger.js';
import { Payments } from './money/payments.js';
import { Rewards } from './money/rewards.js';
import { RateLimit } from './rate-limit.js';
import { RequestJournal } from './request-journal.js';
import { SandboxClock } from './state/sandbox-clock.js';
import type { SandboxDatabase } from './state/sandbox-database.js';
import { Seed } from './state/seed.js';
import { sellStickers } from './stickers/sticker-downloads.js';
import { StickerFinder } from './stickers/sticker-finder.js';
import { StickerStore } from './stickers/sticker-store.js';
import { TemplateStore } from './templates/template-store.js';
import type { Capability } from './wire/capabilities.js';
import { LIMITS } from './wire/limits.js';

export interface PartsOptions extends ImageLimits {
  /** The folder that holds `stickers.jsonl` and its packs. */
  catalogueFolder: string;
  clock: Clock;
  log: Log;
  /** What a new file makes its Keys, ids and chances from; a file keeps the one it began with. */
  seed?: number | undefined;
  requestsPerMinute?: number;
  /** How many requests the journal keeps. */
  requestsKept?: number | undefined;
  draw?: DrawImage;
}

export type SandboxParts = ReturnType<typeof openParts>;

/** Opens them, filling a new file from the catalogue. Throws `invalid_argument` for another seed than the file's. */
export function openParts(db: SandboxDatabase, options: PartsOptions, capabilities: readonly Capability[]) {
  const { log, draw = drawImage, requestsPerMinute = LIMITS.requestsPerMinute } = options;
  const state = { db, clock: new SandboxClock(db, options.clock), seed: new Seed(db, options.seed) };
  const catalogue = openCatalogue(options.catalogueFolder);
  const stickers = new StickerStore(db, catalogue);
  const accounts = new Accounts(state);
  const ledger = new Ledger(state);
  const rewards = new Rewards(state, ledger);
  const credits = new CreditAccount(state, ledger, rewards);
  return {
    log,
    state,
    stickers,
    stamp: catalogue.stamp,
    accounts,
    ledger,
    credits,
    payments: new Payments(state, { accounts, ledger, rewards }),
    keys: new KeyStore(state),
    templates: new TemplateStore(state),
    switches: new CapabilitySwitches(db, capabilities),
    rules: new FaultRules(state),
    rate: new RateLimit(requestsPerMinute, state.clock),
    requests: new RequestJournal(state, accounts, options.requestsKept),
    finder: new StickerFinder(db, stickers),
    buySticker: sellStickers(stickers, credits, catalogue),
    images: new ImageService(state, credits, { ...options, draw }),
  };
}
