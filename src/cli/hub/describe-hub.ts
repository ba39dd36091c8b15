// What a started hub tells programs: where machines come in, and where its own clients do.

import type { DaemonInfo } from '../../daemon/daemon.js';

export function describeHub({ url, pid, home, token, hub, sandbox }: DaemonInfo): object {
  return {
    url: hub?.url ?? url,
    pid,
    home,
    ...(sandbox !== undefined && { sandbox }),
    local: { url, token },
  };
}
