// Output streams: the answer on stdout, everything else on stderr.

import { namingHome, openPaint } from './format.js';
import { terminalWords } from './words.js';

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

interface Answered {
  readonly answeredBy?: { readonly sandbox: boolean };
}

/** The line below an answer of the sandbox. */
export function markOf({ answeredBy }: Answered): string[] {
  return answeredBy?.sandbox === true ? [terminalWords().sandboxMark] : [];
}

/**
 * Writes an answer to stdout: JSON for a program, `describe`'s lines for a person. One of the sandbox says so: in the
 * field `remote` (`sandbox: true` where that field has another meaning), and in a last line.
 */
export function printAnswer<T extends object>(
  to: { readonly json: boolean } & Answered,
  answer: T,
  describe: (answer: T) => string | readonly string[],
): Promise<void> {
  const mark = markOf(to);
  if (!to.json) return printLines(...[describe(answer)].flat().map(namingHome), ...mark.map(openPaint().faint));
  const field = 'remote' in answer ? { sandbox: true } : { remote: 'sandbox' };
  return printJson(mark.length === 0 || Array.isArray(answer) ? answer : { ...answer, ...field });
}

let clearLine = (): void => undefined;

/** `clear` takes a line that is not at its end off the terminal, before a note is written. */
export function clearBeforeNotes(clear: () => void): void {
  clearLine = clear;
}

/** Writes a line to stderr, in which commands name the home that was typed. */
export function printNote(line: string): void {
  clearLine();
  process.stderr.write(`${namingHome(line)}\n`);
}

const held: string[] = [];

/** Keeps a line of the log until the answer has left: it must not stand among that. */
export function holdLine(line: string): void {
  held.push(line);
}

/** Writes what was kept. */
export function releaseLines(): void {
  held.splice(0).forEach(printNote);
}

/** Writes a line for a program to stderr, as it is. */
export function printProgramNote(line: string): void {
  clearLine();
  process.stderr.write(`${line}\n`);
}
