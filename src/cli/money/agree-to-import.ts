// What a hub is to take in from a file, shown before it does: it signs every item for all its machines.

import { IMAGE_PRICE, STICKER_PRICE } from '../../contract/limits.js';
import { safeFormOf } from '../../lottie/safe-form.js';
import { SvcdError } from '../../model/errors.js';
import { createDraw } from '../../picture/draw.js';
import { drawSheet, type Tile } from '../../picture/sheet.js';
import { readLines } from '../../platform/read-lines.js';
import { readItem } from '../../purchases/transfer-owned.js';
import { LINE_MAX_BYTES, openExport } from '../library/transfer.js';
import { formatNumber, formatTableWithHead, sanitize } from '../terminal/format.js';
import { type Input, invalidArgument } from '../terminal/input.js';
import { print, printNote } from '../terminal/output.js';
import { agrees } from '../terminal/terminal-input.js';
import { asTerminalPicture, isPictureTerminal } from '../terminal/terminal-picture.js';
import { ownedWords } from './words.js';

const [TILE, COLUMNS, DRAWN_MAX] = [96, 8, 64];
const PRICES: Readonly<Record<string, number>> = { sticker: STICKER_PRICE, image: IMAGE_PRICE };

/** Shows each item of the FILE that was typed, and asks. Throws `invalid_argument` where nobody can be asked, `interrupted` for no. */
export async function agreeToImport(input: Input): Promise<void> {
  const words = ownedWords();
  const file = input.word('file');
  const isAgreed = input.flag('yes') === true;
  if (file === '-' && isAgreed) return;
  if (file === '-') throw invalidArgument(words.importNeedsFile);
  const isDrawn = isPictureTerminal(input);
  const draw = createDraw();
  const rows: string[][] = [];
  const tiles: Tile[] = [];
  try {
    const { lines } = await openExport(file, () => undefined);
    for await (const batch of readLines(lines, { maxBytes: LINE_MAX_BYTES, batch: 1 })) {
      for (const { text } of batch) {
        const read = await readItem(text, LINE_MAX_BYTES);
        if (!('item' in read)) continue;
        const { item, sha256, bytes, receipt } = read;
        const [kind = ''] = item.split(':', 1);
        const receipted = receipt === undefined ? '' : words.receipted;
        rows.push([`${rows.length + 1}`, item, sha256.slice(0, 12), formatNumber(PRICES[kind] ?? 0), receipted]);
        if (isDrawn && tiles.length < DRAWN_MAX) tiles.push(await tileOf(kind, bytes));
      }
    }
    for (const line of formatTableWithHead(Object.values(words.importHead), rows)) printNote(sanitize(line));
    if (tiles.length > 0) await print(await asTerminalPicture(await drawSheet(tiles, TILE, COLUMNS, 1)));
  } finally {
    draw.close();
  }
  if (isAgreed) return;
  const question = words.importAsk(rows.length);
  if (!process.stdin.isTTY) throw invalidArgument(words.importSayYes(question));
  if (!(await agrees(question))) throw new SvcdError('interrupted', words.nothingImported);

  async function tileOf(kind: string, bytes: Uint8Array): Promise<Tile> {
    const card = { color: undefined, aspect: undefined };
    if (kind !== 'sticker') return card;
    const drawing = { bytes: Uint8Array.from(safeFormOf(bytes)), width: TILE, height: TILE, at: 0.5 };
    return draw.draw(drawing).catch(() => ({ ...card, isBroken: true }));
  }
}
