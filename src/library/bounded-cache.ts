// Keeps the values used lately, up to a number of them, in two generations: nothing is moved for being used again until
// the younger one is full, and then the older is forgotten whole.

export class BoundedCache<K, V> {
  private young = new Map<K, V>();
  private old = new Map<K, V>();
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The value of the key, made and kept if it is not there. */
  getOrMake(key: K, make: (key: K) => V): V {
    const kept = this.young.get(key);
    if (kept !== undefined) return kept;
    const value = this.old.get(key) ?? make(key);
    if (this.young.size >= this.capacity / 2) {
      this.old = this.young;
      this.young = new Map();
    }
    this.young.set(key, value);
    return value;
  }

  delete(key: K): void {
    this.young.delete(key);
    this.old.delete(key);
  }

  clear(): void {
    this.young.clear();
    this.old.clear();
  }
}
