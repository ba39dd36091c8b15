// A path or another word as a person types it in a shell.

/** The word as it is, or in quotation marks where a shell would read it as anything else. */
export function shellWord(value: string): string {
  return /^[\w@%+=:,./~-]+$/.test(value) ? value : `'${value.replaceAll("'", String.raw`'\''`)}'`;
}
