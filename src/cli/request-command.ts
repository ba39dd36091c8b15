// Commands that ask one question and print the answer, as rows: what to ask, and how a person reads the answer.

import { withClient } from './connection/client.js';
import type { CommandBody } from './command.js';
import type { Input } from './terminal/input.js';
import { printAnswer } from './terminal/output.js';
import type { Method } from './connection/running-daemon.js';

export interface RequestDetails {
  /** Fields that are undefined are not sent. Throws `invalid_argument`. */
  readonly body?: (input: Input) => object;
  /** Parameters; those that are undefined are not sent. Throws `invalid_argument`. */
  readonly query?: (input: Input) => Readonly<Record<string, string | number | undefined>>;
  /** Whether it needs the user's Key. */
  readonly spends?: boolean;
  /** Whether people take the printed value as it is, as in `$(svcd token add …)`. */
  readonly bare?: boolean;
}

export interface RequestParts {
  readonly method: Method;
  readonly path: string;
  readonly body: object | undefined;
  readonly spends: boolean;
}

/** Asks the daemon, or the same app in this process. */
export const requestDaemon = createRunner((input, { method, path, body, spends }) =>
  withClient({ ...input, spends }, (client) => client.ask(method, path, body)),
);

/**
 * A function that makes the body of a command from a row: method and path, in which `{name}` stands for the positional
 * of that name; the answer for a person; and what else the request has.
 */
export function createRunner(ask: (input: Input, parts: RequestParts) => Promise<unknown>) {
  return <T extends object>(
      question: `${Method} /${string}` | ((input: Input) => `${Method} /${string}`),
      describe: (answer: T, input: Input) => string | readonly string[],
      { body, query, spends = false, bare = false }: RequestDetails = {},
    ): CommandBody['run'] =>
    async (input) => {
      const [method, path] = (typeof question === 'string' ? question : question(input)).split(' ') as [Method, string];
      const filled = fillIn(path, input) + searchOf(query?.(input) ?? {});
      const answer = (await ask(input, { method, path: filled, body: body?.(input), spends })) as T;
      return printAnswer(bare && !input.json ? { json: false } : input, answer, () => describe(answer, input));
    };
}

function fillIn(path: string, input: Input): string {
  return path.replace(/\/\{(\w+)\}/g, (_, name: string) => {
    const word = input.findWord(name);
    return word === undefined ? '' : `/${encodeURIComponent(word)}`;
  });
}

function searchOf(query: Readonly<Record<string, string | number | undefined>>): string {
  const set = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)] as [string, string]],
  );
  return set.length === 0 ? '' : `?${new URLSearchParams(set).toString()}`;
}
