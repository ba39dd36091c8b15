// Keeps the values used last, up to a number of them.

export class BoundedCache<K, V> {
  private readonly values = new Map<K, V>();
  private readonly capacity: number;

  constructor(capacity: number) {
    this.capacity = capacity;
  }

  /** The value of the key, made and kept if it is not there; the one unused for longest gives way. */
  getOrMake(key: K, make: (key: K) => V): V {
    const kept = this.values.get(key);
    const value = kept ?? make(key);
    this.values.delete(key);
    this.values.set(key, value);
    if (this.values.size > this.capacity) this.values.delete(this.values.keys().next().value!);
    return value;
  }

  delete(key: K): void {
    this.values.delete(key);
  }

  clear(): void {
    this.values.clear();
  }
}
