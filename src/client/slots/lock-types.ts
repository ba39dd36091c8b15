// The types of a lock as TypeScript reads them from the JSON itself: which slots there are, and what each holds. JSON gives
// `kind` as a string, so that kinds are told by what only they have.

export interface EntryLike {
  readonly kind: string;
  readonly file: string;
  readonly sha256: string;
  readonly source: string;
  readonly reason?: string;
  readonly basis?: string;
  readonly attribution?: string;
}

/** Any lock, imported (`typeof lock`) or fetched. */
export interface LockLike {
  readonly lock: number;
  readonly assets: { readonly [slot: string]: EntryLike };
}

/** The names of its slots. */
export type Slot<L extends LockLike> = keyof L['assets'] & string;

/** Those whose entries have these fields, and not those; any name where the lock is fetched and names none. */
type SlotWith<L extends LockLike, Has, Not = never> =
  string extends Slot<L>
    ? string
    : { [S in Slot<L>]: L['assets'][S] extends Not ? never : L['assets'][S] extends Has ? S : never }[Slot<L>];

export type StickerSlot<L extends LockLike> = SlotWith<L, Frames>;
export type PictureSlot<L extends LockLike> = SlotWith<L, { readonly width: number }, Frames>;
export type MusicSlot<L extends LockLike> = SlotWith<L, { readonly duration_s: number }>;

interface Frames {
  readonly frames: number;
}

/** A sticker's file, as players take it; what is in its layers is for them. */
export type LottieFile = {
  readonly fr: number;
  readonly ip: number;
  readonly op: number;
  readonly w: number;
  readonly h: number;
  readonly layers: unknown[];
  readonly [field: string]: unknown;
};
