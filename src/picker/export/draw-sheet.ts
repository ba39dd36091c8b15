// Draws a contact sheet: stickers in equal cells on white, with their titles. What stands in for a picture has the dashed
// frame and the label that it has in the grid.

import { tint } from '../player/sketch.js';
import type { ExportOrder, SheetItem } from './messages.js';

type Sheet = Extract<ExportOrder, { do: 'sheet' }>;
type Context = OffscreenCanvasRenderingContext2D;

const SIDE = 240;
const GAP = 20;
const TEXT = 56;
const HEAD = 64;
const INK = '#1a1a1f';
const QUIET = '#55555f';
const FONT = "system-ui, 'Noto Sans CJK SC', 'PingFang SC', 'Microsoft YaHei', sans-serif";

export async function drawSheet({ items, columns, title }: Sheet): Promise<Blob> {
  const rows = Math.max(1, Math.ceil(items.length / columns));
  const head = title === '' ? GAP : HEAD;
  const canvas = new OffscreenCanvas(GAP + columns * (SIDE + GAP), head + rows * (SIDE + TEXT + GAP));
  const context = canvas.getContext('2d');
  if (context === null) throw new Error('the browser has no memory for so large a picture');
  context.fillStyle = '#ffffff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.textBaseline = 'alphabetic';
  if (title !== '') write(context, title, GAP, HEAD - 24, canvas.width - 2 * GAP, `600 24px ${FONT}`, INK);
  for (const [index, item] of items.entries()) {
    const x = GAP + (index % columns) * (SIDE + GAP);
    drawItem(context, item, x, head + Math.floor(index / columns) * (SIDE + TEXT + GAP));
  }
  return canvas.convertToBlob({ type: 'image/png' });
}

function drawItem(context: Context, item: SheetItem, x: number, y: number): void {
  const ink = mix(item.color, INK, 0.45);
  if (item.look === 'picture') {
    context.strokeStyle = '#dcdad2';
    context.strokeRect(x + 0.5, y + 0.5, SIDE - 1, SIDE - 1);
  } else {
    context.fillStyle = mix(item.color, '#ffffff', 0.12);
    context.fillRect(x, y, SIDE, SIDE);
    context.strokeStyle = ink;
    context.setLineDash([8, 6]);
    context.strokeRect(x + 12, y + 12, SIDE - 24, SIDE - 24);
    context.setLineDash([]);
  }
  // The label covers nothing of it.
  const inset = item.look === 'picture' ? 32 : 44;
  const inner = SIDE - 2 * inset;
  if (item.bitmap === undefined) {
    const size = Math.min(64, inner / Math.max(1, Array.from(item.word).length));
    context.textAlign = 'center';
    write(context, item.word, x + SIDE / 2, y + SIDE / 2 + size / 3, inner, `600 ${size}px ${FONT}`, ink);
    context.textAlign = 'left';
  } else {
    const drawn = item.look === 'sketch' ? tint(item.bitmap, ink) : item.bitmap;
    context.drawImage(drawn, x + inset, y + inset, inner, inner);
    item.bitmap.close();
  }
  drawLabel(context, item, x, y, ink);
  write(context, item.title, x, y + SIDE + 24, SIDE, `600 18px ${FONT}`, INK);
  write(context, item.note, x, y + SIDE + 46, SIDE, `14px ${FONT}`, QUIET);
}

/** What is to be seen of it: its picture, a sketch, or nothing. */
function drawLabel(context: Context, { look, label }: SheetItem, x: number, y: number, ink: string): void {
  context.font = `13px ${FONT}`;
  const width = context.measureText(label).width + 16;
  context.fillStyle = look === 'picture' ? '#f6f5f1' : ink;
  context.fillRect(x + 8, y + SIDE - 30, width, 22);
  write(context, label, x + 16, y + SIDE - 14, SIDE, `13px ${FONT}`, look === 'picture' ? QUIET : '#ffffff');
}

/** One line, shortened where it is too long. */
function write(context: Context, text: string, x: number, y: number, most: number, font: string, color: string): void {
  context.font = font;
  context.fillStyle = color;
  const characters = Array.from(text);
  let shown = text;
  while (characters.length > 1 && context.measureText(shown).width > most) {
    characters.pop();
    shown = `${characters.join('')}…`;
  }
  context.fillText(shown, x, y);
}

/** So much of one color in another; both `#rrggbb`. */
function mix(color: string, other: string, share: number): string {
  const channels = [1, 3, 5].map((at) => {
    const [a, b] = [Number.parseInt(color.slice(at, at + 2), 16), Number.parseInt(other.slice(at, at + 2), 16)];
    return Math.round((Number.isNaN(a) ? 128 : a) * share + b * (1 - share))
      .toString(16)
      .padStart(2, '0');
  });
  return `#${channels.join('')}`;
}
