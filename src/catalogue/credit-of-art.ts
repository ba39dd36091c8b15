// The credit line of the art in the catalogue, by its licence: data/README.md tells where each set is from.

import type { CatalogueEntry } from './catalogue.js';

/** What Twemoji asks for, or an equal line (data/README.md). */
const TWEMOJI =
  'Twemoji graphics © Twitter, Inc. and other contributors, CC-BY 4.0 (https://creativecommons.org/licenses/by/4.0/)';

/** The line that the art of an entry asks for; undefined when it asks for none. */
export function attributionOfArt({ set, licence }: Pick<CatalogueEntry, 'set' | 'licence'>): string | undefined {
  if (!/CC-BY/.test(licence)) return undefined;
  return set === 'twemoji' ? TWEMOJI : `${set} (${licence})`;
}
