// svcd mcp: tools for an assistant over standard input and output, with a token that ends with it.

import { fileURLToPath } from 'node:url';
import { loadConfig } from '../../config/config.js';
import { INSTALLATION } from '../../platform/installation.js';
import type { Permission } from '../../model/spender.js';
import { type Bodies, switchOption, textOption } from '../command.js';
import { clientOfMany } from '../connection/client.js';
import { readCredits } from '../terminal/options.js';
import { printJson } from '../terminal/output.js';
import { lastingLease } from './token-lease.js';
import { runWords } from './words.js';

const MAY: Permission[] = ['stickers', 'images', 'account', 'purchases'];
const PICTURES = ['on', 'off'] as const;
const ASK = ['always', 'never'] as const;
const words = runWords();

export const bodies: Bodies = {
  mcp: {
    options: {
      budget: textOption(words.options.yes),
      ask: textOption(words.options.ask),
      pictures: textOption(words.options.pictures),
      'print-config': switchOption(words.options.printConfig),
    },
    run: async (input) => {
      const budget = readCredits(input, 'budget');
      const ask = input.choice('ask', ASK);
      const pictures = input.choice('pictures', PICTURES);
      const home = await input.home();
      if (input.flag('print-config') === true) return printJson(configOf(home, { budget, ask, pictures }));
      const lease = lastingLease(home, { only: MAY, total: budget ?? 0 });
      // Beforehand: what hinders it is told by the first call.
      lease.reach().catch(() => undefined);
      const { serveMcp } = await import('../../mcp/serve-stdio.js');
      const spendOnce = async (credits: number) => {
        const one = await lease.beside(credits);
        return { asker: clientOfMany(one), end: one.forget };
      };
      const registers = async () => (await loadConfig({ home })).registerProductions;
      const world = { asker: clientOfMany(lease), budget, spendOnce, registers, words: words.consent };
      const places = { plans: new Map(), home, workingFolder: process.cwd() };
      await serveMcp({ ...world, ...places }, { asks: ask !== 'never', pictures: pictures !== 'off' });
      lease.forget();
    },
  },
};

/** As most hosts read it; they start programs without a shell's PATH. */
function configOf(home: string, options: Readonly<Record<string, string | number | undefined>>): object {
  const program = fileURLToPath(new URL('bin/svcd.js', INSTALLATION));
  const given = Object.entries(options).flatMap(([name, value]) =>
    value === undefined ? [] : [`--${name}`, `${value}`],
  );
  const args = [program, 'mcp', '--home', home, ...given];
  return { mcpServers: { svcd: { command: process.execPath, args } } };
}
