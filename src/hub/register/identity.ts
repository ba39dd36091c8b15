// Who a hub is: its certificate, by whose public key machines know it again, and the key that receipts are signed with. Both
// are made once; hubs that share a database share them. A new certificate of the same key is the same hub.

import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject, X509Certificate } from 'node:crypto';
import { existsSync, linkSync, readFileSync, rmSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { SvcdError, systemCode } from '../../model/errors.js';
import { makeFolder, replaceFile, writePart } from '../../platform/files/files.js';
import { asHomeTrouble, isDiskFull } from '../../platform/files/home-folder.js';
import { createReceiptSigner, makeReceiptKey, type ReceiptSigner } from '../app/receipts.js';

export interface HubIdentity {
  /** PEM; the certificate with those that lead to its authority. */
  readonly certificate: string;
  readonly privateKey: string;
  /** SHA-256 of the public key (SPKI), base64url. */
  readonly pin: string;
  /** Whether svcd made the certificate. */
  readonly isOwn: boolean;
  readonly expiresAt: Date;
  readonly receipts: ReceiptSigner;
}

export interface IdentityOptions {
  /** Folder for what svcd makes itself; hubs of one studio share one. */
  readonly folder: string;
  /** Names and addresses that clients may call the hub by. */
  readonly names: readonly string[];
  /** Files of a certificate that somebody else made. */
  readonly given?: { readonly certificate: string; readonly privateKey: string } | undefined;
  readonly receiptKey?: string | undefined;
  readonly now: number;
}

const FILES = { certificate: 'certificate.pem', privateKey: 'private-key.pem', receiptKey: 'receipt-key.pem' };
const DAY_MS = 24 * 60 * 60_000;
const LIFE_MS = 3650 * DAY_MS;
/** One of our own is renewed so long before its end; one that was given is warned of. */
export const NEAR_END_MS = 30 * DAY_MS;

/** Opens who this hub is, and makes what is not there yet. Throws `invalid_config` naming the file. */
export async function openIdentity({ folder, names, given, receiptKey, now }: IdentityOptions): Promise<HubIdentity> {
  const ofReceipts = receiptKey ?? join(folder, FILES.receiptKey);
  const receipts = receiptKey === undefined ? keepOnce(ofReceipts, makeReceiptKey) : readText(receiptKey);
  const signer = inWords(ofReceipts, 'no private key of Ed25519 in PEM', () => createReceiptSigner(receipts));
  if (given !== undefined) return { ...readGiven(given), isOwn: false, receipts: signer };
  const keyFile = join(folder, FILES.privateKey);
  const privateKey = keepOnce(keyFile, makePrivateKey);
  const key = inWords(keyFile, 'no private key in PEM', () => createPrivateKey(privateKey));
  const file = join(folder, FILES.certificate);
  const kept = findFitting(file, key, names, now);
  const certificate = kept ?? (await makeCertificate(key, names, now));
  if (kept === undefined) replaceFile(file, certificate);
  return { ...describeIdentity(certificate, privateKey), isOwn: true, receipts: signer };
}

/** SHA-256 of the public key of a certificate in DER or PEM, base64url. */
export function pinOf(certificate: X509Certificate): string {
  const spki = certificate.publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(spki).digest('base64url');
}

function describeIdentity(certificate: string, privateKey: string) {
  const read = new X509Certificate(certificate);
  return { certificate, privateKey, pin: pinOf(read), expiresAt: new Date(read.validTo) };
}

function readGiven(files: { readonly certificate: string; readonly privateKey: string }) {
  const [certificate, privateKey] = [readText(files.certificate), readText(files.privateKey)];
  const read = inWords(files.certificate, 'no certificate in PEM', () => new X509Certificate(certificate));
  const key = inWords(files.privateKey, 'no private key in PEM', () => createPrivateKey(privateKey));
  if (!read.checkPrivateKey(key)) throw unusable(files.privateKey, `does not belong to ${files.certificate}`);
  return describeIdentity(certificate, privateKey);
}

/** The certificate that is there, if it is of this key, names all of these and lasts; another is made otherwise. */
function findFitting(file: string, key: KeyObject, names: readonly string[], now: number): string | undefined {
  if (!existsSync(file)) return undefined;
  const text = readText(file);
  try {
    const read = new X509Certificate(text);
    const namesAll = names.every((name) => (isIP(name) ? read.checkIP(name) : read.checkHost(name)) !== undefined);
    const lasts = Date.parse(read.validTo) - NEAR_END_MS > now;
    return namesAll && lasts && read.checkPrivateKey(key) ? text : undefined;
  } catch {
    // It holds nothing that cannot be made again.
    return undefined;
  }
}

/** Loaded late: once in the life of a hub. */
async function makeCertificate(key: KeyObject, names: readonly string[], now: number): Promise<string> {
  const { signCertificate } = await import('./sign-certificate.js');
  // Clocks differ.
  return signCertificate(key, names, new Date(now - DAY_MS), new Date(now + LIFE_MS));
}

function makePrivateKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** The content of a private file; where there is none, what `make` gives becomes it. Of two at once the first one's stays. */
function keepOnce(file: string, make: () => string): string {
  if (existsSync(file)) return readText(file);
  const part = `${file}.${process.pid}`;
  try {
    makeFolder(join(file, '..'));
    rmSync(part, { force: true });
    writePart(part, make(), 0o600);
    linkSync(part, file);
  } catch (cause) {
    if (isDiskFull(cause)) throw asHomeTrouble(join(file, '..'), cause);
    if (systemCode(cause) !== 'EEXIST') {
      throw new SvcdError('home_not_writable', `${file} cannot be written (${systemCode(cause) ?? String(cause)})`, {
        cause,
        hint: 'Make its folder writable, or name another one with --identity DIR.',
      });
    }
  } finally {
    rmSync(part, { force: true });
  }
  return readText(file);
}

function readText(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw unusable(file, `cannot be read (${systemCode(cause) ?? 'unknown'})`, cause);
  }
}

function inWords<T>(file: string, what: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    throw unusable(file, `holds ${what}`, cause);
  }
}

function unusable(file: string, why: string, cause?: unknown): SvcdError {
  return new SvcdError('invalid_config', `${file} ${why}`, { cause });
}
