// What a Lottie file may hold that players do not all draw alike: one table for the verdict, the facts and the words of
// `X-Svcd-Warning`. Dated: players learn. Last gone through on 2026-11-22.

import type { Verdict } from '../model/asset.js';

export const PLAYERS = ['lottie-web', 'lottie-web-light', 'skottie', 'rlottie', 'thorvg'] as const;
export type Player = (typeof PLAYERS)[number];

/** Words of `X-Svcd-Warning` about a file, in the order in which they are told. */
export const PLAYER_WARNINGS = [
  'not_checked',
  'missing_property',
  'bad_keyframes',
  'bad_path',
  'no_frames',
  'missing_asset',
  'endless_nesting',
  'deep_nesting',
  'dash_without_name',
  'dash_without_offset',
  'expressions',
  'remote_image',
  'missing_image',
  'text_without_glyphs',
  'effects',
  'layer_styles',
  'three_d',
  'luma_matte',
  'mask_mode',
  'merge_paths',
  'path_modifiers',
] as const;
export type PlayerWarning = (typeof PLAYER_WARNINGS)[number];

/** Where the facts of a row are from. */
export const SOURCES = {
  /** What the players say of themselves. */
  lists: [
    'lottie-web 5.13, lottie-web-light: github.com/airbnb/lottie supported-features.md (columns of the web), player/js/modules of the package for effects and modifiers',
    'skottie (canvaskit-wasm 0.42): github.com/google/skia modules/skottie/src, effects/Effects.cpp and layers/shapelayer',
    'rlottie: github.com/Samsung/rlottie README.md, "Supported After Effects Features"',
    'thorvg (dotlottie-web 0.80): github.com/thorvg/thorvg wiki, "Lottie Support", 2026-03-19',
  ],
  /** A list is silent on one of the players: what its parser reads. */
  parsers: ['lottie-web player/js', 'skottie modules/skottie/src', 'rlottie src/lottie', 'thorvg src/loaders/lottie'],
  /** Seen here: test/browser plays a file for each word. */
  tests: ['lottie-web 5.13 (SVG and canvas)', 'dotlottie-web 0.80', 'canvaskit-wasm 0.42'],
  /** A limit of this table, not of a player. */
  limits: ['the design of svcd'],
} as const;

/** `other`: drawn, but not as the rest does it. */
const EFFECTS = ['drawn', 'other', 'ignored', 'fails', 'fetched', 'runs', 'slow', 'unknown'] as const;
type Effect = (typeof EFFECTS)[number];

interface Row {
  readonly players: Readonly<Record<Player, Effect>>;
  readonly source: keyof typeof SOURCES;
  /** What a file that has it is at best; without one it is `differs`, or `clean` where every player draws it. */
  readonly verdict?: Verdict;
  /** Its word in `X-Svcd-Warning`. */
  readonly word?: PlayerWarning;
  /** Whether it is a feature of the format, and not a flaw of the file. */
  readonly isFeature: boolean;
}

type Letter = 'd' | 'o' | 'i' | 'f' | 'a' | 'r' | 's' | 'u';
type Five = `${Letter} ${Letter} ${Letter} ${Letter} ${Letter}`;
const LETTERS: Readonly<Record<string, Effect>> = {
  d: 'drawn',
  o: 'other',
  i: 'ignored',
  f: 'fails',
  a: 'fetched',
  r: 'runs',
  s: 'slow',
  u: 'unknown',
};

/** A row of what the five do, in the order of PLAYERS. */
function row(
  five: Five,
  source: Row['source'],
  more: Partial<Pick<Row, 'verdict' | 'word'>> = {},
  isFeature = true,
): Row {
  const effects = five.split(' ').map((letter, at) => [PLAYERS[at], LETTERS[letter]] as const);
  return { players: Object.fromEntries(effects) as Row['players'], source, isFeature, ...more };
}

const feature = row;
const flaw = (five: Five, word: PlayerWarning, verdict: Verdict = 'differs') =>
  row(five, 'tests', { word, verdict }, false);
const limit = (five: Five) => row(five, 'limits', { verdict: 'heavy' }, false);

