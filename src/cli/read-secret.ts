// Reading a secret: from a prompt that shows nothing, or from stdin when that is no terminal.

import { SvcdError } from '../model/errors.js';
import { note } from './output.js';

const MAX_BYTES = 64 * 1024;

/** The secret as it was typed or piped, without its line end. Throws `interrupted` for Ctrl+C. */
export async function readSecret(prompt: string): Promise<string> {
  const { stdin } = process;
  return stdin.isTTY ? readHidden(prompt, stdin) : readAll(stdin);
}

async function readAll(stdin: NodeJS.ReadStream): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stdin as AsyncIterable<Buffer>) {
    size += chunk.byteLength;
    if (size > MAX_BYTES) throw new SvcdError('invalid_argument', 'stdin holds too much to be a Key');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Raw mode shows nothing, so line editing is ours: backspace, Ctrl+U, Ctrl+C, Ctrl+D. */
async function readHidden(prompt: string, stdin: NodeJS.ReadStream): Promise<string> {
  process.stderr.write(prompt);
  stdin.setRawMode(true);
  let typed = '';
  try {
    for await (const chunk of stdin.setEncoding('utf8') as unknown as AsyncIterable<string>) {
      for (const sign of withoutMarks(chunk)) {
        if (sign === '\r' || sign === '\n' || sign === '\u0004') return typed;
        if (sign === '\u0003') throw new SvcdError('interrupted', 'nothing was stored');
        if (sign === '\u0015') typed = '';
        else typed = sign === '\u007F' || sign === '\b' ? typed.slice(0, -1) : typed + sign;
      }
    }
    return typed;
  } finally {
    stdin.setRawMode(false);
    note('');
  }
}

// Terminals put these around what is pasted.
const PASTE_MARKS = ['\u001B[200~', '\u001B[201~'];

function withoutMarks(chunk: string): string {
  return PASTE_MARKS.reduce((text, mark) => text.replaceAll(mark, ''), chunk);
}
