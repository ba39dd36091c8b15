// Reads a path as the most tolerant server there might be: what any server could take for an address that costs must be
// known as one here. Never used to send anything, only to judge.

const MAX_ROUNDS = 8;
// Control characters, halves of pairs, line separators, and what turns the direction of text.
const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]/u;

/** Whether a text holds characters that are not shown, or that change how others are shown. */
export function hasControlCharacters(text: string): boolean {
  return UNSEEN.test(text);
}

/**
 * The segments of a path without query: decoded until nothing changes, in one case and without accents, parameters
 * (`;v=1`), empty segments, blanks and dots at their ends. Undefined for what servers read in different ways: `.` and
 * `..`, control characters, broken UTF-8, endless encoding.
 */
export function lenientSegments(path: string): readonly string[] | undefined {
  const text = decodeFully(path);
  if (text === undefined || hasControlCharacters(text)) return undefined;
  const segments = fold(text)
    .split(/[/\\]+/)
    .map((segment) => segment.replace(/[;,].*$/s, '').replace(/^[\s+]+|[\s+]+$/g, ''));
  if (segments.some((segment) => /^\.+$/.test(segment))) return undefined;
  return segments.map((segment) => segment.replace(/[.\s+]+$/, '')).filter((segment) => segment !== '');
}

function decodeFully(path: string): string | undefined {
  let [before, after] = ['', path];
  for (let round = 0; before !== after; round++) {
    if (round === MAX_ROUNDS) return undefined;
    before = after;
    const decoded = decodeOnce(before);
    if (decoded === undefined) return undefined;
    after = decoded;
  }
  return after;
}

/** A `%` that begins no encoding stays, as many servers leave it. */
function decodeOnce(text: string): string | undefined {
  try {
    return text
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) => decodeURIComponent(run))
      .replace(/%u([0-9a-f]{4})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
  } catch {
    return undefined;
  }
}

/** Full-width and accented letters become plain ones, characters without width go. */
function fold(text: string): string {
  const plain = text.normalize('NFKD').replace(/[\p{M}\p{Cf}]/gu, '');
  return plain.toUpperCase().toLowerCase();
}
