// Secrets in the home that its owner gives to another program: each a file of its own, made where there is none.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError } from '../model/errors.js';
import { replaceFile } from '../platform/files/files.js';

interface Kind {
  readonly make: () => string;
  /** The part that counts is its first group. */
  readonly pattern: RegExp;
  readonly coding: 'base64' | 'latin1';
  readonly what: string;
}

/** As Standard Webhooks writes it. */
export const WEBHOOK_SECRET: Kind = {
  make: () => `whsec_${randomBytes(32).toString('base64')}`,
  pattern: /^whsec_([A-Za-z0-9+/]{32,88}={0,2})$/,
  coding: 'base64',
  what: '"whsec_" and 24 to 64 bytes in base64',
};

export const METRICS_TOKEN: Kind = {
  make: () => randomBytes(24).toString('base64url'),
  pattern: /^([\x21-\x7e]{16,200})$/,
  coding: 'latin1',
  what: '16 to 200 letters and digits',
};

/** Reads one of a home, or makes it. Throws `invalid_config` for what is none, without repeating it; and the system's error. */
export function openSecret(home: string, name: string, { make, pattern, coding, what }: Kind): Buffer {
  const file = join(home, name);
  if (!existsSync(file)) replaceFile(file, `${make()}\n`);
  const [, secret] = pattern.exec(readFileSync(file, 'utf8').trim()) ?? [];
  if (secret !== undefined) return Buffer.from(secret, coding);
  throw new SvcdError('invalid_config', `${file} is to hold ${what}, and does not`, {
    hint: 'Remove it, and svcd makes one at its next start.',
  });
}
