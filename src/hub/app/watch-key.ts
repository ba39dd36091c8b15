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
const ENDS_ALL: readonly ErrorCode[] = ['invalid_key', 'key_disabled'];

/** Watches the Key of a hub. */
export function watchKey({ currentKey, keyTrouble, look, log, everyMs = LOOK_EVERY_MS }: KeyWatchParts): KeyWatch {
  /** What a purchase was refused with; what else is asked may be refused for reasons of its own, as pictures are. */
  let refused: { readonly key: string | undefined; readonly code: ErrorCode } | undefined;
  const note: KeyWatch['note'] = ({ key, hubItem }, result) => {
    const current = currentKey();
    // A template may come with a Key of its own, of whose trouble this one knows nothing.
    const status = key === current && result.kind === 'answer' ? result.status : undefined;
    if (refused !== undefined && current !== refused.key) {
      refused = undefined;
      log.info('this hub has another Key than the one that the service refuses');
    } else if (refused !== undefined && status !== undefined && status < 300) {
      refused = undefined;
      log.info('the service takes the Key of this hub');
    }
    const code = keyTrouble.find(current);
    if (hubItem === undefined || (status ?? 0) < 300 || refused !== undefined) return;
    if (code === undefined || !ENDS_ALL.includes(code)) return;
    refused = { key, code };
    log.error('the service refuses the Key of this hub: nothing is bought until it takes one', { code });
  };
  const timer = setInterval(() => {
    if (refused !== undefined) void look().catch(() => undefined);
  }, everyMs).unref();
  return {
    note,
    findRefusal: ({ key, hubItem }) => {
      if (refused === undefined || hubItem === undefined || key === undefined || key !== refused.key) return undefined;
      return new SvcdError(refused.code, 'the service refuses the Key of the hub, so nothing was sent', {
        hint: 'On the hub: "svcd key set" stores another one; a key file is read again after "kill -HUP".',
      });
    },
    stop: () => clearInterval(timer),
  };
}
