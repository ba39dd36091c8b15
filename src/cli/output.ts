// Output streams: the answer on stdout, everything else on stderr.

/** Writes to stdout and waits until the bytes have left, so that no exit cuts them off. */
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

/** Writes an answer to stdout: JSON for a program, `describe`'s lines for a person. */
export function printAnswer<T>(
  { json }: { readonly json: boolean },
  answer: T,
  describe: (answer: T) => string | readonly string[],
): Promise<void> {
  return json ? printJson(answer) : printLines(...[describe(answer)].flat());
}

/** Writes a line to stderr. */
export function printNote(line: string): void {
  process.stderr.write(`${line}\n`);
}
