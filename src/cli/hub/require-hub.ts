// Commands that ask a hub. Whether a home is a hub's is looked up before anything of svcd is opened there: a home that is none
// stays as it is.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { loadConfig } from '../../config/config.js';
import { findBelonging } from '../../config/membership.js';
import { isSvcdError, SvcdError } from '../../model/errors.js';
import { findRuntime } from '../../platform/files/home-folder.js';
import type { CommandBody } from '../command.js';
import type { Input } from '../terminal/input.js';
import { hubWords } from './words.js';

/** A command for the home of a hub. What the hub refuses in a field of the request is named as it was typed. */
export function atHub(run: (input: Input) => Promise<void>): CommandBody['run'] {
  return async (input) => {
    await requireHub(input);
    try {
      await run(input);
    } catch (error) {
      if (!isSvcdError(error, 'invalid_request')) throw error;
      const message = error.message
        .replace(/^payer: /, 'PAYER ')
        .replace(
          /^(projects(?=\.)|project|user|state|machine|limit|budget)(?:\.\d+)?: /,
          (_, field: string) => `--${OPTIONS[field] ?? field} `,
        );
      throw new SvcdError(error.code, message, { cause: error, ...(error.hint !== undefined && { hint: error.hint }) });
    }
  };
}

const OPTIONS: Readonly<Record<string, string>> = { projects: 'project' };

/** Throws `not_running` for a home that was never started as a hub. One that is stopped still tells what it has. */
async function requireHub(input: Pick<Input, 'home'>): Promise<void> {
  const home = await input.home();
  const words = hubWords();
  const belonging = findBelonging(home);
  if (belonging.kind === 'hub') {
    const { addresses, machine } = belonging.membership;
    const message = words.isMachine(home, addresses[0] ?? '');
    throw new SvcdError('not_running', message, { hint: words.askAtHub(machine.name) });
  }
  const { hubListen } = await loadConfig({ home });
  // Its certificate, or where it listened: what it was started with need not stand in a setting.
  const wasHub = existsSync(join(home, 'hub')) || findRuntime(home)?.hub !== undefined;
  if (hubListen === undefined && !wasHub)
    throw new SvcdError('not_running', words.noHub(home), { hint: words.startHub });
}
