// The numbers of the contract (asset API, sections 2, 4 and 8), and its capabilities with their prices. Lengths are in characters: Unicode code
// points, so that an emoji or a rare Han character counts once, as a person would count it (our choice; the
// document says only "characters").

export const MATCH_TEXT_MAX = 2000;
export const MATCH_KEYWORDS_MAX = 20;
export const MATCH_KEYWORD_MAX = 64;
export const LIMIT_DEFAULT = 12;
export const LIMIT_MAX = 50;
export const PROMPT_MAX = 2000;
/** Bytes of a JSON body. */
export const BODY_MAX_BYTES = 16 * 1024;
/** Bytes of a Lottie file that the user registers as a default; svcd's own limit. */
export const REGISTERED_MAX_BYTES = 8 * 1024 * 1024;

/** The same inside a JSON text, where quotes and line feeds take two bytes. */
export const OWN_STICKER_MAX_BYTES = 2 * REGISTERED_MAX_BYTES;
export const REQUESTS_PER_MINUTE = 120;
export const STICKER_PRICE = 1;
export const IMAGE_PRICE = 10;

/** `<template_name>@<version>`; which characters is our choice: none that makes a path or free text. */
export const TEMPLATE_FORM = /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,99}@[0-9A-Za-z][0-9A-Za-z.+-]{0,49}$/u;
/** `<kind>.<name>`, as materials and declared capabilities are written. */
export const CAPABILITY_FORM = /^[a-z0-9_-]{1,32}\.[a-z0-9_.-]{1,64}$/;
/** A word such as landscape. */
export const LAYOUT_FORM = /^[a-z0-9][a-z0-9:._-]{0,31}$/;
/** Seconds. */
export const DURATION_MAX_S = 86_400;
/** Our choice, of materials and declared capabilities. */
export const CAPABILITIES_MAX = 100;

/** Our choice: the document gives no bound for `q`. Longer text belongs to match. */
export const QUERY_MAX = 500;
/** Our choice but for 1536x1024: the document names one of three. */
export const IMAGE_SIZES = ['1024x1024', '1536x1024', '1024x1536'] as const;
export type ImageSize = (typeof IMAGE_SIZES)[number];

/** Number of characters (code points) of a text. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i++, count++) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit <= 0xdbff && isTrail(text.charCodeAt(i + 1))) i++;
  }
  return count;
}

function isTrail(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}

/**
 * The capabilities the document lists (section 1). `id` and the field names but for `enabled`, `status` and
 * `possible_count` are our choice; the ids follow the two known values of a template's declaration.
 */
export interface Capability {
  id: string;
  name: string;
  status: 'available' | 'beta' | 'planned';
  /** Whether this deployment has it switched on. */
  enabled: boolean;
  /** Credits a call costs; null while planned. */
  cost: number | null;
}

const row = (id: string, name: string, status: 'available' | 'beta' | 'planned', cost: number | null): Capability => ({
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
