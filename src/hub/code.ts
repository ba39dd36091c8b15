// The code of an invite: one word to copy, with all that a machine needs to find its hub, to know it again, and to be let
// in. A sum of check says a word that was cut or mistyped before anything is asked.

import * as v from 'valibot';
import { SvcdError } from '../model/errors.js';
import { sha256Hex } from '../model/hash.js';

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

const address = v.pipe(v.string(), v.url(), v.startsWith('https://'));
const digest = v.pipe(v.string(), v.regex(/^[\w-]{43}$/));
const schema = v.tuple([
  v.literal(VERSION),
  v.pipe(v.array(address), v.minLength(1)),
  digest,
  v.string(),
  digest,
  v.string(),
]);

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
  const read = v.safeParse(schema, parse(text));
  if (!read.success) throw notOne('a newer svcd made it', 'Update svcd on this machine: npm install -g svcd.');
  const [, addresses, pin, secret, receiptKey, scope] = read.output;
  return { addresses, pin, secret, receiptKey, scope };
}

function sumOf(text: string): string {
  return sha256Hex(text).slice(0, SUM_LENGTH);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function notOne(why: string, hint = 'Copy the whole code that "svcd hub invite" printed.'): SvcdError {
  return new SvcdError('invalid_invite', `this is no code of an invite: ${why}`, { hint });
}
