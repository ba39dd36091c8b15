// What the first bytes of a picture say that it is, whatever somebody says of it.

/** In hexadecimal. */
const SIGNATURES: readonly (readonly [type: string, head: RegExp])[] = [
  ['image/png', /^89504e470d0a1a0a/],
  ['image/jpeg', /^ffd8ff/],
  ['image/gif', /^474946383[79]61/],
  ['image/webp', /^52494646.{8}57454250/],
  ['image/avif', /^.{8}66747970617669(?:66|73)/],
];
const HEAD_BYTES = 12;

/** The media type of a picture in which no browser runs anything; `application/octet-stream` for all else, SVG too. */
export function pictureTypeOf(bytes: Uint8Array): string {
  const head = Buffer.from(bytes.subarray(0, HEAD_BYTES)).toString('hex');
  return SIGNATURES.find(([, signature]) => signature.test(head))?.[0] ?? 'application/octet-stream';
}
