// The capabilities the document lists (section 1). `id` and the field names but for `enabled`, `status` and
// `possible_count` are our choice; the ids follow the two known values of a template's declaration.

import { IMAGE_PRICE, STICKER_PRICE } from './limits.js';

export type CapabilityStatus = 'available' | 'beta' | 'planned';

export interface Capability {
  id: string;
  name: string;
  status: CapabilityStatus;
  /** Whether this deployment has it switched on. */
  enabled: boolean;
  /** Credits a call costs; null while planned. */
  cost: number | null;
}

const row = (id: string, name: string, status: CapabilityStatus, cost: number | null): Capability => ({
  id,
  name,
  status,
  enabled: status !== 'planned',
  cost,
});

export const DOCUMENTED_CAPABILITIES: readonly Capability[] = [
  row('stickers.search', 'Sticker search', 'available', 0),
  row('stickers.match', 'Sticker match', 'available', 0),
  row('stickers.file', 'Sticker file download', 'available', STICKER_PRICE),
  row('images.generate', 'Image generation', 'beta', IMAGE_PRICE),
  row('usage.read', 'Credit reporting', 'available', 0),
  row('productions.register', 'Production registration', 'available', 0),
  row('video.generate', 'Video generation', 'planned', null),
  row('music.match', 'Music matching', 'planned', null),
  row('speech.synthesize', 'Speech synthesis', 'planned', null),
  row('captions.align', 'Caption alignment', 'planned', null),
  row('fonts.match', 'Font matching', 'planned', null),
  row('render.cloud', 'Cloud rendering', 'planned', null),
];
