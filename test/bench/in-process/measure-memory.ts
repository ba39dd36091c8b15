// The memory of one engine, in a process of its own: `node --expose-gc --import tsx measure-memory.ts NAME ENTRIES`
// prints what it holds more than before it was opened, in megabytes.

import { growCatalogue } from './grow.js';
import { ENGINES } from './open-engine.js';

const [name = '', entries = '0'] = process.argv.slice(2);
const texts = growCatalogue(Number(entries));
const before = held();
const engine = ENGINES[name]?.(texts);
if (engine === undefined) throw new Error(`there is no engine ${name}`);
engine.search('生日');
process.stdout.write(`${held() - before}\n`);
engine.close();

function held(): number {
  globalThis.gc?.();
  // All of the process, because what SQLite holds is not on the heap.
  return process.memoryUsage().rss / 2 ** 20;
}
