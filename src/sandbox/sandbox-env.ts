// What is known of a request on its way through the sandbox.

import type { ServerResponse } from 'node:http';
import type { Fault } from './faults/fault.js';
import type { Key } from './key-store.js';

export type SandboxEnv = {
  /** Node's own side of the answer, where there is a socket. */
  Bindings: { outgoing?: ServerResponse };
  Variables: {
    /** What was shown, valid or not. */
    bearer: { sent: boolean; key: Key | undefined };
    /** The Key of an admitted request. */
    caller?: Key;
    fault?: Fault;
    /** For the request journal: what was charged, the code of a refusal, what was sent instead of an answer. */
    cost?: number;
    left?: number;
    code?: string;
    sent?: { status: number | null };
  };
};

/** The Key of a request that must have one. */
export function callerOf(c: { get(name: 'caller'): Key | undefined }): Key {
  const key = c.get('caller');
  if (key === undefined) throw new Error('A route that spends needs a Key');
  return key;
}
