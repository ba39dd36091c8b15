// Which known stickers to ask for again: those that the remote listed longest ago. One that is not listed
// under its own title is left alone until its time comes again: only a 404 says that it is gone.

import type { Statement } from '../platform/open-database.js';
import { guard, type StickerStore } from '../library/storage/sticker-store.js';

export interface OldSticker {
  readonly preset: string;
  readonly title: string;
}

export class OldStickers {
  private readonly scope: string;
  private readonly oldest: Statement<[string, number, number], OldSticker>;
  private readonly look: Statement;
  private readonly count: Statement<[string], { n: number }>;

  constructor({ db, scope }: StickerStore) {
    this.scope = scope;
    this.oldest = db.prepare(
      `SELECT preset, title FROM sticker WHERE scope = ? AND whose = 'remote' AND max(seen_at, looked_at) < ?
         AND seen_at > 0 AND gone_at IS NULL ORDER BY max(seen_at, looked_at), id LIMIT ?`,
    );
    this.look = db.prepare('UPDATE sticker SET looked_at = ? WHERE scope = ? AND preset = ?');
    this.count = db.prepare(
      `SELECT count(*) AS n FROM sticker WHERE scope = ? AND seen_at > 0 AND whose = 'remote' AND gone_at IS NULL`,
    );
  }

  /** Those neither seen nor looked for since `before`, oldest first. */
  list(before: number, limit: number): OldSticker[] {
    return guard(() => this.oldest.all(this.scope, before, limit));
  }

  /** Notes that one was asked for and not listed. For use inside a transaction. */
  noteMissed(preset: string, at: number): void {
    this.look.run(at, this.scope, preset);
  }

  /** Stickers that the remote listed some time and that are not gone. */
  countSeen(): number {
    return guard(() => this.count.get(this.scope))?.n ?? 0;
  }
}
