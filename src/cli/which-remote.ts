// Whose credits a figure speaks of: purchases and budgets of the sandbox are not those of the service.

import { expectOk, type Client } from './client.js';
import { plain } from './output.js';
import type { Status } from './running-daemon.js';

export const NO_REMOTE = 'no remote is configured';

/** `the sandbox`, the remote's address, or that there is none. */
export async function whichRemote(client: Client): Promise<string> {
  const { remote } = expectOk(await client.request('GET', '/svcd/status')).json() as Status;
  return remote.sandbox ? 'the sandbox' : plain(remote.address ?? NO_REMOTE);
}
