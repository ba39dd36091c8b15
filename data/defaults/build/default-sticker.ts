// One default sticker from its scene.

import { buildSticker, type BuiltSticker, type SourceLine } from '../../catalogue/build/sticker.js';
import { DRAWINGS } from './drawings.js';
import type { Scene } from './scenes.js';

const ORIGINAL = 'MIT (original)';
const FLUENT = 'MIT (art)';

/** The sticker of a scene, named `default/<scene>`; throws an Error when its drawing cannot be had. */
export function buildDefaultSticker(scene: Scene): BuiltSticker {
  const art = scene.set === 'svcd' ? DRAWINGS[scene.art] : undefined;
  if (scene.set === 'svcd' && art === undefined) throw new Error(`No original drawing ${scene.art}`);
  const source: SourceLine = {
    preset: `default/${scene.name}`,
    title: scene.title,
    keywords: scene.keywords,
    set: scene.set,
    art: scene.art,
    concept: `scene/${scene.name}`,
    licence: scene.licence ?? (art === undefined ? FLUENT : ORIGINAL),
  };
  return buildSticker(source, {
    ...(art === undefined ? {} : { art }),
    ...(scene.motion === undefined ? {} : { motion: scene.motion }),
  });
}
