// Registered productions, and what their templates' author has to say about them.

import type { Clock } from '../platform/clock.js';
import type { Database, Statement } from '../platform/open-database.js';
import type { ProductionRequest } from '../contract/production-request.js';
import type { Seed } from './seed.js';
import type { Advice, TemplateShelf } from './template-shelf.js';

export interface ProductionAnswer {
  production_id: string;
  latest_version: string;
  notices: Advice['notices'];
  tips: Advice['tips'];
}

/** Keeps what templates tell about their productions. */
export class ProductionRegister {
  readonly #clock: Clock;
  readonly #seed: Seed;
  readonly #templates: TemplateShelf;
  readonly #add: Statement<[string, number | null, number, string]>;

  constructor(db: Database, clock: Clock, seed: Seed, templates: TemplateShelf) {
    this.#clock = clock;
    this.#seed = seed;
    this.#templates = templates;
    this.#add = db.prepare('INSERT INTO production (id, account, at, record) VALUES (?, ?, ?, ?)');
  }

  /** Records a production, tied to an account when a Key was given, and returns the answer's body. */
  register(request: ProductionRequest, account: number | undefined): ProductionAnswer {
    const id = this.#seed.nextId('production');
    this.#add.run(id, account ?? null, this.#clock.now(), JSON.stringify(request));
    const { latestVersion, notices, tips } = this.#templates.advise(request.template);
    return { production_id: id, latest_version: latestVersion, notices, tips };
  }
}
