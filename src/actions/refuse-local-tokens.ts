// Local tokens are svcd's own secret, and do not leave for the remote, wherever a client puts them by mistake. As a bearer
// one is replaced by a Key (auth/authorization.ts); this checks the rest of what is passed on unread.

import { SvcdError } from '../model/errors.js';
import { TOKEN_PREFIX } from '../model/spender.js';

// As long as the shortest token we make, so that a word of the prefix alone is no offence.
const TOKEN = new RegExp(`${TOKEN_PREFIX}[\\w-]{16}`);

/** Throws `invalid_request` when a path with its query, or a body, holds what looks like a local token. */
export function refuseLocalTokens({ path, body }: { path: string; body: Uint8Array | undefined }): void {
  if (!TOKEN.test(plain(path)) && (body === undefined || !TOKEN.test(Buffer.from(body).toString('latin1'))))
    return;
  throw new SvcdError(
    'invalid_request',
    'the path or the body holds a local token of svcd, which stays here',
    {
      hint: 'Send the token as "Authorization: Bearer …" only.',
    },
  );
}

/** As the remote would read it, as far as that can be read. */
function plain(path: string): string {
  return path.replace(/%([0-7][0-9a-f])/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16)));
}
