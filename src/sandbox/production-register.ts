// Registered productions. The sandbox knows no templates yet, so the version it was told is the latest one it
// knows, and there is nothing to notice and no tip to give.

import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Database, Statement } from '../store/open-database.js';
import type { ProductionRequest } from '../wire/production-request.js';
import type { Account } from './account.js';

export interface ProductionAnswer {
  production_id: string;
  latest_version: string;
  notices: never[];
  tips: never[];
}

/** Keeps what templates tell about their productions. */
export class ProductionRegister {
  readonly #clock: Clock;
  readonly #add: Statement<[string, number | null, number, string]>;

  constructor(db: Database, clock: Clock) {
    this.#clock = clock;
    this.#add = db.prepare('INSERT INTO production (id, account, at, record) VALUES (?, ?, ?, ?)');
  }

  /** Records a production, tied to an account when a Key was given, and returns the answer's body. */
  register(request: ProductionRequest, account: Account | undefined): ProductionAnswer {
    const id = randomUUID();
    this.#add.run(id, account?.id ?? null, this.#clock.now(), JSON.stringify(request));
    const version = request.template.slice(request.template.indexOf('@') + 1);
    return { production_id: id, latest_version: version, notices: [], tips: [] };
  }
}
