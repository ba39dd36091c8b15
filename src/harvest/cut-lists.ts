// Answers that listed only a part: how many stickers each left out, by the remote's own total and by the stickers with
// its words that became known later, from any source.

/** A word as a list knows it. */
export interface ListedWord {
  readonly seen: number;
  readonly share: number;
  /** Numbers of the known stickers that have it. */
  readonly stickers: readonly number[];
  /** Lists that were cut when it was asked, the last one last. */
  readonly lists: CutList[];
  readonly isComplete: boolean;
}

/** One such list. */
export interface CutList {
  readonly words: readonly ListedWord[];
  /** Stickers that have one of its words. */
  readonly total: number;
  /** Known ones among them. */
  seen: number;
}

/** The known stickers that have one of some words. */
export function countTogether(words: readonly ListedWord[]): number {
  return new Set(words.flatMap(({ stickers }) => stickers)).size;
}

/** The lists that still hide something. */
export class CutLists {
  readonly #lists = new Set<CutList>();

  add(words: readonly ListedWord[], total: number): void {
    const list = { words, total, seen: countTogether(words) };
    this.#lists.add(list);
    for (const { lists } of words) lists.push(list);
  }

  /** Shares of unknown stickers behind the lists, were they like known ones with the same words. */
  shareBehind(): number {
    let behind = 0;
    for (const list of this.#lists) {
      const open = openShare(list);
      if (open === 0) this.#lists.delete(list);
      behind += open * Math.max(0, list.total - list.seen);
    }
    return behind;
  }
}

/** Notes a sticker that has become known by the words it has. */
export function noteSeen(words: readonly ListedWord[]): void {
  for (const list of new Set(words.flatMap(({ lists }) => lists))) list.seen += 1;
}

/** The share by which a sticker counts for one of its words, on the average of those it still speaks for. */
function openShare(list: CutList): number {
  let seen = 0;
  let open = 0;
  for (const word of list.words) {
    seen += word.seen;
    // Another answer may have told more of it since.
    if (!word.isComplete && word.lists.at(-1) === list) open += word.share;
  }
  return seen === 0 ? 0 : open / seen;
}
