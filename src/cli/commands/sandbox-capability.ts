// svcd sandbox capability

import { SvcdError } from '../../model/errors.js';
import type { Capability } from '../../contract/capability.js';
import { HOME_OPTION, type Command } from '../command.js';
import { printJson, printLines } from '../output.js';
import { openPaint } from '../colors.js';
import { askSandbox } from '../sandbox-client.js';
import { layOut } from '../table.js';

export const sandboxCapabilityCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd sandbox capability', 'which are on'],
    ['svcd sandbox capability images.generate off', 'images give 503 not_enabled'],
  ],
  run: async (input) => {
    const [id, state] = [input.findWord('id'), input.findWord('state')];
    if (id === undefined) {
      const answer = (await askSandbox(input, 'GET', '/sandbox/capabilities')) as {
        capabilities: Capability[];
      };
      return input.json ? printJson(answer) : printLines(...describe(answer.capabilities));
    }
    if (state !== 'on' && state !== 'off') {
      throw new SvcdError(
        'invalid_argument',
        `say on or off after ${id}, got ${JSON.stringify(state ?? '')}`,
      );
    }
    const path = `/sandbox/capabilities/${encodeURIComponent(id)}`;
    const changed = await askSandbox(input, 'PUT', path, { enabled: state === 'on' });
    return input.json ? printJson(changed) : printLines(`${id} is ${state}.`);
  },
};

function describe(capabilities: readonly Capability[]): string[] {
  const head = ['capability', 'status', 'is'].map(openPaint().faint);
  return layOut([
    head,
    ...capabilities.map(({ id, status, enabled }) => [id, status, enabled ? 'on' : 'off']),
  ]);
}
