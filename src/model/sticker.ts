// A sticker: one entry of the library, as every room speaks of it.

import type { Credit } from './credit.js';

/** What is known of one sticker. `preset` and `title` are always there; the rest as far as the source told. */
export interface Sticker extends Credit {
  /** The service's identifier. Opaque: may hold slashes, spaces, any character. */
  readonly preset: string;
  readonly title: string;
  readonly keywords: readonly string[];
  /** Pixels. */
  readonly width?: number;
  readonly height?: number;
  /** Width divided by height. */
  readonly aspect?: number;
  /** Seconds. */
  readonly duration?: number;
  /** Frames per second. */
  readonly fps?: number;
  /** Primary color, `#rrggbb`. */
  readonly color?: string;
  /** What is drawn, when the source says so: the same for one thing in several styles. */
  readonly concept?: string;
  /** What it is called in other languages, when the source says so. */
  readonly titles?: Titles;
}

/** By language, as it is told. */
export type Titles = { readonly [L in (typeof TITLE_LANGUAGES)[number]]?: string };
export const TITLE_LANGUAGES = ['en', 'ja', 'ko'] as const;

type Shape = { readonly [K in 'aspect' | 'width' | 'height']?: number | null | undefined };

/** Width divided by height, as told or from the pixels; undefined when neither is known. */
export function aspectOf({ aspect, width, height }: Shape): number | undefined {
  const told = aspect ?? (width ?? NaN) / (height ?? NaN);
  return told > 0 && Number.isFinite(told) ? told : undefined;
}

/** Longest preset we accept, in characters; the longest real one known has 70. */
export const MAX_PRESET_LENGTH = 300;

/** What the presets of the user's own stickers begin with, so that they are known at sight and never bought. */
export const OWN_PREFIX = 'own/';

/** What the presets of the stickers shipped with svcd begin with. One that the remote lists is the remote's. */
export const SHIPPED_PREFIX = 'default/';

/** The style of a preset: its first part; empty where it has none. */
export function styleOf(preset: string): string {
  return preset.slice(0, Math.max(0, preset.indexOf('/')));
}

/** How a style is drawn: in areas or lines of one color, or in several colors. */
export const STYLE_KINDS = ['filled', 'outline', 'colour'] as const;
export type StyleKind = (typeof STYLE_KINDS)[number];

/** Words of a style's name that tell its kind, and names that tell it to whoever knows them. */
const TELLING: Readonly<Record<StyleKind, RegExp>> = {
  outline: /\b(outlined?|line[sd]?|linear|stroke|thin)\b/i,
  filled: /\b(filled|fill|solid|glyph|(te)?maki)\b/i,
  colour: /\b((multi)?colou?r(ed)?|tone|flat|3d|(tw)?emoji|default)\b/i,
};

/** How a style is drawn, as its name tells; undefined where it does not. */
export function kindOfStyle(style: string): StyleKind | undefined {
  return STYLE_KINDS.find((kind) => TELLING[kind].test(style.replaceAll('_', ' ')));
}

/** As it is told of a sticker. */
export function styleKindOf(preset: string): { readonly style_kind?: StyleKind } {
  const kind = kindOfStyle(styleOf(preset));
  return kind === undefined ? {} : { style_kind: kind };
}

/** Whether a preset is the name of a sticker of the user's own. */
export function isOwnName(preset: string): boolean {
  return preset.startsWith(OWN_PREFIX) && preset.length > OWN_PREFIX.length;
}

/**
 * Path of a sticker's file on any address of the service. The whole preset is one path segment, its slashes
 * encoded too, because a URL parser would resolve `a/../b` and would not touch `a%2F..%2Fb`.
 */
export function stickerPath(preset: string): string {
  return `/api/v1/stickers/${encodeURIComponent(preset)}`;
}

/** A preset, or an item with its kind, for a log: what a client sends in the place of one may be any text, a prompt too. */
export function nameForLog(name: string): string {
  return /^[\w.:/-]{1,120}$/.test(name) ? name : '(no usual preset)';
}
