// What the settings of a home mean while it belongs to a hub: the hub is its remote, whatever else names one.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError } from '../model/errors.js';
import { findBelonging } from './membership.js';

interface Settled {
  readonly setting: { readonly name: string };
  readonly value: unknown;
  readonly from: string;
}

/**
 * The settings with the hub in place of remote and sandbox. Throws `invalid_config` where somebody asks for another one by a
 * flag, or for the sandbox: they would spend the studio's credits and think otherwise.
 */
export function settleForMember<T extends Settled>(
  home: string,
  settled: readonly T[],
): readonly (T | (T & { endedBy: 'hub' }))[] {
  if (!existsSync(join(home, 'hub.json'))) return settled;
  const belonging = findBelonging(home);
  return settled.map((one) => {
    const { setting, value, from } = one;
    const isTyped = from === 'flag' || (setting.name === 'sandbox' && from === 'environment');
    if (setting.name === 'sandbox' && value === true) {
      if (isTyped) throw belongsToHub('the sandbox cannot be used');
      return { ...one, value: false, endedBy: 'hub' };
    }
    if (setting.name === 'hubListen' && value !== undefined) {
      if (isTyped) throw belongsToHub('it cannot be a hub itself');
      return { ...one, value: undefined, endedBy: 'hub' };
    }
    if (setting.name !== 'remote' || value === undefined) return one;
    if (isTyped) throw belongsToHub('no other remote can be used');
    // With a file that cannot be read, what is owned is still that of this address; it is not asked.
    return belonging.kind === 'hub' ? { ...one, value: undefined, endedBy: 'hub' } : one;
  });
}

/** The refusal of what a machine cannot do while it belongs to a hub. */
function belongsToHub(what: string): SvcdError {
  return new SvcdError('invalid_config', `${what}: this home belongs to a hub (hub.json)`, {
    hint: 'Run "svcd leave" first; what came through the hub stays owned.',
  });
}
