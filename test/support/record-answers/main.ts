// Records what a checkout of svcd answers over HTTP and on the command line, to every operation and every command, with
// typical, wrong and no input: `tsx main.ts --checkout FOLDER --out FILE`. The checkout has to be built. Two recordings of
// the same house are equal; `compare.ts` shows what differs between two houses.

import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { sayEveryCommand } from './every-command.js';
import { askEveryOperation } from './every-operation.js';
import { House } from './house.js';
import { tellOfCommands } from './typical-commands.js';
import { tellOfHub } from './typical-hub.js';
import { tellOfOperations } from './typical-operations.js';

const { values } = parseArgs({
  options: { checkout: { type: 'string' }, out: { type: 'string' }, only: { type: 'string' } },
});
const { checkout, out, only } = values;
if (checkout === undefined || out === undefined) throw new Error('--checkout FOLDER and --out FILE are needed');

const parts = { sayEveryCommand, askEveryOperation, tellOfOperations, tellOfCommands, tellOfHub };
const recorded = await Promise.all(Object.entries(parts).map(([name, part]) => record(name, part)));
const answers = recorded.flatMap((some) => [...some]);
writeFileSync(out, `${JSON.stringify(Object.fromEntries(answers), undefined, 1)}\n`);
process.stdout.write(`${answers.length} answers\n`);

/** Each part has homes of its own. */
async function record(name: string, part: (open: () => House) => Promise<void>): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  if (only !== undefined && only !== name) return found;
  const houses: House[] = [];
  const open = () => {
    const house = new House(resolve(checkout ?? ''), found);
    houses.push(house);
    return house;
  };
  try {
    await part(open);
  } finally {
    for (const house of houses) await house.end();
  }
  return new Map([...found].map(([key, answer]) => [`${name}: ${key}`, answer]));
}
