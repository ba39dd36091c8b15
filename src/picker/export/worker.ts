// Makes files in a thread of its own, so that the page never stalls: frames come as bitmaps, the file goes back.

import { Zip, ZipPassThrough } from 'fflate';
import { applyPalette, GIFEncoder, quantize } from 'gifenc';
import { createApng, encodePng } from './apng.js';
import type { Collector, Pixels } from './collector.js';
import type { ExportAnswer, ExportOrder } from './messages.js';
import { createMov } from './mov.js';
import { drawSheet } from './draw-sheet.js';

type Begun = Extract<ExportOrder, { do: 'begin' }>;

let collector: Collector | undefined;
let context: OffscreenCanvasRenderingContext2D | null = null;
let begun: Begun | undefined;
/** Of a sequence. */
let pictures: Blob[] = [];

self.addEventListener('message', ({ data }: MessageEvent<ExportOrder>) => {
  obey(data).then(tell, (error: unknown) => tell({ error: error instanceof Error ? error.message : String(error) }));
});

async function obey(order: ExportOrder): Promise<ExportAnswer> {
  if (order.do === 'sheet') return { file: await drawSheet(order) };
  if (order.do === 'zip') return { file: await zipOf(order.files) };
  if (order.do === 'begin') {
    begun = order;
    context = new OffscreenCanvas(order.width, order.height).getContext('2d', { willReadFrequently: true });
    collector = collect(order);
    return { ok: true, bytes: 0 };
  }
  if (collector === undefined || begun === undefined || context === null) throw new Error('no file was begun');
  if (order.do === 'end' && begun.kind === 'png') return { files: pictures };
  if (order.do === 'end') return { file: new Blob(collector.finish(), { type: TYPES[begun.kind] }) };
  await collector.add(pixelsOf(order.bitmap, begun, context), order.delayMs);
  return { ok: true, bytes: collector.bytes };
}

async function zipOf(files: Extract<ExportOrder, { do: 'zip' }>['files']): Promise<Blob> {
  const zip = createZip();
  for (const { name, blob } of files) zip.add(name, [new Uint8Array(await blob.arrayBuffer())]);
  return new Blob(zip.finish(), { type: TYPES.png });
}

const MOV = 'video/quicktime';
const TYPES = { gif: 'image/gif', apng: 'image/apng', png: 'application/zip', mov: MOV, movpng: MOV } as const;

function collect({ kind, width, height, rate }: Begun): Collector {
  if (kind === 'gif') return createGif(width, height);
  if (kind === 'apng') return createApng(width, height);
  if (kind === 'mov') return createMov(width, height, 'prores', rate);
  if (kind === 'movpng') return createMov(width, height, 'png', rate);
  pictures = [];
  let bytes = 0;
  return {
    get bytes() {
      return bytes;
    },
    add: async (pixels) => {
      const picture = new Blob(await encodePng(pixels, width, height), { type: 'image/png' });
      bytes += picture.size;
      pictures.push(picture);
    },
    finish: () => [],
  };
}

/** One color is kept for what is not there. */
const MOST_COLORS = 255;
const HALF = 128;
/** To the background before the next frame is drawn: what is not there shows nothing of the frame before. */
const TO_BACKGROUND = 2;

/** A GIF: it has 256 colors a frame and one bit of alpha, a pixel is there or not. */
function createGif(width: number, height: number): Collector {
  const gif = GIFEncoder();
  return {
    get bytes() {
      return gif.bytesView().length;
    },
    add: (pixels, delayMs) => {
      const isThere = (index: number) => (pixels[index * 4 + 3] ?? 0) >= HALF;
      const count = width * height;
      const seen = new Uint8ClampedArray(pixels.length);
      let end = 0;
      for (let i = 0; i < count; i += 1) {
        if (!isThere(i)) continue;
        seen.set(pixels.subarray(i * 4, i * 4 + 3), end);
        seen[end + 3] = 255;
        end += 4;
      }
      const palette = end === 0 ? [] : quantize(seen.slice(0, end), MOST_COLORS, { format: 'rgb565' });
      const nothing = palette.length;
      const indices =
        palette.length === 0 ? new Uint8Array(count).fill(nothing) : applyPalette(pixels, palette, 'rgb565');
      for (let i = 0; i < count; i += 1) if (!isThere(i)) indices[i] = nothing;
      gif.writeFrame(indices, width, height, {
        palette: [...palette, [0, 0, 0]],
        delay: delayMs,
        dispose: TO_BACKGROUND,
        transparent: true,
        transparentIndex: nothing,
      });
    },
    finish: () => {
      gif.finish();
      return [gif.bytesView()];
    },
  };
}

/** 1980-01-01, the first day a zip can tell: the same content makes the same file. */
const FIRST_DAY = new Date(1980, 0, 1);

/** A zip whose files are stored as they are: what goes in is compressed already. */
function createZip() {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const zip = new Zip((error, part) => {
    if (error !== null) throw error;
    parts.push(part);
    bytes += part.length;
  });
  return {
    get bytes() {
      return bytes;
    },
    add: (name: string, content: readonly Uint8Array[]) => {
      const file = Object.assign(new ZipPassThrough(name), { mtime: FIRST_DAY });
      zip.add(file);
      for (const [index, part] of content.entries()) file.push(part, index === content.length - 1);
    },
    finish: () => {
      zip.end();
      return parts;
    },
  };
}

/** The middle of a square bitmap, of the size of the file, on its background. */
function pixelsOf(
  bitmap: ImageBitmap,
  { width, height, background }: Begun,
  onto: OffscreenCanvasRenderingContext2D,
): Pixels {
  onto.clearRect(0, 0, width, height);
  if (background !== '') {
    onto.fillStyle = background;
    onto.fillRect(0, 0, width, height);
  }
  onto.drawImage(bitmap, Math.round((width - bitmap.width) / 2), Math.round((height - bitmap.height) / 2));
  bitmap.close();
  return onto.getImageData(0, 0, width, height).data;
}

function tell(answer: ExportAnswer): void {
  (self as unknown as Worker).postMessage(answer, []);
}
