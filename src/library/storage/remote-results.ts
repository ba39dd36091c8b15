// What the remote listed for words, kept so that offline search inherits its judgement. Bounded: what was asked longest
// ago is forgotten first. The table is called recall.

import type { Statement } from '../../platform/open-database.js';
import { normalise } from '../language/normalise.js';
import { guard, type StickerStore } from './sticker-store.js';

/** Where the words came from: what a person typed is never exported. */
export type AskedBy = 'person' | 'harvest';

export interface RememberedResults {
  /** Normalised. */
  readonly words: string;
  /** Row numbers, in the remote's order. */
  readonly rowids: readonly number[];
  readonly askedBy: AskedBy;
  /** Whether the words were asked alone, so that the order is theirs. */
  readonly isWhole: boolean;
}

/** A list of the remote as it is found again. */
export type RemoteResultList = Pick<RememberedResults, 'rowids' | 'isWhole'>;

const MAX_WORDS = 64;
/** As many of a list are remembered. */
const MAX_STICKERS = 50;
const KEPT = 10_000;
/** Forgetting is for now and then. */
const SWEEP_EVERY = 500;

export class RemoteResults {
  private readonly scope: string;
  private readonly byWords: Statement<[string, string], { stickers: string; whole: 0 | 1 }>;
  private readonly put: Statement;
  private readonly forget: Statement;
  private kept: number;
  private sinceSweep = SWEEP_EVERY;

  constructor({ db, scope }: StickerStore) {
    this.scope = scope;
    this.byWords = db.prepare('SELECT stickers, whole FROM recall WHERE scope = ? AND words = ?');
    // What words brought when they were asked alone is worth more than their part of a longer question.
    this.put = db.prepare(
      `INSERT INTO recall (scope, words, stickers, asked_by, whole, at)
       VALUES (@scope, @words, @stickers, @askedBy, @whole, @at)
       ON CONFLICT (scope, words) DO UPDATE SET stickers = @stickers, whole = @whole, at = @at,
         asked_by = CASE WHEN asked_by = 'harvest' THEN asked_by ELSE @askedBy END
       WHERE whole <= @whole`,
    );
    this.forget = db.prepare(
      `DELETE FROM recall WHERE scope = ? AND id NOT IN
         (SELECT id FROM recall WHERE scope = ? ORDER BY at DESC, id DESC LIMIT ${KEPT})`,
    );
    const counted = db.prepare<[string], { n: number }>(
      'SELECT count(*) AS n FROM (SELECT 1 FROM recall WHERE scope = ? LIMIT 1)',
    );
    this.kept = guard(() => counted.get(scope))?.n ?? 0;
  }

  /** What the remote listed for a query; undefined when it was not asked. */
  find(query: string): RemoteResultList | undefined {
    if (this.kept === 0) return undefined;
    const row = guard(() => this.byWords.get(this.scope, normalise(query)));
    return row && { rowids: JSON.parse(row.stickers) as number[], isWhole: row.whole === 1 };
  }

  /** The same for what another svcd remembered, which is worth less than what we do. */
  rememberUnlessKnown(results: RememberedResults): void {
    const known = this.byWords.get(this.scope, results.words);
    if (known === undefined || (results.isWhole && known.whole === 0)) this.remember(results, 0);
  }

  /** Remembers what words brought. For use inside a transaction. */
  remember({ words, rowids, askedBy, isWhole }: RememberedResults, at: number): void {
    if (words === '' || words.length > MAX_WORDS || rowids.length === 0) return;
    const stickers = JSON.stringify(rowids.slice(0, MAX_STICKERS));
    this.put.run({ scope: this.scope, words, stickers, askedBy, whole: isWhole ? 1 : 0, at });
    this.kept += 1;
    if (this.sinceSweep++ < SWEEP_EVERY) return;
    this.sinceSweep = 0;
    this.forget.run(this.scope, this.scope);
  }
}
