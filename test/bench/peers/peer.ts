// What a search engine one could install instead looks like to the benchmarks.

/** What an engine is given to index: as much as the service tells of a sticker. */
export interface Text {
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
}

/** An engine with everything indexed. */
export interface Peer {
  /** Presets for a text, best first, at most `limit`. */
  rank(text: string, limit: number): string[];
  close(): void;
}

/** One way to use an engine. */
export interface SetUp {
  /** The engine's name in the results; set-ups of one engine share it. */
  readonly engine: string;
  readonly name: string;
  open(texts: readonly Text[]): Peer;
}

/** How much more a word in the title counts than one in the keywords. */
export const BOOSTS = { title: 2, keywords: 1 } as const;
