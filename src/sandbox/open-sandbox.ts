// The sandbox: the documented service with state of its own, for trying svcd and for testing against.
// Builds its parts over one SQLite file. Listening on a port is left to the caller.

import { Hono } from 'hono';
import { openCatalogue } from '../catalogue/catalogue.js';
import type { Sticker } from '../model/sticker.js';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { Accounts, MAIN_ACCOUNT } from './accounts.js';
import { CapabilitySwitches } from './capability-switches.js';
import { createControlApp } from './control/control-app.js';
import { controlRoutes } from './control/control-routes.js';
import { FaultRules } from './faults/fault-rules.js';
import type { ChooseFault } from './faults/fault.js';
import { drawImage } from './images/draw-image.js';
import { ImageService, type DrawImage, type ImageLimits } from './images/image-service.js';
import { KeyStore, type KeyState } from './key-store.js';
import { CreditAccount, type Charge } from './money/credit-account.js';
import { Ledger, type Audit } from './money/ledger.js';
import { Payments } from './money/payments.js';
import { Rewards } from './money/rewards.js';
import { RateLimit } from './rate-limit.js';
import { RequestJournal } from './request-journal.js';
import { createSandboxApp } from './sandbox-app.js';
import type { SandboxEnv } from './sandbox-env.js';
import type { SandboxModule } from './sandbox-module.js';
import { begin, empty } from './state/opening-state.js';
import { SandboxClock } from './state/sandbox-clock.js';
import { SandboxDatabase } from './state/sandbox-database.js';
import { SANDBOX_MIGRATIONS } from './state/schema.js';
import { Seed } from './state/seed.js';
import { sellStickers } from './stickers/sticker-downloads.js';
import { StickerFinder } from './stickers/sticker-finder.js';
import { StickerStore } from './stickers/sticker-store.js';
import { TemplateStore } from './templates/template-store.js';
import { CAPABILITIES } from './wire/capabilities.js';
import { LIMITS } from './wire/limits.js';

const OPENING_CREDITS = 1000;

export interface SandboxOptions extends ImageLimits {
  /** Its SQLite file, or `:memory:`. */
  file: string;
  /** The folder that holds `stickers.jsonl` and its packs. */
  catalogueFolder: string;
  clock: Clock;
  log: Log;
  /** Credits the main account of a new file is topped up with; an existing one keeps its own. */
  credits?: number | undefined;
  /** What a new file makes its Keys, ids and chances from; a file keeps the one it began with. */
  seed?: number | undefined;
  /** Opens the control surface to requests with this token. */
  controlToken?: string | undefined;
  /** What the document only describes, switched on. */
  modules?: readonly SandboxModule[] | undefined;
  /** What goes wrong, asked for each request, before the rules of the control surface. */
  faults?: ChooseFault;
  requestsPerMinute?: number;
  /** How many requests the journal keeps. */
  requestsKept?: number | undefined;
  draw?: DrawImage;
}

/** A running sandbox: the app to serve, and what its owner may see and turn. */
export interface Sandbox {
  readonly app: Hono<SandboxEnv>;
  /** The main account's Key; the same for as long as the file lives. */
  readonly key: string;
  readonly seed: number;
  stickers(): Iterable<Sticker>;
  /** Changes when the stickers do. */
  readonly stamp: string;
  /** Spendable credits of the main account. */
  credits(): number;
  setCredits(credits: number): void;
  /** State of the main account's first Key. */
  setKeyState(state: KeyState): void;
  /** The paid calls, oldest first. */
  charges(): Charge[];
  /** Whether the ledger adds up. */
  audit(): Audit;
  /** Ends the connections that a fault holds open, so that closing does not wait for them. */
  letGo(): void;
  close(): void;
}

/**
 * Opens the sandbox, filling a new file from the catalogue. Throws `damaged`, and `invalid_argument` for another
 * seed than the file's. Must be closed.
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  const db = new SandboxDatabase(options.file, SANDBOX_MIGRATIONS);
  try {
    return build(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function build(db: SandboxDatabase, options: SandboxOptions): Sandbox {
  const { log, modules = [], credits: openingCredits = OPENING_CREDITS } = options;
  const closing = new AbortController();
  const [clock, seed] = [new SandboxClock(db, options.clock), new Seed(db, options.seed)];
  const state = { db, clock, seed };
  const accounts = new Accounts(state);
  const keys = new KeyStore(state);
  const ledger = new Ledger(state);
  const rewards = new Rewards(state, ledger);
  const payments = new Payments(state, { accounts, ledger, rewards });
  const credits = new CreditAccount(state, ledger, rewards);
  const templates = new TemplateStore(state);
  const catalogue = openCatalogue(options.catalogueFolder);
  const stickers = new StickerStore(db, catalogue);
  const rules = new FaultRules(state);
  const switches = new CapabilitySwitches(db, [
    ...CAPABILITIES,
    ...modules.flatMap(({ capabilities }) => capabilities),
  ]);
  const rate = new RateLimit(options.requestsPerMinute ?? LIMITS.requestsPerMinute, clock);
  const requests = new RequestJournal(state, accounts, options.requestsKept);
  const beginAnew = () => begin({ accounts, keys, payments, templates }, openingCredits);
  db.transaction(beginAnew);
  const images = new ImageService(state, credits, { ...options, draw: options.draw ?? drawImage });
  const app = createSandboxApp({
    keys,
    credits,
    rate,
    switches,
    finder: new StickerFinder(db, stickers),
    buySticker: sellStickers(stickers, credits, catalogue),
    images,
    templates,
    requests,
    // The hook of a test goes first: it is asked about each request, whatever the rules say.
    chooseFault: (request) => options.faults?.(request) ?? rules.choose(request),
    closing: closing.signal,
    extras: modules.map(({ name }) => name),
    moreRoutes: modules.flatMap((module) => module.routes({ state, keys, images, log })),
    log,
  });
  const reset = () => {
    db.transaction(() => {
      empty(db);
      beginAnew();
    });
    clock.restart();
    rate.clear();
    images.restart();
    for (const one of [rules, switches]) one.reload();
  };
  const control = controlRoutes({
    ...{ state, accounts, keys, ledger, payments, credits },
    ...{ templates, rules, switches, requests, reset },
  });
  const main = accounts.get(MAIN_ACCOUNT).id;
  const { controlToken: token } = options;
  return {
    app: token === undefined ? app : withControl(app, createControlApp(control, { token, log })),
    key: KeyStore.firstSecret(seed),
    seed: seed.value,
    stickers: () => stickers.entries(),
    stamp: catalogue.stamp,
    credits: () => credits.balance(main),
    setCredits: (wanted) => credits.adjust(main, wanted),
    setKeyState: (keyState) => keys.setState(main, keyState),
    charges: () => credits.charges(),
    audit: () => ledger.audit(),
    letGo: () => closing.abort(),
    close: () => {
      closing.abort();
      db.close();
    },
  };
}

/** Serves the control surface beside the service, out of reach of its faults, rates and journal. */
function withControl(service: Hono<SandboxEnv>, control: Hono<SandboxEnv>): Hono<SandboxEnv> {
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.all('/sandbox/*', (c) => control.fetch(c.req.raw, c.env));
  app.all('*', (c) => service.fetch(c.req.raw, c.env));
  return app;
}
