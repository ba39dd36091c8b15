// Receipts: the hub signs that a purchase brought these bytes (Ed25519), so that a machine, or a hub that takes bytes back,
// sees a database or a bucket that was changed. One signature is some forty bytes and fifty microseconds.

import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { readReceipt } from '../../purchases/signed-receipts.js';

/** What a receipt speaks for. */
export interface Receipted {
  /** The remote that sold it. */
  readonly scope: string;
  readonly item: string;
  /** Of the bytes, in hexadecimal. */
  readonly sha256: string;
  /** Number of the purchase; 0 of what was imported. */
  readonly purchase: number;
}

export interface ReceiptSigner {
  /** As a code and a machine's file carry it: 32 bytes, base64url. */
  readonly publicKey: string;
  /** `v1.NUMBER.SIGNATURE`. */
  sign(of: Receipted): string;
}

const VERSION = 'v1';

/** A new private key, as PEM. */
export function makeReceiptKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Signs with a private key in PEM. Throws what node:crypto throws where that is none of Ed25519. */
export function createReceiptSigner(pem: string): ReceiptSigner {
  const key = createPrivateKey(pem);
  if (key.asymmetricKeyType !== 'ed25519') throw new Error(`is a key of ${key.asymmetricKeyType}, not of Ed25519`);
  return {
    publicKey: createPublicKey(key).export({ format: 'jwk' }).x ?? '',
    sign: (of) => `${VERSION}.${of.purchase}.${sign(null, signedText(of), key).toString('base64url')}`,
  };
}

/** The number of the purchase that a receipt proves; undefined where it does not prove this. */
export function provenPurchase(
  receipt: string,
  of: Omit<Receipted, 'purchase'>,
  publicKey: string,
): number | undefined {
  const read = readReceipt(receipt);
  if (read === undefined) return undefined;
  const { purchase, signature } = read;
  const isRight = verify(
    null,
    signedText({ ...of, purchase }),
    readPublic(publicKey),
    Buffer.from(signature, 'base64url'),
  );
  return isRight ? purchase : undefined;
}

function readPublic(x: string): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
}

/** No two receipts have one text: JSON keeps the parts apart. */
function signedText({ scope, item, sha256, purchase }: Receipted): Buffer {
  return Buffer.from(JSON.stringify(['svcd receipt', VERSION, scope, item, sha256, purchase]));
}
