// Questions to a hub from the command line: joining it, leaving it, and whether it is there.

import { SvcdError } from '../../model/errors.js';
import { parseJson } from '../../platform/json.js';
import type { RemoteRequest } from '../../upstream/exchange.js';
import { createHubExchanger, type HubAccess } from './hub-exchanger.js';
import { remoteError } from '../../upstream/remote-error.js';

export interface HubClient {
  /** The JSON of an answer that is a success. Throws the refusal, `offline`, `hub_certificate_changed`. */
  ask<T>(method: RemoteRequest['method'], path: string, body?: object): Promise<T>;
  /** The address that was asked last. */
  address(): string;
  close(): void;
}

const TIMEOUT_MS = 10_000;
const MAX_BYTES = 4 * 1024 * 1024;

export function openHubClient(access: HubAccess): HubClient {
  const hub = createHubExchanger(access);
  return {
    ask: async <T>(method: RemoteRequest['method'], path: string, body?: object) => {
      const exchange = await hub.exchange({
        method,
        path,
        cost: 'free',
        timeoutMs: TIMEOUT_MS,
        maxBytes: MAX_BYTES,
        ...(body !== undefined && { body: Buffer.from(JSON.stringify(body)), contentType: 'application/json' }),
      });
      if (exchange.kind !== 'answer') throw exchange.error;
      if (exchange.status >= 300) throw remoteError(exchange);
      const answer = parseJson(exchange.bytes);
      if (answer === undefined) throw new SvcdError('upstream_failure', 'the hub did not answer with JSON');
      return answer as T;
    },
    address: hub.address,
    close: hub.close,
  };
}
