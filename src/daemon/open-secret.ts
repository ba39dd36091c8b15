// Secrets in the home that its owner gives to another program: each a file of its own, made where there is none.

import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError } from '../model/errors.js';
import { replaceFile } from '../platform/files/files.js';

/** Reads one of a home, or makes it. Throws `invalid_config` for what is none, without repeating it; and the system's error. */
export function openSecret(home: string, name: 'webhook-secret' | 'metrics-token'): string {
  const file = join(home, name);
  // As Standard Webhooks writes them; any other text will do, too.
  if (!existsSync(file)) replaceFile(file, `whsec_${randomBytes(32).toString('base64')}\n`);
  const secret = readFileSync(file, 'utf8').trim();
  if (/^[\x21-\x7e]{32,200}$/.test(secret)) return secret;
  throw new SvcdError('invalid_config', `${file} is to hold 32 to 200 letters and digits, and does not`, {
    hint: 'Remove it, and svcd makes one at its next start.',
  });
}
