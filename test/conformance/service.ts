// The service under test as a client sees it over HTTP, and the control of its state where there is one.

import type { Control } from './control.js';

export interface Service {
  /** Base address, without a slash at its end. */
  readonly url: string;
  readonly key: string;
  /** Only where the state can be moved: Keys, credits, months, faults. */
  readonly control?: Control;
  /** Asks with the Key, unless `headers` says otherwise; null takes the Authorization header away. */
  readonly get: (path: string, headers?: HeadersGiven) => Promise<Answer>;
  /** Sends a JSON body; a string goes out as it is. */
  readonly post: (path: string, body: unknown, headers?: HeadersGiven) => Promise<Answer>;
}

export type HeadersGiven = Readonly<Record<string, string | null>>;

/** An answer, read to its end. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The body as JSON, or undefined. */
  readonly body: Json | undefined;
}

// The bodies are whatever the service sends; the checks say what must be in them.
export type Json = Readonly<Record<string, unknown>>;

export const CREDITS_HEADER = 'X-Service-Credits-Remaining';

/** A client of the service at an address, which asks no more often than `requestsPerMinute`. */
export function serviceAt(
  url: string,
  key: string,
  options: { control?: Control; turn?: () => Promise<void> } = {},
): Service {
  const { control, turn = () => Promise.resolve() } = options;
  const ask = async (path: string, init: RequestInit, headers: HeadersGiven): Promise<Answer> => {
    await turn();
    const all = { Authorization: `Bearer ${key}`, ...headers };
    const given = Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== null);
    return readAnswer(await fetch(path.startsWith('http') ? path : url + path, { ...init, headers: given }));
  };
  return {
    url,
    key,
    ...(control === undefined ? {} : { control }),
    get: (path, headers = {}) => ask(path, {}, headers),
    post: (path, body, headers = {}) =>
      ask(
        path,
        { method: 'POST', body: typeof body === 'string' ? body : JSON.stringify(body) },
        { 'Content-Type': 'application/json', ...headers },
      ),
  };
}

/** The same service asked with another Key. */
export function withKey(service: Service, key: string): Service {
  return serviceAt(service.url, key, service.control === undefined ? {} : { control: service.control });
}

async function readAnswer(response: Response): Promise<Answer> {
  const bytes = new Uint8Array(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, body: parseBody(bytes) };
}

function parseBody(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
