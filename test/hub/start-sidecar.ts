// A daemon whose home joined a real hub.

import type { JoinAnswer } from '../../src/api/hub.js';
import { writeMembership } from '../../src/config/membership.js';
import type { StartedHub } from '../support/machine.js';
import { startTestDaemon, temporaryHome, type StartOptions } from '../support/start-daemon.js';

export function membershipOf(joined: JoinAnswer) {
  const { addresses, pin, token, receipt_key, scope, sandbox, machine, project, projects } = joined;
  const joined_at = new Date(0).toISOString();
  const of = { addresses: [...addresses], pin, token, receipt_key, scope, hub_sandbox: sandbox, machine };
  return { ...of, project, projects: [...projects], user: null, joined_at };
}

/** What an answer says of an asset. */
export const told = ({ headers }: Response) => ({
  source: headers.get('x-svcd-source'),
  cost: headers.get('x-svcd-cost'),
  reason: headers.get('x-svcd-reason'),
});

/** A machine with svcd on it. */
export async function startSidecar(hub: StartedHub, name: string, options: StartOptions & { invite?: object } = {}) {
  const { invite = {}, ...rest } = options;
  const { joined } = await hub.machine(invite, name);
  const home = options.home ?? temporaryHome();
  writeMembership(home, membershipOf(joined));
  return { joined, ...(await startTestDaemon({ ...rest, home })) };
}
