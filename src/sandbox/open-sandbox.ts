// The sandbox: the documented service with state of its own, for trying svcd and for testing against.
// Builds its rooms over one SQLite file. Listening on a port is for whoever opened it.

import { Hono } from 'hono';
import type { Clock } from '../platform/clock.js';
import type { Log } from '../platform/log.js';
import { openDatabase } from '../platform/open-database.js';
import type { Sticker } from '../model/sticker.js';
import { DOCUMENTED_CAPABILITIES } from '../contract/capability.js';
import { REQUESTS_PER_MINUTE } from '../contract/limits.js';
import { Accounts, MAIN_ACCOUNT } from './accounts.js';
import { CapabilitySwitches } from './capability-switches.js';
import { Cashier } from './cashier.js';
import { openCatalogue, type Catalogue } from '../catalogue/catalogue.js';
import { createControlApp, type ControlRooms } from './control-app.js';
import { drawWith } from './draw-image.js';
import { FaultRules } from './fault-rules.js';
import type { Fault, FaultRequest, Faults } from './fault.js';
import type { SandboxEnv } from './gate.js';
import { ImageStudio, type DrawImage, type StudioLimits } from './image-studio.js';
import { Keyring, type KeyState } from './keyring.js';
import { Ledger, type Audit } from './ledger.js';
import { begin, empty } from './opening-state.js';
import { chooseStickersFrom } from './picture/choose-stickers.js';
import { ProductionRegister } from './production-register.js';
import { Purse, type Charge } from './purse.js';
import { RateLimit } from './rate-window.js';
import { RequestJournal } from './request-journal.js';
import { Rewards } from './rewards.js';
import { createSandboxApp } from './sandbox-app.js';
import { SandboxClock } from './sandbox-clock.js';
import type { SandboxModule } from './sandbox-module.js';
import { SANDBOX_MIGRATIONS } from './schema.js';
import { Seed } from './seed.js';
import { Shelf } from './shelf.js';
import { StickerCounter } from './sticker-counter.js';
import { StickerFinder } from './sticker-finder.js';
import { TemplateShelf } from './template-shelf.js';

const OPENING_CREDITS = 1000;

export interface SandboxOptions extends StudioLimits {
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
  /** Opens the control surface to whoever knows this token. */
  controlToken?: string | undefined;
  /** What the document only describes, switched on. */
  modules?: readonly SandboxModule[] | undefined;
  /** What goes wrong, asked for each request, before the rules of the control surface. */
  faults?: Faults;
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
  /** Ends the connections that a fault holds open, so that nobody waits for them to close. */
  letGo(): void;
  close(): void;
}

/**
 * Opens the sandbox, filling a new file from the catalogue. Throws `damaged`, and `invalid_argument` for another
 * seed than the file's. Must be closed.
 */
export function openSandbox(options: SandboxOptions): Sandbox {
  // Play money: a power cut may cost the last charge, a killed process never does.
  const db = openDatabase(options.file, { migrations: SANDBOX_MIGRATIONS, durability: 'normal' });
  try {
    return build(db, options);
  } catch (error) {
    db.close();
    throw error;
  }
}

