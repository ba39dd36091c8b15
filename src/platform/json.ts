// Reading JSON of foreign origin. JSON that svcd wrote itself is read with JSON.parse: there a failure is a bug.

/** The value of a text, or of UTF-8 bytes with invalid sequences replaced; undefined when it is not JSON. */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}

/** The same for a JSON object; undefined for every other value too. */
export function parseJsonRecord(text: string | Uint8Array): Record<string, unknown> | undefined {
  const value = parseJson(text);
  return isRecord(value) ? value : undefined;
}

/** Whether a value is an object and no array. */
export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
