// Digests of bytes and texts. In this room because the words themselves need it: an asset has a digest, and accounts are
// told apart by one.

import { createHash } from 'node:crypto';

/** SHA-256 of bytes, or of a text in UTF-8, as 64 lower-case hexadecimal digits. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash('sha256').update(data).digest('hex');
}

/** The same of many bytes, computed in another thread. A browser's types, by which the page reads this, want no shared memory. */
export async function sha256Beside(bytes: Uint8Array): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes as Uint8Array<ArrayBuffer>)).toString('hex');
}
