// What a machine calls a wish means one thing: asked again by this name it is the same purchase, and never the bytes of
// something else.

import { SvcdError } from '../model/errors.js';

/** With what the name of a picture never asked for before goes on after its digest. */
export const FRESH = 'fresh-';

/** Throws `invalid_request` where a machine gives the name of a wish that became `asked` to a wish for another item. */
export function requireSameWish<P extends { readonly item: string }>(asked: P, item: string): P {
  if (wishIn(asked.item) === wishIn(item)) return asked;
  throw new SvcdError('invalid_request', 'X-Svcd-Request-Id: this machine used it for another item before', {
    hint: 'Nothing was bought. Send a new UUID with each wish, and the same one only to ask for the same thing again.',
  });
}

/** A picture never asked for before has another name each time; the wish is the same. */
function wishIn(item: string): string {
  const [kind, digest, variant] = item.split(':', 3);
  return kind === 'image' && variant?.startsWith(FRESH) === true ? `${kind}:${digest}` : item;
}
