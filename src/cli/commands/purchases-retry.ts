// svcd purchases retry: the one command that may pay twice for the same thing, so it asks first.

import { expectOk, withClient, type Client } from '../client.js';
import { HOME_OPTION, type Command } from '../command.js';
import { confirm } from '../confirm.js';
import type { Answer } from '../http-exchange.js';
import { counted, printJson, printLines } from '../output.js';
import { readPurchaseId, whatOf, type PurchaseView } from '../purchase-view.js';

export const purchasesRetryCommand: Command = {
  options: {
    ...HOME_OPTION,
    yes: { type: 'boolean', alias: 'y', describe: 'Do not ask: it may cost another credit.' },
  },
  examples: [
    ['svcd purchases retry 7', 'buy the sticker of purchase 7 again, after a question'],
    ['svcd purchases retry 7 --yes --json', 'the same from a script'],
  ],
  run: async (input) => {
    const id = readPurchaseId(input);
    const flags = { home: input.text('home') };
    const needs = { json: input.json, spends: true };
    // A client of its own, closed before the question: nobody else should have to wait for a person.
    const ask = () => withClient(flags, { ...needs, spends: false }, (client) => questionOf(client, id));
    if (input.flag('yes') !== true) await confirm(await ask());
    const answer = await withClient(flags, needs, async (client) =>
      expectOk(await client.request('POST', `/svcd/purchases/${id}/retry`)),
    );
    const facts = factsOf(answer, id);
    return input.json ? printJson(facts) : printLines(describe(facts));
  },
};

/** Names what would be bought. */
async function questionOf(client: Client, id: string): Promise<string> {
  const found = expectOk(await client.request('GET', `/svcd/purchases/${id}`)).json() as PurchaseView;
  return `Buying ${whatOf(found)} again (purchase ${id}) may cost ${counted(found.price, 'credit')} more.`;
}

function factsOf(answer: Answer, id: string) {
  const credits = answer.header('x-service-credits-remaining');
  return {
    purchase: Number(id),
    source: answer.header('x-svcd-source'),
    cost: Number(answer.header('x-svcd-cost') ?? 0),
    bytes: answer.bytes().byteLength,
    credits_remaining: credits === undefined ? undefined : Number(credits),
  };
}

function describe({
  purchase,
  source,
  cost,
  credits_remaining: credits,
}: ReturnType<typeof factsOf>): string {
  const left = credits === undefined ? '' : `; ${counted(credits, 'credit')} left`;
  if (source === 'remote') {
    return `The sticker of purchase ${purchase} was bought again (remote, ${counted(cost, 'credit')}${left}) and is owned.`;
  }
  return `The sticker of purchase ${purchase} is there already (${source ?? 'unknown'}, no charge${left}).`;
}
