// svcd key status: looks everywhere anew, so that a keyring that was just unlocked is seen.

import type { KeyReport } from '../../auth/user-key.js';
import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { flatten } from '../flatten.js';
import { describeKeySource } from '../describe-key.js';
import { plain, printJson, printLines } from '../output.js';
import type { Status } from '../running-daemon.js';
import { layOut } from '../table.js';

export const keyStatusCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd key', 'where it comes from, its last four characters, what the service says of it'],
    ['svcd key status --json', 'the same for a script'],
  ],
  run: async (input) => {
    // The look below is thorough, and one is enough.
    const needs = { json: input.json, spends: false };
    const told = await withClient({ home: input.text('home') }, needs, async (client) => {
      const report = expectOk(await client.request('POST', '/svcd/key/refresh')).json() as KeyReport;
      return { ...report, ...(await askService(client, report)) };
    });
    return input.json ? printJson(told) : printLines(...describe(told));
  },
};

interface ServiceWord {
  /** What GET /api/v1/me said; null when it was not asked, or refused. */
  readonly service: object | null;
  /** Why there is nothing of the service. */
  readonly service_error: { readonly code: string; readonly message: string } | null;
}

async function askService(client: Client, { source }: KeyReport): Promise<ServiceWord> {
  if (source === 'none') return { service: null, service_error: null };
  const { remote } = expectOk(await client.request('GET', '/svcd/status')).json() as Status;
  if (remote.offline) {
    const why = remote.why ?? 'it is away';
    return { service: null, service_error: { code: 'offline', message: `the service is not asked: ${why}` } };
  }
  const answer = await client.request('GET', '/api/v1/me');
  const body = answer.json() as object;
  if (answer.status < 400) return { service: body, service_error: null };
  return { service: null, service_error: body as NonNullable<ServiceWord['service_error']> };
}

function describe(told: KeyReport & ServiceWord): string[] {
  const {
    source,
    path,
    last_four: lastFour,
    account,
    keychain,
    warnings,
    service,
    service_error: error,
  } = told;
  const rows = [
    ['Key', source === 'none' ? 'none' : `ends in ${lastFour}, ${describeKeySource(source)}`],
    ['file', path ?? ''],
    ['remote', account ?? ''],
    ['keychain', keychain.words],
    ['', keychain.hint ?? ''],
  ].filter(([, value]) => value !== '');
  return [
    ...layOut(rows.map(([name = '', value = '']) => [name, plain(value)])),
    ...warnings.map((warning) => plain(`Warning: ${warning}`)),
    ...(service === null ? [] : ['', 'The service says:', ...serviceRows(service)]),
    ...(error === null ? [] : ['', plain(`The service: ${error.message}`)]),
  ];
}

function serviceRows(service: object): string[] {
  return layOut(flatten('', service).map(([name, value]) => [`  ${name}`, value]));
}