function build(db: ReturnType<typeof openDatabase>, options: SandboxOptions): Sandbox {
  const { log, modules = [] } = options;
  const closing = new AbortController();
  const clock = new SandboxClock(db, options.clock);
  const seed = new Seed(db, options.seed);
  const money = openMoney(db, clock, seed);
  const { accounts, keyring, ledger, purse } = money;
  const catalogue = openCatalogue(options.catalogueFolder);
  const { stamp } = catalogue;
  const shelf = new Shelf(db, { stamp, entries: () => catalogue.entries() });
  const rules = new FaultRules(db, seed);
  const templates = new TemplateShelf(db);
  const known = [...DOCUMENTED_CAPABILITIES, ...modules.flatMap(({ capabilities }) => capabilities)];
  const switches = new CapabilitySwitches(db, known);
  const rate = new RateLimit(options.requestsPerMinute ?? REQUESTS_PER_MINUTE, clock);
  const requests = new RequestJournal(db, clock, accounts, options.requestsKept);
  const credits = options.credits ?? OPENING_CREDITS;
  ledger.together(() => begin({ ...money, templates }, credits));
  const finder = new StickerFinder(db, shelf);
  const readLottie: Catalogue['readLottie'] = (at) => catalogue.readLottie(at);
  const ownDraw = drawWith({ choose: chooseStickersFrom(db, finder, shelf), readLottie });
  const { draw = ownDraw, imagesAtOnce, imageTimeoutMs } = options;
  const studio = new ImageStudio(db, { clock, purse, seed, draw, imagesAtOnce, imageTimeoutMs });
  const service = createSandboxApp({
    keyring,
    purse,
    rate,
    switches,
    finder,
    counter: new StickerCounter(shelf, purse, readLottie),
    studio,
    register: new ProductionRegister(db, clock, seed, templates),
    requests,
    chooseFault: chooser(options.faults, rules),
    closing: closing.signal,
    extras: modules.map(({ name }) => name),
    moreRoutes: modules.flatMap((module) => module.routes({ db, clock, seed, purse, keyring, studio, log })),
    log,
  });
  const reset = () => {
    ledger.together(() => {
      empty(db);
      begin({ ...money, templates }, credits);
    });
    clock.restart();
    rate.clear();
    studio.restart();
    for (const room of [rules, switches]) room.reload();
  };
  const control = { ...money, clock, seed, rules, templates, switches, requests, reset, log };
  const main = accounts.get(MAIN_ACCOUNT).id;
  return {
    app: withControl(service, control, options.controlToken),
    key: Keyring.firstSecret(seed),
    seed: seed.value,
    stickers: () => shelf.entries(),
    stamp,
    credits: () => purse.balance(main),
    setCredits: (wanted) => adjust(ledger, main, wanted),
    setKeyState: (state) => keyring.setState(main, state),
    charges: () => purse.charges(),
    audit: () => ledger.audit(),
    letGo: () => closing.abort(),
    close: () => {
      closing.abort();
      db.close();
    },
  };
}

function openMoney(db: ReturnType<typeof openDatabase>, clock: Clock, seed: Seed) {
  const accounts = new Accounts(db, clock);
  const keyring = new Keyring(db, clock, seed);
  const ledger = new Ledger(db, clock);
  const rewards = new Rewards(db, clock, ledger);
  const cashier = new Cashier(db, clock, seed, { accounts, ledger, rewards });
  const purse = new Purse(db, clock, ledger, rewards);
  return { accounts, keyring, ledger, cashier, purse };
}

/** The hook of a test goes first: it is asked about each request, whatever the rules say. */
function chooser(
  faults: Faults | undefined,
  rules: FaultRules,
): (request: FaultRequest) => Fault | undefined {
  if (faults === undefined) return (request) => rules.choose(request);
  return (request) => faults({ method: request.method, path: request.path }) ?? rules.choose(request);
}

/** Serves the control surface beside the service, out of reach of its faults, rates and journal. */
function withControl(
  service: Hono<SandboxEnv>,
  rooms: ControlRooms,
  token: string | undefined,
): Hono<SandboxEnv> {
  if (token === undefined) return service;
  const control = createControlApp(rooms, token);
  const app = new Hono<SandboxEnv>({ getPath: (request) => new URL(request.url).pathname });
  app.all('/sandbox/*', (c) => control.fetch(c.req.raw, c.env));
  app.all('*', (c) => service.fetch(c.req.raw, c.env));
  return app;
}

function adjust(ledger: Ledger, account: number, wanted: number): void {
  ledger.together(() => {
    const difference = wanted - ledger.balance(account);
    ledger.record({ reason: 'adjustment' }, [
      ['spendable', account, difference],
      ['house', account, -difference],
    ]);
  });
}
