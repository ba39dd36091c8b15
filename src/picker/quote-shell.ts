// Words of a command line for people to paste.

/** A word for any shell: one with another character than these is quoted. */
export function quoteShell(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
