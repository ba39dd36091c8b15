// Writing for people and programs: answers to stdout, everything else to stderr.

/** Writes to stdout and waits until it has left, so that no exit can cut it off. */
export function print(content: string | Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    process.stdout.write(content, () => resolve());
  });
}

/** Writes lines for a person to stdout. */
export function printLines(...lines: readonly string[]): Promise<void> {
  return print(`${lines.join('\n')}\n`);
}

/** Writes the answer for a program: one line of JSON on stdout. */
export function printJson(value: unknown): Promise<void> {
  return print(`${JSON.stringify(value)}\n`);
}

/** Writes a line to stderr. */
export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** Text from elsewhere, made safe for a terminal: a title must not be able to move the cursor. */
export function plain(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ');
}

/** A number with thousands set apart. */
export function grouped(count: number): string {
  return String(count).replace(/\B(?=(\d{3})+$)/g, ',');
}

/** A count with its noun: `1 credit`, `2 credits`. */
export function counted(count: number, noun: string): string {
  return `${grouped(count)} ${noun}${count === 1 ? '' : 's'}`;
}
