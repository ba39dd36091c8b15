// The stage of most tests of the command line: one daemon for the file, with a sandbox behind it, and commands that are run
// in the process of the test (run-here.ts) in an empty folder.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { runHere } from './run-here.js';
import type { Outcome } from './run-svcd.js';
import { startSvcd, type StartedSvcd } from './start-svcd.js';

export interface Cli {
  readonly svcd: StartedSvcd;
  /** Where commands are run. */
  readonly folder: string;
  readonly run: (args: readonly string[], stdin?: string) => Promise<Outcome>;
  /** Writes a file there; what is no text as JSON. */
  readonly write: (name: string, content: string | object) => void;
}

/** Opens it before the tests of the file, and closes it after them. */
export function openCli(flags: readonly string[] = ['--sandbox']): Cli {
  let svcd: StartedSvcd | undefined;
  const started = () => {
    if (svcd === undefined) throw new Error('the daemon is started before the tests, not before their file is read');
    return svcd;
  };
  const folder = () => join(started().home, 'work');
  beforeAll(async () => {
    svcd = await startSvcd(flags);
    mkdirSync(folder());
  });
  afterAll(() => svcd?.stop());
  return {
    get svcd() {
      return started();
    },
    get folder() {
      return folder();
    },
    run: (args, stdin = '') => runHere(args, { home: started().home, cwd: folder(), stdin }),
    write: (name, content) =>
      writeFileSync(join(folder(), name), typeof content === 'string' ? content : JSON.stringify(content)),
  };
}
