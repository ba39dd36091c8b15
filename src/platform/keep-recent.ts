// Remembering what was made last: a few values by name, made once for all who ask at the same time.

/** Gets the value of a name, making it when it is not among the last ones asked for; a failure is not kept. */
export type KeepRecent<T> = (name: string, make: () => Promise<T>) => Promise<T>;

/** Keeps at most `max` values. */
export function keepRecent<T>(max: number): KeepRecent<T> {
  // A Map keeps insertion order, so the first entry is the one asked for longest ago.
  const kept = new Map<string, Promise<T>>();
  return (name, make) => {
    const value = kept.get(name) ?? make();
    kept.delete(name);
    kept.set(name, value);
    value.catch(() => kept.delete(name));
    const oldest = kept.keys().next().value;
    if (kept.size > max && oldest !== undefined) kept.delete(oldest);
    return value;
  };
}
