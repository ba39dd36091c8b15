// What the hub last refused this machine for good, in the hub's own words, until it serves it again: for status, page and commands.

import type { HubRefusal } from '../api/answers.js';
import { isSvcdError, type ErrorCode, type SvcdError } from '../model/errors.js';
import type { Clock } from '../platform/clock.js';
import type { Exchange, RemoteRequest } from './exchange.js';
import { remoteError } from './remote-error.js';

export interface HubTrouble {
  note(request: Pick<RemoteRequest, 'cost'>, result: Exchange): void;
  find(): HubRefusal | null;
}

/** The machine itself is refused: it gets nothing more, whatever it asks for. */
const OF_MACHINE: ReadonlySet<ErrorCode> = new Set(['machine_revoked', 'not_a_machine', 'hub_certificate_changed']);

export function createHubTrouble(clock: Pick<Clock, 'now'>): HubTrouble {
  let last: HubRefusal | null = null;
  const keep = ({ code, message }: SvcdError) => {
    last = { code, why: message, at: new Date(clock.now()).toISOString() };
  };
  return {
    note: ({ cost }, result) => {
      if (result.kind !== 'answer') {
        if (isSvcdError(result.error, 'hub_certificate_changed')) keep(result.error);
        return;
      }
      if (result.status < 300) {
        // What is free says nothing about a budget.
        if (last?.code !== 'budget' || cost === 'paid') last = null;
        return;
      }
      const error = remoteError(result);
      if (OF_MACHINE.has(error.code) || error.code === 'budget') keep(error);
      // Another refusal came from a hub that is the right one.
      else if (last?.code === 'hub_certificate_changed') last = null;
    },
    find: () => last,
  };
}
