// Text of any script as it may stand in a header.

/** Plain ASCII: everything else, and `%`, `;` and control characters, is percent-encoded as UTF-8. */
export function headerText(text: string): string {
  // Half a surrogate pair cannot be encoded.
  return text.replace(/\p{Cs}/gu, '\uFFFD').replace(/[^\x20-\x7e]|[%;]/gu, encodeURIComponent);
}
