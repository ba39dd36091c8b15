// What `import 'svcd/client'` gives on Node.js.

import type { Client, ConnectOptions, LockLike } from './client-types.js';
import { openClient } from './open-client.js';

export type * from './client-types.js';
export { isSvcdError, SvcdError } from './svcd-error.js';

/** A client of svcd. Throws for options that cannot be; that svcd is not there is told by the calls. */
export async function connect<L extends LockLike = LockLike>(options: ConnectOptions = {}): Promise<Client<L>> {
  // Of which lock it is, only its type says.
  return openClient(options, process.env) as Promise<unknown> as Promise<Client<L>>;
}
