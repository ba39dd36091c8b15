// The code of an invite: one word to copy, with all that a machine needs to find its hub, to know it again, and to be let
// in. A sum of check says a word that was cut or mistyped before anything is asked.

import { SvcdError } from '../../model/errors.js';
import { sha256Hex } from '../../model/hash.js';

export interface Invitation {
  /** Where hubs are, as `https://HOST:PORT`; the first that answers is asked. */
  readonly addresses: readonly string[];
  /** SHA-256 of the certificate's public key (SPKI), base64url. */
  readonly pin: string;
  /** What lets a machine in. */
  readonly secret: string;
  /** Public half of the key that receipts are signed with, base64url. */
  readonly receiptKey: string;
  /** Address of the service, or `sandbox`. */
  readonly scope: string;
}

const PREFIX = 'svcdi_';
const VERSION = 1;
const SUM_LENGTH = 8;

const DIGEST = /^[\w-]{43}$/;

/** The code of an invitation. */
export function writeCode({ addresses, pin, secret, receiptKey, scope }: Invitation): string {
  const text = JSON.stringify([VERSION, addresses, pin, secret, receiptKey, scope]);
  return PREFIX + Buffer.from(sumOf(text) + text).toString('base64url');
}

/** Reads what a person pasted, also over several lines. Throws `invalid_invite`. */
export function readCode(pasted: string): Invitation {
  const code = pasted.replaceAll(/\s/g, '');
  if (!code.startsWith(PREFIX)) throw notOne(`it does not begin with ${PREFIX}`);
  const whole = Buffer.from(code.slice(PREFIX.length), 'base64url').toString('utf8');
  const text = whole.slice(SUM_LENGTH);
  if (whole.slice(0, SUM_LENGTH) !== sumOf(text)) throw notOne('a part of it is missing or was changed');
  const invitation = invitationIn(text);
  if (invitation !== undefined) return invitation;
  throw notOne('a newer svcd made it', 'Update svcd on this machine: npm install -g svcd.');
}

function invitationIn(text: string): Invitation | undefined {
  const [version, addresses, ...words] = parse(text);
  const [pin, secret, receiptKey, scope] = words.filter(isText);
  if (version !== VERSION || !Array.isArray(addresses) || addresses.length === 0) return undefined;
  if (pin === undefined || secret === undefined || receiptKey === undefined || scope === undefined) return undefined;
  const isRight = addresses.every(isAddress) && DIGEST.test(pin) && DIGEST.test(receiptKey);
  return isRight ? { addresses, pin, secret, receiptKey, scope } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function isAddress(value: unknown): value is string {
  return isText(value) && value.startsWith('https://') && URL.canParse(value);
}

function sumOf(text: string): string {
  return sha256Hex(text).slice(0, SUM_LENGTH);
}

function parse(text: string): unknown[] {
  try {
    const read: unknown = JSON.parse(text);
    return Array.isArray(read) ? (read as unknown[]) : [];
  } catch {
    return [];
  }
}

function notOne(
  why: string,
  hint = 'Copy the whole code that was printed on the hub by "svcd hub invite".',
): SvcdError {
  return new SvcdError('invalid_invite', `this is no code of an invite: ${why}`, { hint });
}
