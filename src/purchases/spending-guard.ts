// Whether anything may be bought at all. Looked at before each intent and again before each call leaves.

import { SvcdError } from '../model/errors.js';

/** Why nothing is bought. */
export interface SpendingStop {
  /**
   * `user`: by command; `loss`: owned.db lacks purchases; `moved`: owned.db was moved, replaced or cut short under svcd;
   * `read_only`, `disk_full`: the home cannot be written; `elsewhere`: the purchases are in a database that this process does not use;
   * `newer`: a newer svcd has changed that database.
   */
  readonly by: 'user' | 'loss' | 'moved' | 'read_only' | 'disk_full' | 'elsewhere' | 'newer';
  readonly why: string;
  /** What to do. */
  readonly hint: string;
  /** Milliseconds since the epoch; null when it is not known. */
  readonly since: number | null;
}

export interface SpendingGuard {
  /** Throws `spending_stopped` or `disk_full` when nothing may be bought. */
  check(): void;
  /** Why nothing may be bought; undefined when buying is allowed. */
  findStop(): SpendingStop | undefined;
  /** Writes down what was bought, after each commit that moved money; never throws. */
  note(): void;
  /** Stops all spending until it is lifted, also after a restart. */
  setStopped(stopped: boolean): void;
}

/** What each request is refused with while nothing is bought. */
export function stoppedError({ by, why, hint }: Pick<SpendingStop, 'by' | 'why' | 'hint'>): SvcdError {
  return new SvcdError(by === 'disk_full' ? by : 'spending_stopped', `nothing is bought: ${why}`, { hint });
}
