// The client in a page: it has what it is given, and finds, starts and reads nothing by itself.

import { createClient } from './create-client.js';
import type { Client, ConnectOptions } from './client-types.js';
import { createLocator, readAddress } from './locate.js';
import { invalidArgument, SvcdError } from './svcd-error.js';

export type * from './client-types.js';
export { isSvcdError, SvcdError } from './svcd-error.js';

const USUAL_ADDRESS = 'http://127.0.0.1:7823';

/** A client of svcd. The page's origin must be on the list of "svcd origins". */
export async function connect(options: ConnectOptions = {}): Promise<Client> {
  const { baseUrl = USUAL_ADDRESS, token, otherwise = 'plain' } = options;
  const wrong = (['home', 'lock', 'start', 'remote'] as const).filter((name) => options[name]);
  if (wrong.length > 0) throw invalidArgument(`${wrong.join(', ')}: for Node.js, not for a page`);
  if (otherwise !== 'plain' && otherwise !== 'error') {
    throw invalidArgument(`otherwise must be plain or error in a page, got ${JSON.stringify(otherwise)}`);
  }
  if (globalThis.crypto?.subtle === undefined) {
    throw new SvcdError('unsupported_platform', 'the page has no secure context, so that no digest can be made', {
      hint: 'Serve it from https:// or from http://localhost.',
    });
  }
  const place = { baseUrl: readAddress(baseUrl, 'baseUrl'), isGiven: true, tokenFor: () => token };
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  return createClient({
    options,
    fetch,
    locator: createLocator(fetch, () => [place]),
    service: undefined,
    locked: undefined,
  });
}
