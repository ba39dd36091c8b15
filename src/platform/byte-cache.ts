// A cache bounded by the bytes of its values; the least recently used goes first (LRU).

export interface ByteCache<T> {
  find(name: string): T | undefined;
  /** Keeps a value, unless it alone exceeds `maxEntryBytes`. */
  put(name: string, value: T, sizeBytes: number): void;
  drop(name: string): void;
}

/** A cache of at most `maxBytes` in all and `maxEntryBytes` an entry. */
export function createByteCache<T>(maxBytes: number, maxEntryBytes: number): ByteCache<T> {
  // A Map keeps insertion order, so the first entry is the one used longest ago.
  const entries = new Map<string, { value: T; sizeBytes: number }>();
  let total = 0;
  const forget = (name: string) => {
    total -= entries.get(name)?.sizeBytes ?? 0;
    entries.delete(name);
  };
  return {
    find: (name) => {
      const entry = entries.get(name);
      if (entry === undefined) return undefined;
      entries.delete(name);
      entries.set(name, entry);
      return entry.value;
    },
    drop: forget,
    put: (name, value, sizeBytes) => {
      forget(name);
      if (sizeBytes > maxEntryBytes) return;
      entries.set(name, { value, sizeBytes });
      total += sizeBytes;
      for (const oldest of entries.keys()) {
        if (total <= maxBytes) break;
        forget(oldest);
      }
    },
  };
}
