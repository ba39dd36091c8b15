// The presets of all owned stickers, as one set that stays the same object until something is bought or set aside, so
// that what is worked out from it can be kept.

import type { OwnedStore } from '../../purchases/owned-store.js';

export type OwnedPresets = () => ReadonlySet<string>;

/** Gives the presets owned now. */
export function createOwnedPresets(owned: Pick<OwnedStore, 'listStickers' | 'count'>): OwnedPresets {
  let known: { readonly state: string; readonly presets: ReadonlySet<string> } | undefined;
  return () => {
    const state = `${owned.listStickers(0, 1)[0]?.id ?? 0} ${owned.count()}`;
    if (known?.state === state) return known.presets;
    const presets = new Set(owned.listStickers(0, Number.MAX_SAFE_INTEGER).map(({ preset }) => preset));
    known = { state, presets };
    return presets;
  };
}
