// The sandbox's art by preset, for looking at it. The list of places is read when the first picture is asked for.

import { fileURLToPath } from 'node:url';
import { INSTALLATION } from '../platform/installation.js';
import { openCatalogue, type Catalogue, type CatalogueLocation } from './catalogue.js';

export type ReadArt = (preset: string) => Promise<Buffer | undefined>;

/** Reads art of the shipped catalogue; of none where it may not be shown. */
export function createArtReader(mayShow: boolean): ReadArt {
  if (!mayShow) return () => Promise.resolve(undefined);
  let opened: { readonly catalogue: Catalogue; readonly places: ReadonlyMap<string, CatalogueLocation> } | undefined;
  const open = () => {
    const catalogue = openCatalogue(fileURLToPath(new URL('data/catalogue', INSTALLATION)));
    const places = new Map<string, CatalogueLocation>();
    for (const { preset, at } of catalogue.entries()) places.set(preset, at);
    return { catalogue, places };
  };
  return async (preset) => {
    opened ??= open();
    const at = opened.places.get(preset);
    return at && opened.catalogue.readLottie(at);
  };
}
