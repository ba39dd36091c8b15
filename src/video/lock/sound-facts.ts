// Kind, length and silence of a sound by its bytes, as far as they say: what a service says of a track may differ from what it sent.

export interface SoundFacts {
  readonly extension: 'wav' | 'mp3' | 'ogg' | 'flac' | 'm4a';
  /** Of a WAV file, which says so. */
  readonly duration_s?: number;
  readonly isSilent: boolean;
}

const KINDS = { mp3: /^(?:ID3|\u00FF[\u00E2-\u00FB])/, ogg: /^OggS/, flac: /^fLaC/, m4a: /^.{4}ftyp/s } as const;

/** Undefined for what is no sound of these five. */
export function soundFacts(bytes: Uint8Array): SoundFacts | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = view.toString('latin1', 0, 12);
  if (/^RIFF.{4}WAVE/s.test(head)) return readWav(view);
  const kinds = Object.keys(KINDS) as (keyof typeof KINDS)[];
  const extension = kinds.find((kind) => KINDS[kind].test(head));
  return extension && { extension, isSilent: false };
}

/** Chunks up to the samples, which may be said to be longer than the file. */
function readWav(view: Buffer): SoundFacts | undefined {
  let bytesPerSecond = 0;
  for (let at = 12; at + 8 <= view.length;) {
    const [name, size] = [view.toString('latin1', at, at + 4), view.readUInt32LE(at + 4)];
    const chunk = view.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ' && chunk.length >= 12) bytesPerSecond = chunk.readUInt32LE(8);
    if (name === 'data' && bytesPerSecond > 0 && chunk.length > 0) {
      const duration = Math.round((chunk.length / bytesPerSecond) * 1000) / 1000;
      return { extension: 'wav', duration_s: duration, isSilent: chunk.every((byte) => byte === chunk[0]) };
    }
    at += 8 + size + (size % 2);
  }
  return undefined;
}
