// What the hub last refused this machine for good, in the hub's own words, until it serves it again: for status, page and commands.

import type { HubRefusal } from '../../api/answers.js';
import { isSvcdError, type ErrorCode, type SvcdError } from '../../model/errors.js';
import type { Clock } from '../../platform/clock.js';
import type { Exchange, RemoteRequest } from '../../upstream/exchange.js';
import { remoteError } from '../../upstream/remote-error.js';

/** The machine itself is refused: it gets nothing more, whatever it asks for. */
const OF_MACHINE: ReadonlySet<ErrorCode> = new Set(['machine_revoked', 'not_a_machine', 'hub_certificate_changed']);

/** It buys nothing, and gives what is owned. */
const OF_MONEY: ReadonlySet<string> = new Set<ErrorCode>(['budget', 'hub_without_key']);

export function createHubTrouble(clock: Pick<Clock, 'now'>) {
  let last: HubRefusal | null = null;
  const keep = ({ code, message }: SvcdError) => {
    last = { code, why: message, at: new Date(clock.now()).toISOString() };
  };
  return {
    note: ({ cost }: Pick<RemoteRequest, 'cost'>, result: Exchange): void => {
      if (result.kind !== 'answer')
        return isSvcdError(result.error, 'hub_certificate_changed') ? keep(result.error) : undefined;
      if (result.status < 300) {
        // What is free says nothing about a budget or a Key.
        if (cost === 'paid' || (last !== null && !OF_MONEY.has(last.code))) last = null;
        return;
      }
      const error = remoteError(result);
      if (OF_MACHINE.has(error.code) || OF_MONEY.has(error.code)) keep(error);
      // Another refusal came from a hub that is the right one.
      else if (last?.code === 'hub_certificate_changed') last = null;
    },
    find: (): HubRefusal | null => last,
  };
}
