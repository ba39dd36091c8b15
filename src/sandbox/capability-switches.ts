// Which capabilities this deployment has switched on; all that are not planned, until somebody switches one off.

import { SvcdError } from '../model/errors.js';
import type { Database } from '../platform/open-database.js';
import { DOCUMENTED_CAPABILITIES, type Capability } from '../contract/capability.js';

/** The switches, kept over a restart. */
export class CapabilitySwitches {
  readonly #db: Database;
  readonly #known: readonly Capability[];
  readonly #off = new Set<string>();

  constructor(db: Database, known: readonly Capability[] = DOCUMENTED_CAPABILITIES) {
    this.#db = db;
    this.#known = known;
    this.reload();
  }

  /** Every capability, `enabled` as it is now. */
  list(): Capability[] {
    return this.#known.map((one) => (this.#off.has(one.id) ? { ...one, enabled: false } : one));
  }

  /** Throws `not_enabled` when the capability is switched off; one without a switch is on. */
  require(id: string): void {
    if (!this.#off.has(id)) return;
    throw new SvcdError('not_enabled', `${id} is not enabled here; no credits were spent.`);
  }

  /** Switches one on or off. Throws `not_found`, and `invalid_request` for one that is only planned. */
  set(id: string, enabled: boolean): Capability {
    const known = this.#known.find((one) => one.id === id);
    if (known === undefined) {
      const ids = this.#known.map((one) => one.id).join(', ');
      throw new SvcdError('not_found', `there is no capability ${JSON.stringify(id)}; known are ${ids}`);
    }
    if (known.status === 'planned' && enabled) {
      throw new SvcdError('invalid_request', `${id} is planned: there is nothing yet to switch on`);
    }
    const write = enabled
      ? 'DELETE FROM switched_off WHERE capability = ?'
      : 'INSERT OR IGNORE INTO switched_off VALUES (?)';
    this.#db.prepare(write).run(id);
    this.reload();
    return { ...known, enabled };
  }

  /** Reads the switches again. */
  reload(): void {
    this.#off.clear();
    const rows = this.#db.prepare<[], { capability: string }>('SELECT capability FROM switched_off').all();
    for (const { capability } of rows) this.#off.add(capability);
  }
}
