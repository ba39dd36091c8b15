// svcd usage

import { expectOk, withClient } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { counted, grouped, plain, print, printLines } from '../output.js';
import { layOut } from '../table.js';

export const usageCommand: Command = {
  options: HOME_OPTION,
  examples: [['svcd usage', 'credits left, and what they are enough for']],
  run: async (input) => {
    const flags = { home: input.text('home') };
    const answer = await withClient(flags, { json: input.json, spends: true }, async (client) =>
      expectOk(await client.request('GET', '/api/v1/usage')),
    );
    if (input.json) return print(`${JSON.stringify(answer.json())}\n`);
    const age = answer.header('x-svcd-source') === 'last-known' ? (answer.header('age') ?? '') : undefined;
    return printLines(...describe(answer.json() as Usage, age));
  },
};

/** The two fields the document names; whatever else there is, is shown as it comes. */
interface Usage {
  readonly effective_credits_remaining?: number;
  readonly capabilities?: readonly Readonly<Record<string, unknown>>[];
  readonly [field: string]: unknown;
}

function describe(usage: Usage, age: string | undefined): string[] {
  const { effective_credits_remaining: credits, capabilities = [], ...rest } = usage;
  const others = Object.entries(rest).flatMap(([name, value]) => flatten(name, value));
  return [
    ...(age === undefined ? [] : [`The service cannot be asked now; this is what it said ${age} s ago.`]),
    credits === undefined
      ? 'The service does not say how many credits are left.'
      : `${counted(credits, 'credit')} can be spent with this Key.`,
    ...layOut(others.filter(([, value]) => value !== '').map(([name, value]) => [`  ${name}`, value])),
    '',
    ...layOut(capabilities.map(capabilityRow)),
  ];
}

function capabilityRow(capability: Readonly<Record<string, unknown>>): string[] {
  const { name, id, status, cost, possible_count: possible } = capability;
  return [
    `  ${shown(name ?? id)}`,
    shown(status),
    typeof cost === 'number' ? (cost === 0 ? 'free' : counted(cost, 'credit')) : '',
    typeof possible === 'number' && cost !== 0 ? `enough for ${grouped(possible)}` : '',
  ];
}

function flatten(name: string, value: unknown): [string, string][] {
  if (typeof value !== 'object' || value === null) return [[plain(name), shown(value)]];
  return Object.entries(value).flatMap(([inner, one]) => flatten(`${name}.${inner}`, one));
}

function shown(value: unknown): string {
  if (value === undefined || value === null) return '';
  return plain(typeof value === 'string' ? value : JSON.stringify(value));
}
