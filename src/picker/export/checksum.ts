// The checksum of PNG and of zip: CRC-32 of ISO 3309.

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

export function crc32(...parts: readonly Uint8Array[]): number {
  let sum = 0xffffffff;
  for (const part of parts) {
    for (const byte of part) sum = (TABLE[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
  }
  return (sum ^ 0xffffffff) >>> 0;
}
