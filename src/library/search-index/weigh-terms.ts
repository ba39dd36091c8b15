// What a term in a sticker is worth: MiniSearch's BM25+ for title and keywords, rarity times sureness for meanings.

export const IN_TITLE = 1;
export const IN_KEYWORDS = 2;

/** Weight of each field; MiniSearch's `boost`. */
export const FIELD_BOOSTS = { title: 2, keywords: 1 } as const;
/** Stems that many stickers share tell still less than words that many share. */
const MEANING_RARITY_POWER = 1.15;
/** MiniSearch's own defaults. */
export const BM25 = { k: 1.2, b: 0.7, d: 0.5 } as const;

/** MiniSearch's inverse document frequency. */
export function rarityOf(matching: number, total: number): number {
  return Math.log(1 + Math.max(0, total - matching + 0.5) / (matching + 0.5));
}

/** What a meaning is worth that so many stickers have, where it is sure. */
export function worthOfMeaning(matching: number, total: number): number {
  return rarityOf(matching, total) ** MEANING_RARITY_POWER;
}

/** MiniSearch's BM25+ of a term of this rarity, met so many times in a field so many times as long as the average. */
export function bm25(rarity: number, times: number, relativeLength: number): number {
  const { k, b, d } = BM25;
  return rarity * (d + (times * (k + 1)) / (times + k * (1 - b + b * relativeLength)));
}
