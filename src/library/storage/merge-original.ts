// What two originals of one candidate say together, field by field. A thin one never erases a rich one.

export type Original = Readonly<Record<string, unknown>>;

/** An original beyond this is not kept: a candidate is a few hundred bytes. */
const MAX_CHARACTERS = 8192;

/** The newer with what only the older has; a blank of the newer erases nothing. */
export function mergeOriginal(older: Original, newer: Original): Original {
  const given = Object.entries(newer).filter(([name, value]) => !isBlank(value) || isBlank(older[name]));
  return { ...older, ...Object.fromEntries(given) };
}

/** As it is stored; undefined when it is too large. */
export function storedOriginal(original: Original): string | undefined {
  const json = JSON.stringify(original);
  return json.length > MAX_CHARACTERS ? undefined : json;
}

function isBlank(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return Array.isArray(value) && value.length === 0;
}
