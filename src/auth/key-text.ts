// What a Key looks like, and how it is read out of a file: the package's JSON, or the bare text.

import { SvcdError } from '../model/errors.js';
import { isLocalToken, TOKEN_PREFIX } from '../model/spender.js';
import { parseJson } from '../platform/json.js';

/** Checks a Key as it was typed or read. Throws `invalid_argument` that does not repeat it. */
export function parseKey(text: string, from: string): string {
  const key = text.replace(/^\uFEFF/, '').trim();
  if (key === '') throw new SvcdError('invalid_argument', `${from} holds no Key`);
  if (!/^[\x21-\x7e]{1,4096}$/.test(key)) {
    throw new SvcdError(
      'invalid_argument',
      `${from} holds something that is not a Key: a Key is one line of up to 4096 letters, digits and signs, without spaces`,
    );
  }
  if (!isLocalToken(key)) return key;
  throw new SvcdError(
    'invalid_argument',
    `${from} holds something that is a token of svcd (${TOKEN_PREFIX}…), not a Key of the service`,
    { hint: "The Key is in the service's account, in its API and credits area." },
  );
}

/** The Key in a file's text: the field `key` of a JSON object, or the text itself. Throws `invalid_argument`. */
export function parseKeyFile(text: string, from: string): string {
  const value = parseJson(text.replace(/^\uFEFF/, ''));
  if (typeof value === 'string') return parseKey(value, from);
  if (typeof value !== 'object' || value === null) return parseKey(bareText(text, from), from);
  if ('key' in value && typeof value.key === 'string') return parseKey(value.key, from);
  throw new SvcdError('invalid_argument', `${from} has no field "key" with a text in it`);
}

/** Whether a sandbox made this Key. It opens nothing real, and is of no use anywhere else. */
export function isSandboxKey(key: string): boolean {
  return key.startsWith('sk-sandbox-');
}

/** The last four characters, for a person to tell Keys apart; nothing of a Key that is hardly longer. */
export function lastFourOf(key: string): string {
  return key.length >= 12 ? key.slice(-4) : '****';
}

/** JSON that was cut off must not be taken for a Key. */
function bareText(text: string, from: string): string {
  if (!/^\s*[{["]/.test(text.replace(/^\uFEFF/, ''))) return text;
  throw new SvcdError('invalid_argument', `${from} is neither complete JSON nor a bare Key`);
}
