// The Key of a hub that the service refuses: said once, and nothing is bought with it until the service takes it again, or
// until there is another one. What waits for its turn ends at once, refused for free; the hub goes on.

import { SvcdError, type ErrorCode } from '../../model/errors.js';
import type { Log } from '../../platform/log.js';
import type { Exchange, RemoteRequest } from '../../upstream/exchange.js';
import type { KeyTrouble } from '../../upstream/key-trouble.js';

export interface KeyWatch {
  /** Told after each answer of the service. */
  note(request: Pick<RemoteRequest, 'key' | 'hubItem'>, result: Exchange): void;
  /** Why this must not be sent. */
  findRefusal(request: Pick<RemoteRequest, 'key' | 'hubItem'>): SvcdError | undefined;
  stop(): void;
}

export interface KeyWatchParts {
  readonly currentKey: () => string | undefined;
  readonly keyTrouble: Pick<KeyTrouble, 'find'>;
  /** Asks the service for nothing whether it takes the Key. */
  readonly look: () => Promise<unknown>;
  readonly log: Log;
  readonly everyMs?: number | undefined;
}

const LOOK_EVERY_MS = 30_000;
/** A limit is of a purchase, a day or a month, and no free call tells that it was raised. */
const ENDS_ALL: readonly (ErrorCode | undefined)[] = ['invalid_key', 'key_disabled'];

/** Watches the Key of a hub. */
export function watchKey({ currentKey, keyTrouble, look, log, everyMs = LOOK_EVERY_MS }: KeyWatchParts): KeyWatch {
  /** The code under which a purchase was refused; what else is asked may be refused for reasons of its own, as pictures are. */
  let refused: ErrorCode | undefined;
  const note: KeyWatch['note'] = ({ key, hubItem }, result) => {
    const code = keyTrouble.find(currentKey());
    if (refused !== undefined && code !== refused) {
      refused = undefined;
      log.info('the service takes the Key of this hub');
    }
    const isOurs = hubItem !== undefined && key === currentKey() && result.kind === 'answer' && result.status >= 300;
    if (!isOurs || refused !== undefined || !ENDS_ALL.includes(code)) return;
    refused = code;
    log.error('the service refuses the Key of this hub: nothing is bought until it takes one', { code });
  };
  const timer = setInterval(() => {
    if (refused !== undefined) void look().catch(() => undefined);
  }, everyMs).unref();
  return {
    note,
    findRefusal: ({ key, hubItem }) => {
      if (refused === undefined || hubItem === undefined || key === undefined || keyTrouble.find(key) !== refused)
        return undefined;
      return new SvcdError(refused, 'the service refuses the Key of the hub, so nothing was sent', {
        hint: 'On the hub: "svcd key set" stores another one; a key file is read again after "kill -HUP".',
      });
    },
    stop: () => clearInterval(timer),
  };
}
