// The client in a page: it has what it is given, and finds, starts and reads nothing by itself. The client on Node.js is
// built upon this file, so that neither is long.

import { createClient } from './create-client.js';
import type { Client, ConnectOptions } from './client-types.js';
import { checkOptions, createLocator, identify, readAddress, USUAL_ADDRESS } from './locate.js';
import { SvcdError } from './svcd-error.js';

export { sendAgain } from './calls.js';
export { createClient } from './create-client.js';
export { isLoopback } from './exchange.js';
export { stickerOf } from './fetch-assets.js';
export { checkOptions, checkSecret, createLocator, identify, readAddress, USUAL_ADDRESS } from './locate.js';
export { createPatience } from './patience.js';
export { invalidArgument, isSvcdError, LostConnection, SvcdError } from './svcd-error.js';

/** A client of svcd. The page's origin must be on the list of "svcd config origins". */
export async function connect(options: ConnectOptions = {}): Promise<Omit<Client, 'slot'>> {
  const { baseUrl = USUAL_ADDRESS, token, otherwise = 'plain' } = options;
  const foreign = (['home', 'lock', 'start', 'strict', 'remote'] as const).find((name) => options[name]);
  if (foreign || otherwise === 'remote') {
    throw new SvcdError('invalid_argument', `${foreign ?? otherwise} is for Node.js, not for a page`);
  }
  if (!globalThis.crypto?.subtle) {
    throw new SvcdError('unsupported_platform', 'the page is no secure context', {
      hint: 'Serve it from https:// or http://localhost.',
    });
  }
  checkOptions(options);
  const fetch = options.fetch ?? globalThis.fetch.bind(globalThis);
  const place = { address: readAddress(baseUrl, 'baseUrl'), isGiven: true, tokenFor: () => token };
  return createClient({ options, fetch, locator: createLocator(() => identify(fetch, place)) });
}
