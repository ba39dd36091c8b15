// svcd mcp: tools for an assistant over standard input and output, with a token that ends with it.

import { fileURLToPath } from 'node:url';
import { INSTALLATION } from '../../platform/installation.js';
import type { Permission } from '../../model/spender.js';
import { type Bodies, switchOption, textOption } from '../command.js';
import { clientOfMany } from '../connection/client.js';
import { readCredits } from '../terminal/options.js';
import { printJson } from '../terminal/output.js';
import { lastingLease } from './token-lease.js';
import { runWords } from './words.js';

const MAY: Permission[] = ['stickers', 'images', 'account', 'purchases'];
const words = runWords();

export const bodies: Bodies = {
  mcp: {
    options: { budget: textOption(words.options.yes), 'print-config': switchOption(words.options.printConfig) },
    run: async (input) => {
      const budget = readCredits(input, 'budget');
      const home = await input.home();
      if (input.flag('print-config') === true) return printJson(configOf(home, budget));
      const lease = lastingLease(home, { only: MAY, total: budget ?? 0 });
      // Beforehand: what hinders it is told by the first call.
      lease.reach().catch(() => undefined);
      const { serveMcp } = await import('../../mcp/serve-stdio.js');
      await serveMcp({ asker: clientOfMany(lease), budget, home, workingFolder: process.cwd() });
      lease.forget();
    },
  },
};

/** As most hosts read it; they start programs without a shell's PATH. */
function configOf(home: string, budget: number | undefined): object {
  const program = fileURLToPath(new URL('bin/svcd.js', INSTALLATION));
  const args = [program, 'mcp', '--home', home, ...(budget === undefined ? [] : ['--budget', `${budget}`])];
  return { mcpServers: { svcd: { command: process.execPath, args } } };
}
