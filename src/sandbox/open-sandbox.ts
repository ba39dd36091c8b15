// The sandbox: the documented service with an account of its own, for trying svcd and for testing against.
// Builds its rooms over one SQLite file. Listening on a port is for whoever opened it.

import type { Hono } from 'hono';
import type { Clock } from '../clock.js';
import type { Log } from '../log.js';
import { openDatabase } from '../store/open-database.js';
import type { Sticker } from '../sticker.js';
import { REQUESTS_PER_MINUTE } from '../wire/limits.js';
import { Account, type Charge, type KeyState } from './account.js';
import { openCatalogue } from './catalogue.js';
import { drawImage } from './draw-image.js';
import type { Faults } from './fault.js';
import type { SandboxEnv } from './gate.js';
import { ImageStudio, type DrawImage } from './image-studio.js';
import { ProductionRegister } from './production-register.js';
import { RateWindow } from './rate-window.js';
import { createSandboxApp } from './sandbox-app.js';
import { SANDBOX_MIGRATIONS } from './schema.js';
import { Shelf } from './shelf.js';
import { StickerCounter } from './sticker-counter.js';
import { StickerFinder } from './sticker-finder.js';

const OPENING_CREDITS = 1000;

export interface SandboxOptions {
  /** Its SQLite file, or `:memory:`. */
  file: string;
  /** The folder that holds `stickers.jsonl` and its packs. */
  catalogueFolder: string;
  clock: Clock;
  log: Log;
  /** Balance of a new account; an existing one keeps its own. */
  credits?: number;
  /** What goes wrong, asked for each request. */
  faults?: Faults;
  requestsPerMinute?: number;
  draw?: DrawImage;
}

/** A running sandbox: the app to serve, and what its owner may see and turn. */
export interface Sandbox {
  readonly app: Hono<SandboxEnv>;
  /** The account's Key; the same for as long as the file lives. */
  readonly key: string;
  stickers(): Iterable<Sticker>;
  /** Changes when the stickers do. */
  readonly stamp: string;
  credits(): number;
  setCredits(credits: number): void;
  setKeyState(state: KeyState): void;
  /** The paid calls, oldest first. */
  charges(): Charge[];
  close(): void;
}

/** Opens the sandbox, filling a new file from the catalogue. Throws `damaged`. Must be closed. */
export function openSandbox(options: SandboxOptions): Sandbox {
  const { file, clock, log, faults = () => undefined, draw = drawImage } = options;
  const catalogue = openCatalogue(options.catalogueFolder);
  const { stamp } = catalogue;
  // Play money: a power cut may cost the last charge, a killed process never does.
  const db = openDatabase(file, { migrations: SANDBOX_MIGRATIONS, durability: 'normal' });
  const account = new Account(db, clock, options.credits ?? OPENING_CREDITS);
  const shelf = new Shelf(db, { stamp, entries: () => catalogue.entries() });
  const app = createSandboxApp({
    account,
    rate: new RateWindow(options.requestsPerMinute ?? REQUESTS_PER_MINUTE, clock),
    finder: new StickerFinder(db, shelf),
    counter: new StickerCounter(shelf, (at) => catalogue.readLottie(at)),
    studio: new ImageStudio(db, clock, draw),
    register: new ProductionRegister(db, clock),
    faults,
    log,
  });
  return {
    app,
    key: account.key,
    stickers: () => shelf.entries(),
    stamp,
    credits: () => account.credits(),
    setCredits: (credits) => account.setCredits(credits),
    setKeyState: (state) => account.setKeyState(state),
    charges: () => account.charges(),
    close: () => db.close(),
  };
}