export const FEATURES = {
  trim_paths: feature('d d d d d', 'lists'),
  gradients: feature('d d d d d', 'lists'),
  gradient_strokes: feature('d d d d d', 'parsers'),
  dashes: feature('d d d d d', 'parsers'),
  polystars: feature('d d d d d', 'lists'),
  repeaters: feature('d d d d d', 'parsers'),
  rounded_corners: feature('d d d d d', 'parsers'),
  merge_paths: feature('i i d i i', 'tests', { word: 'merge_paths' }),
  offset_paths: feature('d d d i d', 'lists', { word: 'path_modifiers' }),
  zigzag: feature('d d i i i', 'lists', { word: 'path_modifiers' }),
  twist: feature('i i i i i', 'lists', { word: 'path_modifiers' }),
  pucker_bloat: feature('d d d i d', 'lists'),
  masks: feature('d d d d d', 'lists'),
  mask_mode: feature('o o d d d', 'tests', { word: 'mask_mode' }),
  mask_blending: feature('i i d i d', 'lists', { word: 'mask_mode' }),
  mask_expansion: feature('o o d i d', 'lists'),
  mask_feather: feature('i i d i i', 'lists'),
  mattes: feature('d d d d d', 'lists'),
  luma_matte: feature('o o d d d', 'tests', { word: 'luma_matte' }),
  skew: feature('d d d i d', 'lists'),
  auto_orient: feature('d d d d d', 'lists'),
  time_remap: feature('d d d d d', 'parsers'),
  blend_modes: feature('d d d i d', 'parsers'),
  three_d: feature('o o d i o', 'tests', { word: 'three_d' }),
  layer_styles: feature('i i d i i', 'tests', { word: 'layer_styles' }),
  images: feature('d d d d d', 'lists'),
  precompositions: feature('d d d d d', 'lists'),
  slots: feature('d d d i d', 'parsers'),
  text: feature('d d d i d', 'lists'),
  expressions: feature('r i i i r', 'lists', { word: 'expressions', verdict: 'scripted' }),
  color_effects: feature('d i d i d', 'lists', { word: 'effects' }),
  stroke_effect: feature('d i i i d', 'lists', { word: 'effects' }),
  levels_effect: feature('d i d i i', 'lists', { word: 'effects' }),
  drop_shadow: feature('d i d i d', 'lists', { word: 'effects' }),
  gaussian_blur: feature('d i d i d', 'lists', { word: 'effects' }),
  matte_effect: feature('d i i i i', 'lists', { word: 'effects' }),
  transform_effect: feature('d i d i i', 'lists', { word: 'effects' }),
  other_effects: feature('i i o i i', 'lists', { word: 'effects' }),

  missing_property: flaw('f f o o o', 'missing_property'),
  bad_keyframes: flaw('f f o o o', 'bad_keyframes'),
  bad_path: flaw('f f i i i', 'bad_path'),
  no_frames: flaw('i i i i i', 'no_frames'),
  missing_asset: flaw('f f i i i', 'missing_asset'),
  endless_nesting: flaw('f f o o f', 'endless_nesting'),
  deep_nesting: flaw('o o f o o', 'deep_nesting', 'heavy'),
  dash_without_name: flaw('f d d d d', 'dash_without_name'),
  dash_without_offset: flaw('o o o d d', 'dash_without_offset'),
  text_without_glyphs: flaw('o o i i o', 'text_without_glyphs'),
  remote_image: flaw('a a a a a', 'remote_image', 'remote'),
  /** Beside the file, where a page or a program looks for it: nothing is there. */
  missing_image: flaw('a a a a a', 'missing_image', 'remote'),
  /** Embedded, and not marked so. */
  unmarked_image: flaw('i i o o o', 'missing_image'),
  /** A name twice in one object: JSON.parse takes the last, another parser may take the first. */
  duplicate_keys: row('d d u u u', 'parsers', { verdict: 'differs' }, false),
  remote_font: row('a a i i i', 'parsers', { verdict: 'remote' }, false),

  large_canvas: limit('s s s s s'),
  high_frame_rate: limit('s s s s s'),
  long: limit('s s s s s'),
  large_file: limit('s s s s s'),
  /** Not looked through to the end: only what stands at its head is known. */
  too_large: limit('u u u u u'),
  too_deep: limit('u u u u u'),
  too_many_values: limit('u u u u u'),
  too_many_layers: limit('u u u u u'),
  infinite_number: limit('u u u u u'),
  too_costly: limit('u u u u u'),
} as const satisfies Readonly<Record<string, Row>>;

export type Code = keyof typeof FEATURES;

/** What the table says of a code. */
export function rowOf(code: Code): Row {
  return FEATURES[code];
}

/** What a file that has it is at best. */
export function verdictFor(code: Code): Verdict {
  const { verdict, players } = rowOf(code);
  return verdict ?? (Object.values(players).every((effect) => effect === 'drawn') ? 'clean' : 'differs');
}
