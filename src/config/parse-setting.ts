// Values of settings as people write them, in a flag, the environment or config.json. Each parser throws `invalid_config`
// with where the value stands and what it must be.

import { isAbsolute, resolve } from 'node:path';
import { SvcdError } from '../model/errors.js';

export interface Parser<T> {
  (value: unknown, from: string): T;
  /** JSON Schema of what config.json should hold; other spellings are taken too. */
  readonly json: Readonly<Record<string, unknown>>;
}

function parser<T>(json: Parser<T>['json'], parse: (value: unknown, from: string) => T): Parser<T> {
  return Object.assign(parse, { json });
}

export function parseText(value: unknown, from: string): string {
  if (typeof value !== 'string' || value.trim() === '') throw wrong(from, 'must be a text that is not empty', value);
  if (looksLikeKey(value)) throw wrong(from, 'must not be a Key', value);
  return value.trim();
}

/** Whether somebody typed a Key where another text belongs: it must neither be stored in clear nor repeated. */
export function looksLikeKey(value: unknown): boolean {
  return typeof value === 'string' && /^["']?sk-[^/\\]*$/i.test(value.trim());
}

/** Not blank, and no Key. */
const TEXT = { type: 'string', pattern: '\\S', not: { pattern: '^\\s*["\']?[sS][kK]-[^/\\\\]*$' } };

export const parsePath = parser(TEXT, (value, from) => resolve(parseText(value, from)));

/** A daemon has no current folder that its user knows. */
export const parseFolder = parser(TEXT, (value, from) => {
  const path = parseText(value, from);
  if (isAbsolute(path)) return resolve(path);
  throw wrong(from, 'must be an absolute path', value);
});

/** As a hub names its projects. */
export const parseProject = parser(
  { type: 'string', pattern: '^[\\p{L}\\p{N}][\\p{L}\\p{N}._@-]{0,63}$' },
  (value, from) => {
    const text = parseText(value, from);
    if (/^[\p{L}\p{N}][\p{L}\p{N}._@-]{0,63}$/u.test(text)) return text;
    throw wrong(from, 'must be 1 to 64 letters, digits, dots, dashes, underscores or @', value);
  },
);

export function whole(min: number, max: number): Parser<number> {
  return parser({ type: 'integer', minimum: min, maximum: max }, (value, from) => {
    const text = String(value).trim();
    const number = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
    if (number >= min && number <= max) return number;
    throw wrong(from, `must be a whole number from ${min} to ${max}`, value);
  });
}

export function oneOf<T extends string>(choices: readonly T[]): Parser<T> {
  return parser({ enum: choices }, (value, from) => {
    const text = String(value).trim().toLowerCase();
    const choice = choices.find((one) => one === text);
    if (choice !== undefined) return choice;
    throw wrong(from, `must be ${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`, value);
  });
}

export const parseBoolean = parser({ type: 'boolean' }, (value, from) => {
  const text = String(value).trim().toLowerCase();
  if (['true', '1', 'yes', 'on'].includes(text)) return true;
  if (['false', '0', 'no', 'off'].includes(text)) return false;
  throw wrong(from, 'must be true or false', value);
});

const LOOPBACK = '(localhost|127\\.\\d+\\.\\d+\\.\\d+|\\[::1\\])(:\\d+)?';
const ADDRESS = `^\\s*([hH][tT][tT][pP][sS]://[^/?#@\\s]+|[hH][tT][tT][pP]://${LOOPBACK})(/[^?#\\s]*)?\\s*$`;

export const parseRemote = parser({ type: 'string', pattern: ADDRESS }, (value, from) => {
  const text = parseText(value, from);
  if (!URL.canParse(text)) throw wrong(from, 'must be an address such as https://assets.example.com', value);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new SvcdError('invalid_config', `${from} must be an address without user, query or fragment`);
  }
  if (url.protocol !== 'https:' && !(url.protocol === 'http:' && isLoopback(url.hostname))) {
    throw wrong(from, 'must begin with https:// (http:// only on this machine)', value);
  }
  return url.href.replace(/\/+$/, '');
});

/** The setting `proxy` of somebody who wants none, whatever the environment says. */
export const DIRECT = 'direct';

const PROXY = `^\\s*(${DIRECT}|([hH][tT][tT][pP][sS]?://)?[^/?#\\s]+/?)\\s*$`;

