// The proxy that the environment names, as the doctor finds it. Its password is shown nowhere.

import { findProxies, type NamedProxy } from '../config/setting-faults.js';
import type { Config } from '../config/config.js';
import { type Finding, findingsOf } from './doctor-finding.js';

/** Whether programs may go astray on the way to svcd itself. */
export function checkProxy(_config: Config, _remote: string): Finding {
  const { ok, warn } = findingsOf('proxy');
  const { named, excepted } = findProxies();
  const [first] = named;
  if (first === undefined) return ok('proxy_none', []);
  // What is asked for http addresses is asked for 127.0.0.1, too.
  const http = named.find(({ variable }) => /^(?:http|all)_proxy$/i.test(variable));
  if (http !== undefined && !excepted) {
    return warn('proxy_loopback', [http.variable, shown(http)], 'export NO_PROXY=127.0.0.1,localhost no_proxy=127.0.0.1,localhost');
  }
  return ok('proxy_unused', [first.variable, shown(first)]);
}

/** Without user and password. */
function shown({ address }: NamedProxy): string {
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).origin;
  } catch {
    return '?';
  }
}
