// Writing a WAV file: one channel of 16 bits, the form that everything plays.

const HEADER_BYTES = 44;
const FORMAT_BYTES = 16;
const PCM = 1;
const CHANNELS = 1;
const SAMPLE_BYTES = 2;
const FULL = 32_767;

/** The WAV file of samples from -1 to 1. */
export function encodeWav(samples: Float32Array, sampleRate: number): Buffer {
  const dataBytes = samples.length * SAMPLE_BYTES;
  const file = Buffer.alloc(HEADER_BYTES + dataBytes);
  file.write('RIFF', 0, 'latin1');
  file.writeUInt32LE(file.length - 8, 4);
  file.write('WAVEfmt ', 8, 'latin1');
  file.writeUInt32LE(FORMAT_BYTES, 16);
  file.writeUInt16LE(PCM, 20);
  file.writeUInt16LE(CHANNELS, 22);
  file.writeUInt32LE(sampleRate, 24);
  file.writeUInt32LE(sampleRate * SAMPLE_BYTES, 28);
  file.writeUInt16LE(SAMPLE_BYTES, 32);
  file.writeUInt16LE(SAMPLE_BYTES * 8, 34);
  file.write('data', 36, 'latin1');
  file.writeUInt32LE(dataBytes, 40);
  const data = new DataView(file.buffer, file.byteOffset + HEADER_BYTES, dataBytes);
  for (let at = 0; at < samples.length; at++) {
    const value = Math.max(-1, Math.min(1, samples[at] ?? 0));
    data.setInt16(at * SAMPLE_BYTES, Math.round(value * FULL), true);
  }
  return file;
}
