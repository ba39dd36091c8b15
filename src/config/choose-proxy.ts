// Through which proxy the remote is asked: the one of svcd's own setting, else the one that the environment names for
// https, as curl reads it (everything.curl.dev/usingcurl/proxies/env.html).

import { BlockList, isIP } from 'node:net';
import { DIRECT, isLoopback, parseProxy } from './parse-setting.js';

/** In curl's order; its lower-case names come first. HTTP_PROXY is for http addresses, of which svcd asks none but on loopback. */
const VARIABLES = ['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY'] as const;
const HTTP_VARIABLES = ['http_proxy', 'HTTP_PROXY', 'all_proxy', 'ALL_PROXY'] as const;
const EXCEPTIONS = ['no_proxy', 'NO_PROXY'] as const;

type Variables = Readonly<Record<string, string | undefined>>;

export interface ProxyChoice {
  /** Address of the proxy, with user and password; undefined where the remote is asked directly. */
  readonly proxy: string | undefined;
  /** The variable that settled it; undefined where the setting did, or nothing. */
  readonly variable?: string;
  /** Set where there is a proxy and the remote needs none. */
  readonly because?: 'loopback';
}

/**
 * The proxy for a remote. `own` is svcd's setting. Throws `invalid_config` for an address in the environment that cannot be
 * used, where it would be.
 */
export function chooseProxy(remote: string | undefined, own: string | undefined, env: Variables): ProxyChoice {
  if (own === DIRECT) return { proxy: undefined };
  if (remote === undefined) return { proxy: own };
  const url = new URL(remote);
  // An http remote is on this machine, and the Key would be in the open; to any proxy of a network "localhost" is itself.
  const isHere = url.protocol === 'http:' || (own === undefined && isLoopback(url.hostname));
  if (isHere) return { proxy: undefined, because: 'loopback' };
  const exception = valueOf(EXCEPTIONS, env);
  if (exception !== undefined && isExcepted(url, exception.value)) {
    return { proxy: undefined, variable: exception.name };
  }
  if (own !== undefined) return { proxy: own };
  const found = valueOf(VARIABLES, env);
  if (found === undefined) return { proxy: undefined };
  const proxy = parseProxy(found.value, found.name);
  return { proxy: proxy === DIRECT ? undefined : proxy, variable: found.name };
}

/**
 * NO_PROXY for programs that ask svcd at `url`, in both of its names, where the environment has a proxy for http that they would
 * ask in its place; nothing where that is excepted already.
 */
export function exceptionsFor(url: string, env: Variables = process.env): Record<string, string> {
  const list = valueOf(EXCEPTIONS, env)?.value;
  const isDirect = valueOf(HTTP_VARIABLES, env) === undefined || (list !== undefined && isExcepted(new URL(url), list));
  if (isDirect) return {};
  const value = [...(list === undefined ? [] : [list]), new URL(url).hostname].join(',');
  return Object.fromEntries(EXCEPTIONS.map((name) => [name, value]));
}

/** Whether NO_PROXY names the address: `*`, a domain with all below it, an address, a network (CIDR), each with or without a port. */
export function isExcepted(remote: URL, list: string): boolean {
  const host = bare(remote.hostname);
  const port = remote.port === '' ? '443' : remote.port;
  return list
    .split(/[\s,]+/)
    .filter((entry) => entry !== '')
    .some((entry) => matches(entry.toLowerCase(), host, port));
}

function matches(entry: string, host: string, port: string): boolean {
  if (entry === '*') return true;
  const [, named = '', onlyPort] = /^(\[.+\]|[^:]+)(?::(\d+))?$/.exec(entry) ?? [undefined, entry];
  if (onlyPort !== undefined && onlyPort !== port) return false;
  const name = bare(named);
  if (name.includes('/')) return isInNetwork(name, host);
  if (isIP(name) !== 0) return isIP(host) === isIP(name) && isInNetwork(`${name}/${isIP(name) === 4 ? 32 : 128}`, host);
  const domain = name.replace(/^\*?\./, '');
  return domain !== '' && (host === domain || host.endsWith(`.${domain}`));
}

function isInNetwork(network: string, host: string): boolean {
  const [, address = '', bits = ''] = /^(.+)\/(\d{1,3})$/.exec(network) ?? [];
  const family = isIP(address);
  if (family === 0 || isIP(host) !== family || Number(bits) > (family === 4 ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), family === 4 ? 'ipv4' : 'ipv6');
  return list.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** Without the brackets of an IPv6 address and the dot at the end of a name. */
function bare(host: string): string {
  return host.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

/** The first of these variables that is set to something. */
function valueOf(names: readonly string[], env: Variables): { name: string; value: string } | undefined {
  for (const name of names) {
    const value = env[name]?.trim() ?? '';
    if (value !== '') return { name, value };
  }
  return undefined;
}
