// What `import 'svcd/client'` gives on Node.js.

import type { Client, ConnectOptions } from './client-types.js';
import { openClient } from './open-client.js';

export type * from './client-types.js';
export { isSvcdError, SvcdError } from './svcd-error.js';

/** A client of svcd. Throws for options that cannot be; that svcd is not there is told by the calls. */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  return openClient(options, process.env);
}
