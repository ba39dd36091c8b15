// What a sandbox is made of: the state that everything is kept in, and the parts that remember something beside it. What
// has no memory of its own takes the state with each call.

import { openCatalogue } from '../catalogue/catalogue.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { CapabilitySwitches } from './capability-switches.js';
import { FaultRules } from './faults/fault-rules.js';
import { drawImage } from './images/draw-image.js';
import { ImageService, type DrawImage, type ImageLimits } from './images/image-service.js';
import { RateLimit } from './rate-limit.js';
import { SandboxClock } from './state/sandbox-state.js';
import type { SandboxDatabase } from './state/sandbox-database.js';
import { Seed } from './state/sandbox-state.js';
import { fillFrom } from './stickers/sticker-store.js';
import type { Capability } from './capability-switches.js';
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
  const { log, requestsKept, draw = drawImage, requestsPerMinute = LIMITS.requestsPerMinute } = options;
  const state = { db, clock: new SandboxClock(db, options.clock), seed: new Seed(db, options.seed) };
  const catalogue = openCatalogue(options.catalogueFolder);
  fillFrom(catalogue, state);
  return {
    log,
    state,
    catalogue,
    requestsKept,
    switches: new CapabilitySwitches(db, capabilities),
    rules: new FaultRules(state),
    rate: new RateLimit(requestsPerMinute, state.clock),
    images: new ImageService(state, { ...options, draw }),
  };
}
