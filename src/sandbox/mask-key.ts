// A Key as it may be shown.

/** A Key of which only the last four characters are told. */
export function maskKey(lastFour: string): string {
  return `sk-sandbox-…${lastFour}`;
}
