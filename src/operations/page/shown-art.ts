// The art that may be looked at, its titles in the spelling in which the library compares words. The build makes its index.

import { compileArtIndex, openArt, type Art } from '../../catalogue/art.js';
import { normalise } from '../../library/language/normalise.js';

export type { Art };

/** Opens the art; nothing is read yet. */
export function openShownArt(): Art {
  return openArt(normalise);
}

/** What the build keeps of it. */
export function compileSketches(): Uint8Array {
  return compileArtIndex(normalise);
}
