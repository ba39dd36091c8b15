// The capabilities that the document lists (section 1). `id`, `name` and `cost` are our choice of fields; the ids
// follow the two values that the document shows for a template's declaration.

import { PRICES } from './limits.js';

export interface Capability {
  id: string;
  name: string;
  status: 'available' | 'beta' | 'planned';
  /** Whether this deployment has it switched on. */
  enabled: boolean;
  /** Credits a call costs; null while planned. */
  cost: number | null;
}

const available = (id: string, name: string, cost = 0): Capability => ({
  id,
  name,
  status: 'available',
  enabled: true,
  cost,
});

const planned = (id: string, name: string): Capability => ({
  id,
  name,
  status: 'planned',
  enabled: false,
  cost: null,
});

export const CAPABILITIES: readonly Capability[] = [
  available('stickers.search', 'Sticker search'),
  available('stickers.match', 'Sticker match'),
  available('stickers.file', 'Sticker file download', PRICES.sticker),
  { ...available('images.generate', 'Image generation', PRICES.image), status: 'beta' },
  available('usage.read', 'Credit reporting'),
  available('productions.register', 'Production registration'),
  planned('video.generate', 'Video generation'),
  planned('music.match', 'Music matching'),
  planned('speech.synthesize', 'Speech synthesis'),
  planned('captions.align', 'Caption alignment'),
  planned('fonts.match', 'Font matching'),
  planned('render.cloud', 'Cloud rendering'),
];
