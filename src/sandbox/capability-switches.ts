// The capabilities that the document lists (section 1), and which of them this deployment has switched on: all that are
// not planned, until its owner switches one off. `id`, `name` and `cost` are our choice of fields; the ids follow the two
// values that the document shows for a template's declaration.

import { SvcdError } from '../model/errors.js';
import type { SandboxDatabase } from './state/sandbox-database.js';
import { invalid } from './wire/check.js';
import { PRICES } from './wire/limits.js';

export interface Capability {
  id: string;
  name: string;
  status: 'available' | 'beta' | 'planned';
  /** Whether this deployment has it switched on. */
  enabled: boolean;
  /** Credits a call costs; null while planned. */
  cost: number | null;
}

/** What is not planned is switched on. */
const row = (id: string, name: string, cost: number | null = 0, status: Capability['status'] = 'available') => ({
  id,
  name,
  status,
  enabled: status !== 'planned',
  cost,
});
const planned = (id: string, name: string): Capability => row(id, name, null, 'planned');

export const CAPABILITIES: readonly Capability[] = [
  row('stickers.search', 'Sticker search'),
  row('stickers.match', 'Sticker match'),
  row('stickers.file', 'Sticker file download', PRICES.sticker),
  row('images.generate', 'Image generation', PRICES.image, 'beta'),
  row('usage.read', 'Credit reporting'),
  row('productions.register', 'Production registration'),
  planned('video.generate', 'Video generation'),
  planned('music.match', 'Music matching'),
  planned('speech.synthesize', 'Speech synthesis'),
  planned('captions.align', 'Caption alignment'),
  planned('fonts.match', 'Font matching'),
  planned('render.cloud', 'Cloud rendering'),
];

/** The switches, kept over a restart. */
export class CapabilitySwitches {
  readonly #db: SandboxDatabase;
  readonly #known: readonly Capability[];
  /** Asked for each request. */
  #off: ReadonlySet<string> = new Set();

  constructor(db: SandboxDatabase, known: readonly Capability[]) {
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
      throw invalid(`${id} is planned: there is nothing yet to switch on`);
    }
    this.#db.run('DELETE FROM switched_off WHERE capability = ?', id);
    if (!enabled) this.#db.insert('switched_off', { capability: id });
    this.reload();
    return { ...known, enabled };
  }

  /** Reads the switches again. */
  reload(): void {
    const rows = this.#db.all<{ capability: string }>('SELECT capability FROM switched_off');
    this.#off = new Set(rows.map(({ capability }) => capability));
  }
}
