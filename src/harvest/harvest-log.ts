// The log of filling the library, in library.db: each request, the last estimate, whether the user paused it. Written
// inside the transaction that keeps the answer. What to ask next is decided in crawl-frontier.ts.

import type { Statement } from '../platform/open-database.js';
import { guard, type StickerStore } from '../library/storage/sticker-store.js';
import type { Estimate } from './estimate.js';
import type { AskedWord } from './crawl-frontier.js';

export type HarvestPurpose = 'fill' | 'refresh';

/** An answered request of an earlier run. */
export interface LoggedRequest {
  /** Stickers that were known when its answer came. */
  readonly known: number;
  readonly words: readonly AskedWord[];
}

export interface RequestCounts {
  /** All that left, further tries and such without an answer among them. */
  readonly sent: number;
  readonly answered: number;
}

export class HarvestLog {
  private readonly scope: string;
  private readonly store: StickerStore;
  private readonly insert: Statement;
  private readonly complete: Statement;
  private readonly putEstimate: Statement;
  private counts: { sent: number; answered: number };

  constructor(store: StickerStore) {
    const { db, scope } = store;
    this.store = store;
    this.scope = scope;
    this.insert = db.prepare('INSERT INTO harvest_request (scope, purpose, sent_at) VALUES (?, ?, ?)');
    this.complete = db.prepare(
      'UPDATE harvest_request SET answered_at = @at, known = @known, fresh = @fresh, words = @words WHERE id = @id',
    );
    this.putEstimate = db.prepare(
      `INSERT INTO harvest (scope, total, low, high) VALUES (@scope, @total, @low, @high)
       ON CONFLICT (scope) DO UPDATE SET total = @total, low = @low, high = @high`,
    );
    const counted = db.prepare<[string], { sent: number; answered: number }>(
      'SELECT count(*) AS sent, count(answered_at) AS answered FROM harvest_request WHERE scope = ?',
    );
    this.counts = guard(() => counted.get(scope)) ?? { sent: 0, answered: 0 };
  }

  /** Notes a request that is about to leave; its number. */
  noteSent(purpose: HarvestPurpose, at: number): number {
    const { lastInsertRowid } = guard(() => this.insert.run(this.scope, purpose, at));
    this.counts = { ...this.counts, sent: this.counts.sent + 1 };
    return Number(lastInsertRowid);
  }

  /** Completes a request. For use inside a transaction, after which `countAnswer` is called. */
  noteAnswer(
    id: number,
    answer: { at: number; known: number; fresh: number; words: readonly AskedWord[] | null },
  ): void {
    const words = answer.words === null ? null : JSON.stringify(answer.words);
    this.complete.run({ ...answer, id, words });
  }

  /** Counts an answer, after its transaction. */
  countAnswer(): void {
    this.counts = { ...this.counts, answered: this.counts.answered + 1 };
  }

  get requests(): RequestCounts {
    return this.counts;
  }

  /** Answered requests that taught something about words, oldest first. */
  listAnswered(): LoggedRequest[] {
    const query = this.store.db.prepare<[string], { known: number; words: string }>(
      'SELECT known, words FROM harvest_request WHERE scope = ? AND words IS NOT NULL ORDER BY id',
    );
    return guard(() =>
      query.all(this.scope).map(({ known, words }) => ({ known, words: JSON.parse(words) as AskedWord[] })),
    );
  }

  /** When requests left since an instant, oldest first. */
  listSentSince(at: number): number[] {
    const query = this.store.db.prepare<[string, number], { sent_at: number }>(
      'SELECT sent_at FROM harvest_request WHERE scope = ? AND sent_at > ? ORDER BY sent_at',
    );
    return guard(() => query.all(this.scope, at)).map((row) => row.sent_at);
  }

  /** When the last answer came; undefined when none did. */
  findLastAnswerAt(): number | undefined {
    const query = this.store.db.prepare<[string], { at: number | null }>(
      'SELECT max(answered_at) AS at FROM harvest_request WHERE scope = ?',
    );
    return guard(() => query.get(this.scope))?.at ?? undefined;
  }

  /** The estimate as it was kept last. */
  findEstimate(): Estimate | undefined {
    const query = this.store.db.prepare<[string], { total: number | null; low: number; high: number }>(
      'SELECT total, low, high FROM harvest WHERE scope = ?',
    );
    const row = guard(() => query.get(this.scope));
    return row === undefined || row.total === null ? undefined : { ...row, total: row.total };
  }

  /** Keeps an estimate. For use inside a transaction. */
  keepEstimate(estimate: Estimate | undefined): void {
    const { total = null, low = null, high = null } = estimate ?? {};
    this.putEstimate.run({ scope: this.scope, total, low, high });
  }

  isPaused(): boolean {
    const query = this.store.db.prepare<[string], { paused: number }>('SELECT paused FROM harvest WHERE scope = ?');
    return guard(() => query.get(this.scope))?.paused === 1;
  }

  setPaused(paused: boolean): void {
    const put = this.store.db.prepare(
      `INSERT INTO harvest (scope, paused) VALUES (@scope, @paused)
       ON CONFLICT (scope) DO UPDATE SET paused = @paused`,
    );
    guard(() => put.run({ scope: this.scope, paused: paused ? 1 : 0 }));
  }
}
