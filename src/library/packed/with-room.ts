// Typed arrays that grow: the same array while it has room, else a copy with half as much again.

type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

/** The array, or a longer one that begins alike, with room for so many numbers. */
export function withRoom<T extends Numbers>(array: T, count: number): T {
  if (count <= array.length) return array;
  const grown = new (array.constructor as new (length: number) => T)(
    Math.max(16, count, Math.ceil(1.5 * array.length)),
  );
  grown.set(array);
  return grown;
}
