// Kind and size of a picture by its first bytes: what a service says of a picture may differ from what it sent.

export interface PictureFacts {
  readonly extension: 'png' | 'jpg' | 'gif' | 'webp' | 'avif';
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

/** The kind and size of a picture; undefined for what is none of the five. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  try {
    const found = readPng(view) ?? readJpeg(view) ?? readGif(view) ?? readWebp(view) ?? readAvif(view);
    return found !== undefined && found.width > 0 && found.height > 0 ? found : undefined;
  } catch (error) {
    // It ends before its size.
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

function readPng(view: Buffer): PictureFacts | undefined {
  if (view.toString('latin1', 0, 8) !== '\u0089PNG\r\n\u001A\n') return undefined;
  return { extension: 'png', width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}

/** Segments up to a start of frame (ITU T.81, annex B), which is any of C0 to CF but tables and arithmetic conditioning. */
function readJpeg(view: Buffer): PictureFacts | undefined {
  if (view.toString('hex', 0, 3) !== 'ffd8ff') return undefined;
  for (let at = 2; ;) {
    if (view.readUInt8(at) !== 0xff) return undefined;
    const kind = view.readUInt8(at + 1);
    if (kind === 0xff) at += 1;
    else if (kind >= 0xc0 && kind <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(kind)) {
      return { extension: 'jpg', height: view.readUInt16BE(at + 5), width: view.readUInt16BE(at + 7) };
    } else if (kind === 0xd9 || kind === 0xda) return undefined;
    else at += 2 + (kind === 0x01 || (kind >= 0xd0 && kind <= 0xd7) ? 0 : view.readUInt16BE(at + 2));
  }
}

function readGif(view: Buffer): PictureFacts | undefined {
  if (!/^GIF8[79]a/.test(view.toString('latin1', 0, 6))) return undefined;
  return { extension: 'gif', width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
}

/** Google's container specification: lossy, lossless, or extended. */
function readWebp(view: Buffer): PictureFacts | undefined {
  if (view.toString('latin1', 0, 4) !== 'RIFF' || view.toString('latin1', 8, 12) !== 'WEBP') return undefined;
  const kind = view.toString('latin1', 12, 16);
  const sized = (width: number, height: number): PictureFacts => ({ extension: 'webp', width, height });
  if (kind === 'VP8 ') return sized(view.readUInt16LE(26) & 0x3fff, view.readUInt16LE(28) & 0x3fff);
  if (kind === 'VP8X') return sized(view.readUIntLE(24, 3) + 1, view.readUIntLE(27, 3) + 1);
  if (kind !== 'VP8L') return undefined;
  const bits = view.readUInt32LE(21);
  return sized((bits & 0x3fff) + 1, ((bits >>> 14) & 0x3fff) + 1);
}

/** The first `ispe` property (ISO/IEC 23008-12, 6.5.3) is that of the picture itself in all files of common encoders. */
function readAvif(view: Buffer): PictureFacts | undefined {
  if (!/^ftypavi[fs]/.test(view.toString('latin1', 4, 12))) return undefined;
  const at = view.indexOf('ispe', 0, 'latin1');
  if (at === -1) return undefined;
  return { extension: 'avif', width: view.readUInt32BE(at + 8), height: view.readUInt32BE(at + 12) };
}
