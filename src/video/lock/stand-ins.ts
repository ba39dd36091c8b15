// What a strict person does not take of a lock: a default, svcd's own art that words found, and a choice made before the service
// was asked. One rule for `apply`, `verify` and `run --lock`.

import type { Lock, LockedAsset } from '../../api/lock.js';

/** Why a slot is none that was asked for. */
export type StandInReason = 'default' | 'shipped' | 'part';

export interface StandIn {
  readonly slot: string;
  readonly why: StandInReason;
  /** Of a default. */
  readonly reason?: string;
}

/** By slot. */
export function standInsOf({ assets }: Pick<Lock, 'assets'>): StandIn[] {
  return Object.entries(assets)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([slot, asset]) => {
      const why = findStandIn(asset);
      if (why === undefined) return [];
      return { slot, why, ...(asset.source === 'default' && { reason: asset.reason ?? 'unknown' }) };
    });
}

/** Undefined for what was asked for. */
export function findStandIn(asset: LockedAsset): StandInReason | undefined {
  if (asset.kind === 'music') return undefined;
  if (asset.source === 'default') return 'default';
  if (asset.source === 'shipped' && asset.basis !== 'named') return 'shipped';
  return asset.basis === 'part' ? 'part' : undefined;
}
