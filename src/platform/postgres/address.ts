// The address of a database, `postgres://user:password@host:port,host2/name?sslmode=verify-full&sslrootcert=FILE`, with
// several hosts of which one is not in recovery. Read here, because pg takes one host only.

import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';
import { SvcdError } from '../../model/errors.js';

export interface DatabaseAddress {
  readonly hosts: readonly DatabaseHost[];
  readonly user: string;
  readonly database: string;
  /** Undefined where the server asks for none. */
  readonly password: string | undefined;
  /** False for a connection that is not encrypted. */
  readonly tls: ConnectionOptions | false;
  /** Without the password: for logs and sentences. */
  readonly label: string;
}

export interface DatabaseHost {
  /** A name, an IP address, or the folder of a unix socket. */
  readonly host: string;
  readonly port: number;
}

const DEFAULT_PORT = 5432;
const SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;
const PARAMETERS = ['host', 'port', 'sslmode', 'sslrootcert', 'sslcert', 'sslkey'];
/** `require` is checked like `verify-full`: an encrypted line to whoever answers would carry the password to them. */
const CHECKED = ['verify-full', 'require'];

/** Reads an address; `password` replaces the one in it. Throws `invalid_config`, whose words hold no password. */
export function readDatabaseAddress(url: string, password?: string): DatabaseAddress {
  const shape = SHAPE.exec(url);
  if (shape === null) throw wrong('it is not postgres://USER:PASSWORD@HOST:PORT/NAME');
  const [, login = '', authority = '', path = '', query = ''] = shape;
  const [user, own] = splitOnce(login, ':').map(decode);
  const parameters = new URLSearchParams(query);
  const unknown = [...parameters.keys()].find((name) => !PARAMETERS.includes(name));
  if (unknown !== undefined) throw wrong(`it has the parameter ${unknown}; known are ${PARAMETERS.join(', ')}`);
  const hosts = hostsOf(authority, parameters);
  const database = decode(path) || user || '';
  if (!user) throw wrong('it names no user');
  return {
    hosts,
    user,
    database,
    password: password ?? (own === '' ? undefined : own),
    tls: tlsOf(parameters, hosts),
    label: `postgres://${user}@${hosts.map(labelOf).join(',')}/${database}`,
  };
}

function labelOf({ host, port }: DatabaseHost): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

function hostsOf(authority: string, parameters: URLSearchParams): DatabaseHost[] {
  const given = parameters.get('host');
  const ports = parameters.get('port')?.split(',') ?? [];
  const parts = (given ?? authority).split(',').filter((part) => part !== '');
  if (parts.length === 0) throw wrong('it names no host');
  return parts.map((part, nth) => {
    const isSocket = part.startsWith('/');
    const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:]*))(?::(\d+))?$/.exec(part) ?? [];
    const host = isSocket ? part : decode(bracketed ?? plain ?? '');
    if (host === '') throw wrong(`it has the host ${JSON.stringify(part)}`);
    const told = (isSocket ? undefined : port) ?? ports[nth] ?? ports[0] ?? `${DEFAULT_PORT}`;
    const number = Number(told);
    if (!Number.isInteger(number) || number < 1 || number > 65_535) throw wrong(`it has the port ${told}`);
    return { host, port: number };
  });
}

function tlsOf(parameters: URLSearchParams, hosts: readonly DatabaseHost[]): ConnectionOptions | false {
  const mode = parameters.get('sslmode') ?? (parameters.has('sslrootcert') ? 'verify-full' : 'disable');
  if (mode === 'disable') return false;
  if (!CHECKED.includes(mode)) {
    throw wrong(`it has sslmode=${mode}, with which the server is not checked; use verify-full, or disable`);
  }
  if (hosts.some(({ host }) => host.startsWith('/'))) throw wrong('it asks for TLS on a unix socket');
  const [ca, cert, key] = ['sslrootcert', 'sslcert', 'sslkey'].map((name) => fileOf(parameters, name));
  return { minVersion: 'TLSv1.2', ...(ca && { ca }), ...(cert && { cert }), ...(key && { key }) };
}

function fileOf(parameters: URLSearchParams, name: string): Buffer | undefined {
  const file = parameters.get(name);
  // `system` is what libpq calls the authorities of the system.
  if (file === null || file === 'system') return undefined;
  try {
    return readFileSync(file);
  } catch (cause) {
    throw wrong(`its ${name} cannot be read (${(cause as Error).message})`);
  }
}

function splitOnce(text: string, at: string): string[] {
  const place = text.indexOf(at);
  return place < 0 ? [text, ''] : [text.slice(0, place), text.slice(place + 1)];
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw wrong('a percent sign in it is not followed by two digits (write %25 for the sign itself)');
  }
}

function wrong(why: string): SvcdError {
  return new SvcdError('invalid_config', `the address of the database cannot be used: ${why}`, {
    hint: 'Give --database postgres://USER:PASSWORD@HOST:5432/NAME?sslmode=verify-full, several hosts with commas between.',
  });
}
