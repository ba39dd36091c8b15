// What stands for what was asked for, as `svcd verify --strict` has it; one rule for whatever reads a lock here.

import type { EntryLike } from './lock-types.js';

/** Why a strict reader refuses a slot, naming it; undefined for a choice. */
export function refusalOf(slot: string, { source, reason, basis }: EntryLike): string | undefined {
  const why =
    source === 'default'
      ? `a default stands in (${reason ?? 'unknown'})`
      : source === 'shipped' && basis !== 'named'
        ? "svcd's own art stands in"
        : basis === 'part' && 'it was chosen before the service was asked';
  return why ? `slot ${slot}: ${why}; "svcd apply --strict --replace-defaults" chooses it anew` : undefined;
}
