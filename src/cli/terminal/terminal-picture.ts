// A picture on a terminal: by kitty's or iTerm2's protocol, else as half blocks in true color. Never into a pipe.

import { on } from 'node:events';
import { refusesColor, terminalKind } from '../../config/environment.js';
import { readPng } from '../../picture/write-png.js';
import { terminalWidth } from './format.js';

export const PROTOCOLS = ['kitty', 'iterm', 'blocks'] as const;
type Protocol = (typeof PROTOCOLS)[number];

/** So long a terminal is waited for that answers no question. */
const ANSWER_MS = 500;
/** Of base64, in one escape of kitty's protocol. */
const CHUNK = 4096;

/** Whether a picture may be printed at all. */
export function isPictureTerminal({ json }: { readonly json: boolean }): boolean {
  return !json && process.stdout.isTTY && !refusesColor();
}

/** What shows a PNG of `writePng` on this terminal, when printed. */
export async function asTerminalPicture(png: Uint8Array, typed?: Protocol): Promise<string> {
  const protocol = typed ?? (await findProtocol());
  if (protocol === 'blocks') return asBlocks(png, terminalWidth());
  const base64 = Buffer.from(png).toString('base64');
  if (protocol === 'iterm') return `\x1b]1337;File=inline=1;size=${png.byteLength}:${base64}\x07\n`;
  const parts = base64.match(new RegExp(`.{1,${CHUNK}}`, 'g')) ?? [];
  const escapes = parts.map((part, at) => {
    const more = at < parts.length - 1 ? 1 : 0;
    return `\x1b_G${at === 0 ? 'a=T,f=100,' : ''}m=${more};${part}\x1b\\`;
  });
  return `${escapes.join('')}\n`;
}

async function findProtocol(): Promise<Protocol> {
  const kind = terminalKind();
  if (kind !== undefined) return kind === 'tmux' ? 'blocks' : kind;
  return (await answersKitty()) ? 'kitty' : 'blocks';
}

/** Asks for kitty's protocol, then for what every terminal answers: whoever does not know the first answers the second alone. */
async function answersKitty(): Promise<boolean> {
  const { stdin, stdout } = process;
  if (!stdin.isTTY) return false;
  stdin.setRawMode(true);
  let heard = '';
  try {
    const answers = on(stdin, 'data', { signal: AbortSignal.timeout(ANSWER_MS) });
    stdout.write('\x1b_Gi=31,s=1,v=1,a=q,t=d,f=24;AAAA\x1b\\\x1b[c');
    for await (const [part] of answers as AsyncIterable<[Buffer]>) {
      heard += part.toString('latin1');
      // oxlint-disable-next-line no-control-regex
      if (/\x1b\[\?[\d;]*c/.test(heard)) break;
    }
  } catch {
    // It answered nothing in time.
  } finally {
    stdin.setRawMode(false);
    stdin.pause();
  }
  return heard.includes('_Gi=31;OK');
}

/** Two pixels a character, as wide as the terminal at most. */
function asBlocks(png: Uint8Array, columns: number): string {
  const { width, height, pixelAt } = readPng(png);
  const across = Math.min(columns, width);
  const step = width / across;
  const down = Math.ceil(height / step / 2);
  const colorAt = (column: number, row: number) => {
    const y = Math.min(height - 1, Math.floor((row + 0.5) * step));
    return pixelAt(Math.min(width - 1, Math.floor((column + 0.5) * step)), y).join(';');
  };
  const cell = (column: number, row: number) =>
    `\x1b[38;2;${colorAt(column, row * 2)}m\x1b[48;2;${colorAt(column, row * 2 + 1)}m▀`;
  const line = (row: number) => Array.from({ length: across }, (_, column) => cell(column, row)).join('');
  return Array.from({ length: down }, (_, row) => `${line(row)}\x1b[0m\n`).join('');
}
