// The proxy that the environment names, as the doctor finds it. Its password is shown nowhere.

import { findProxies, type NamedProxy } from '../../config/setting-faults.js';
import type { Config } from '../../config/config.js';
import { hidePassword } from '../../config/parse-setting.js';
import { type Finding, findingsOf, quote } from './doctor-finding.js';

const UNREADABLE = '?';

/** Through which proxy the remote is asked, and whether programs may go astray on the way to svcd itself. */
export function checkProxy(config: Config, remote: string): Finding {
  const { ok, warn } = findingsOf('proxy');
  const { named, exceptions } = findProxies();
  const excepted = exceptions.includes('*') || exceptions.includes('127.0.0.1');
  // What is asked for http addresses is asked for 127.0.0.1, too.
  const http = named.find(({ variable }) => /^(?:http|all)_proxy$/i.test(variable));
  if (http !== undefined && !excepted) {
    const list = quote([...exceptions, '127.0.0.1', 'localhost'].join(','));
    return warn('proxy_loopback', [http.variable, shown(http)], `export NO_PROXY=${list} no_proxy=${list}`);
  }
  if (config.proxy !== undefined && remote.startsWith('https:')) return ok('proxy_used', [hidePassword(config.proxy)]);
  const odd = named.find((one) => shown(one) === UNREADABLE);
  if (odd !== undefined) return warn('proxy_odd', [odd.variable], `unset ${odd.variable}`);
  const [first] = named;
  return first === undefined ? ok('proxy_none', []) : ok('proxy_unused', [first.variable, shown(first)]);
}

/** Without user and password. */
function shown({ address }: NamedProxy): string {
  try {
    return new URL(address.includes('://') ? address : `http://${address}`).origin;
  } catch {
    return UNREADABLE;
  }
}
