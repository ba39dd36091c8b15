// How full the library is and what is done about it, as svcd tells it.

/** What filling the library is doing. */
export type LibraryState =
  /** Nothing runs, and nothing is left to do for now. */
  | 'complete'
  | 'filling'
  /** Looking again at what was seen longest ago. */
  | 'refreshing'
  /** Something is in the way that passes by itself. */
  | 'waiting'
  /** The user wants it so. */
  | 'paused'
  | 'off'
  /** A person has to mend something first. */
  | 'stopped';

/** What GET /svcd/library tells, and each event of a sync. */
export interface LibraryStatus {
  readonly state: LibraryState;
  readonly why: string | null;
  readonly complete: boolean;
  /** Stickers the remote listed so far. */
  readonly known: number;
  /** Stickers of the remote in all; the truth lies between low and high in about 19 of 20 cases. Null while nobody can say. */
  readonly estimate: { readonly total: number; readonly low: number; readonly high: number } | null;
  /** Known of all, 0 to 1. */
  readonly coverage: number | null;
  readonly requests: { readonly sent: number; readonly answered: number };
  readonly last_sync_at: string | null;
  readonly background: boolean;
  readonly allowed_per_minute: number;
  readonly seconds_left: number | null;
}
