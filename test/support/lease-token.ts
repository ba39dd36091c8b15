// A token as "svcd run" leases it: it lives until the test, or `end`, closes the connection.

import { onTestFinished } from 'vitest';
import type { StartedDaemon } from './start-daemon.js';

export interface LeasedToken {
  readonly status: number;
  /** Empty when none was given. */
  readonly token: string;
  readonly end: () => void;
}

export async function leaseToken(svcd: StartedDaemon, options: object): Promise<LeasedToken> {
  const closing = new AbortController();
  onTestFinished(() => closing.abort());
  const answer = await svcd.call('/svcd/tokens/lease', {
    method: 'POST',
    headers: { Authorization: `Bearer ${svcd.token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(options),
    signal: closing.signal,
  });
  if (answer.status !== 200) return { status: answer.status, token: '', end: () => undefined };
  const { value } = (await answer.body?.getReader().read()) ?? {};
  const { token } = JSON.parse(new TextDecoder().decode(value)) as { token: string };
  return { status: 200, token, end: () => closing.abort() };
}