/** Address of a proxy with its port, or `direct`. As curl takes it: without a scheme it is http. */
export const parseProxy = parser({ type: 'string', pattern: PROXY }, (value, from) => {
  const text = parseText(value, from);
  if (text.toLowerCase() === DIRECT) return DIRECT;
  const typed = text.includes('://') ? text : `http://${text}`;
  const url = URL.canParse(typed) ? new URL(typed) : undefined;
  // What cannot be read may still hold a password.
  const got = text.includes('@') ? '' : `, got ${JSON.stringify(text)}`;
  if (url === undefined || url.hostname === '' || !isBare(url)) {
    throw new SvcdError(
      'invalid_config',
      `${from} must be a proxy's address such as http://proxy.example.com:3128${got}`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new SvcdError(
      'invalid_config',
      `${from} must be an http or https proxy, for svcd knows no other kind; got one of ${url.protocol.slice(0, -1)}`,
    );
  }
  if (url.username === '' && url.password === '') return url.origin;
  refuseTyped(from);
  if (!canDecode(url.username) || !canDecode(url.password)) {
    throw new SvcdError(
      'invalid_config',
      `${from} has a "%" in its user or password that stands for nothing: write %25`,
    );
  }
  return `${url.protocol}//${url.username}:${url.password}@${url.host}`;
});

/** Address of a proxy without user and password, which stand in no output. */
export function hidePassword(proxy: string): string {
  return proxy === DIRECT ? proxy : new URL(proxy).origin;
}

const DATABASE = /^(postgres(?:ql)?:\/\/[^:@/?#]*)(?::[^@/?#]*)?(@[^#]*)$/;

/** Address of a PostgreSQL; what else may be wrong with it, only who connects can say. */
export const parseDatabase = parser({ type: 'string', pattern: '^\\s*postgres(ql)?://' }, (value, from) => {
  const text = parseText(value, from).trim();
  if (DATABASE.test(text)) return text;
  throw new SvcdError(
    'invalid_config',
    // What cannot be read may hold a password.
    `${from} must be the address of a PostgreSQL, such as postgres://svcd:PASSWORD@db.example.com:5432/svcd`,
    { hint: 'In the password write %40 for @, %2F for /, %3A for : and %25 for %.' },
  );
});

/** Address of a database without its password, which stands in no output. */
export function hideDatabasePassword(address: string): string {
  return address.replace(DATABASE, '$1$2');
}

/** Neither path nor query nor fragment. */
function isBare({ pathname, search, hash }: URL): boolean {
  return (pathname === '/' || pathname === '') && search === '' && hash === '';
}

/** Others can read the arguments of a process, and a shell keeps them. */
function refuseTyped(from: string): void {
  if (!from.startsWith('--') && !from.startsWith('config set')) return;
  throw new SvcdError('invalid_config', `${from} must not hold the proxy's user and password on the command line`, {
    hint: 'Others can read it there. Write the address into config.json with an editor, or into HTTPS_PROXY or SVCD_PROXY.',
  });
}

function canDecode(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

export const parseTimeZone = parser(TEXT, (value, from) => {
  const timeZone = parseText(value, from);
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
  } catch {
    throw wrong(from, 'must be a time zone such as Asia/Shanghai', value);
  }
});

/** Whether a hostname of an address is this machine's own. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

function wrong(from: string, rule: string, value: unknown): SvcdError {
  if (!looksLikeKey(value)) return new SvcdError('invalid_config', `${from} ${rule}, got ${JSON.stringify(value)}`);
  return new SvcdError('invalid_config', `${from} ${rule}, and what was given looks like one; it was not stored`, {
    hint:
      'Store a Key with "svcd key set", which asks for it, or write it to a file of mode 0600 and name that file. ' +
      'Make a new Key if others can read your shell history. A file whose name begins like a Key is written ./NAME.',
  });
}

const LISTEN = '^\\s*(([^:\\s\\[\\]]+|\\[[0-9a-fA-F:.]+\\])?:)?\\d{1,5}\\s*$';

const listenOn = (usual: string, example: string): Parser<string> =>
  parser({ type: 'string', pattern: LISTEN }, (value, from) => {
    const text = parseText(String(value), from);
    const [, host = '', port = ''] = new RegExp('^(?:(.*):)?(\\d{1,5})$').exec(text) ?? [];
    if (!new RegExp(LISTEN).test(text) || Number(port) > 65_535) {
      throw wrong(from, `must be an address and a port, such as ${example}`, value);
    }
    return `${host === '' ? usual : host}:${Number(port)}`;
  });

/** `HOST:PORT`; a port alone is one of every interface. */
export const parseListen = listenOn('0.0.0.0', '0.0.0.0:7825');

/** The same; a port alone is one of this machine only. */
export const parseLocalListen = listenOn('127.0.0.1', '127.0.0.1:9464');

/** Host and port of what these have parsed. */
export function splitListen(listen: string): { readonly host: string; readonly port: number } {
  const colon = listen.lastIndexOf(':');
  return { host: listen.slice(0, colon).replace(/^\[(.*)\]$/, '$1'), port: Number(listen.slice(colon + 1)) };
}

/** Where messages are posted; its path and query may be what lets them in, so they stand in no output. */
export const parseWebhook = parser(
  {
    type: 'string',
    pattern: `^\\s*([hH][tT][tT][pP][sS]://[^/?#@\\s]+|[hH][tT][tT][pP]://${LOOPBACK})([/?][^#\\s]*)?\\s*$`,
  },
  (value, from) => {
    const text = parseText(value, from);
    const url = URL.canParse(text) ? new URL(text) : undefined;
    const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(url.hostname));
    if (url !== undefined && isSafe && url.username + url.password + url.hash === '') return url.href;
    const what = 'must be an https address without user or fragment (http:// only on this machine)';
    throw new SvcdError('invalid_config', `${from} ${what}, such as https://alerts.example.com/svcd`);
  },
);

/** An address without what comes after the host. */
export function hidePath(address: string): string {
  const { origin, pathname, search } = new URL(address);
  return pathname + search === '/' ? address : `${origin}/…`;
}

const HTTPS = '^\\s*[hH][tT][tT][pP][sS]://[^/?#@\\s,]+/?\\s*(,\\s*[hH][tT][tT][pP][sS]://[^/?#@\\s,]+/?\\s*)*$';

/** Addresses with commas between, each as `https://HOST:PORT`. */
export const parseAddresses = parser({ type: 'string', pattern: HTTPS }, (value, from) => {
  const addresses = parseText(value, from).split(',');
  return addresses
    .map((one) => {
      const url = URL.canParse(one.trim()) ? new URL(one.trim()) : undefined;
      if (url?.protocol === 'https:' && isBare(url) && url.username === '') return url.origin;
      throw wrong(
        from,
        'must be an address such as https://hub.example.com:7825, or several with commas between',
        value,
      );
    })
    .join(',');
});
