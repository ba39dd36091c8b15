// A slot of a template: what the user asks for at one place of a video, as `copy.json` and `POST /svcd/plan` write it.

import * as v from 'valibot';
import { describe, text } from '../contract/json-body.js';
import { IMAGE_SIZES, MATCH_TEXT_MAX, PROMPT_MAX } from '../contract/limits.js';
import { MUSIC_WORD_MAX, trackId } from '../contract/music.js';
import { matchKeywords } from '../contract/requests.js';
import { readWish, WISHES } from '../model/color-wish.js';
import { presetProblem } from '../model/preset.js';
import { MAX_PRESET_LENGTH } from '../model/sticker.js';

export const SLOTS_MAX = 50;
const NOT_BLANK = { pattern: '\\S' };
const ASPECT_MAX = 100;
const DURATION_MAX_S = 3600;
const COLOR_MAX = 1000;

/** What a slot is called: it becomes a key of the lock. */
export const slotId = v.pipe(
  v.string(),
  v.regex(
    /^[\p{L}\p{N}][\p{L}\p{N}._-]{0,63}$/u,
    (issue) =>
      `must be 1 to 64 letters, digits, dots, dashes or underscores, and begin with a letter or digit, got ${describe(issue.input)}`,
  ),
  // Readers of JSON in JavaScript drop keys of these names.
  v.check(
    (value) => value !== 'constructor' && value !== 'prototype',
    (issue) => `must be another name than ${describe(issue.input)}`,
  ),
);

/** No empty part, no control characters, no "." or ".." as a part; what is percent-encoded only svcd sees through. */
const PRESET_FORM = '^(?!\\s*(/|$)|.*/\\s*(/|$)|(search|match)$|(.*/)?\\.\\.?(/|$))[^\\u0000-\\u001f\\u007f-\\u009f]+$';

/** A preset of the service, of svcd's own, or of the user's own. */
export const presetText = v.pipe(
  v.string(),
  v.check(
    (value) => presetProblem(value) === undefined,
    (issue) => `${presetProblem(issue.input) ?? 'is not a preset'}, got ${describe(issue.input)}`,
  ),
  v.metadata({ json: { minLength: 1, maxLength: MAX_PRESET_LENGTH, pattern: PRESET_FORM } }),
);

function above0(max: number) {
  const refusal = (issue: { input: number }) => `must be more than 0 and at most ${max}, got ${issue.input}`;
  return v.pipe(v.number(), v.gtValue(0, refusal), v.maxValue(max, refusal));
}

/** What only music takes. */
const MUSICAL = ['purpose', 'mood', 'style', 'duration_s', 'track', 'optional'] as const;

const given = (name: string, form = {}) => ({ required: [name], properties: { [name]: form } });

/** The checks of a slot in the words of JSON Schema. */
function imageJson() {
  return {
    title: 'An image',
    required: ['prompt', 'size'],
    properties: { want: { const: 'image' }, prompt: NOT_BLANK, size: {} },
    not: { anyOf: ['text', 'keywords', 'preset', 'color', ...MUSICAL].map((name) => given(name)) },
  };
}

function musicJson() {
  const others = ['text', 'keywords', 'preset', 'prompt', 'size', 'aspect', 'max_duration_s', 'color'];
  return { title: 'Music', ...given('want', { const: 'music' }), not: { anyOf: others.map((name) => given(name)) } };
}

function stickerJson() {
  return {
    title: 'A sticker',
    properties: { want: { const: 'sticker' } },
    anyOf: [given('text', NOT_BLANK), given('keywords', { contains: NOT_BLANK }), given('preset')],
    not: { anyOf: [...['prompt', ...MUSICAL].map((name) => given(name)), { ...given('size'), not: given('want') }] },
  };
}

const slot = v.pipe(
  v.strictObject({
    id: slotId,
    /** A sticker if not given, or an image where there is a prompt. */
    want: v.exactOptional(v.picklist(['sticker', 'image', 'music'])),
    /** The copy that a sticker has to fit. */
    text: v.exactOptional(text(MATCH_TEXT_MAX)),
    keywords: v.exactOptional(matchKeywords),
    /** This very sticker. */
    preset: v.exactOptional(presetText),
    /** Width divided by height that suits the slot. */
    aspect: v.exactOptional(above0(ASPECT_MAX)),
    max_duration_s: v.exactOptional(above0(DURATION_MAX_S)),
    /** In other colors. */
    color: v.exactOptional(
      v.pipe(
        text(COLOR_MAX),
        v.check(
          (typed) => readWish(typed) !== undefined,
          (issue) => `must be ${WISHES}, got ${describe(issue.input)}`,
        ),
      ),
    ),
    prompt: v.exactOptional(text(PROMPT_MAX)),
    size: v.exactOptional(v.picklist(IMAGE_SIZES)),
    /** Of music, in the words that the service has for them. */
    purpose: v.exactOptional(text(MUSIC_WORD_MAX)),
    mood: v.exactOptional(text(MUSIC_WORD_MAX)),
    style: v.exactOptional(text(MUSIC_WORD_MAX)),
    /** How long it should last. */
    duration_s: v.exactOptional(above0(DURATION_MAX_S)),
    /** This very track. */
    track: v.exactOptional(trackId),
    /** Whether the slot is left out where there is no music for it. */
    optional: v.exactOptional(v.boolean()),
  }),
  v.check(
    (one) =>
      one.want === 'music'
        ? Object.keys(one).every((name) => ['id', 'want', ...MUSICAL].includes(name))
        : MUSICAL.every((name) => one[name] === undefined),
    'music needs "want": "music", and takes purpose, mood, style, duration_s, track and optional alone',
  ),
  v.check(
    ({ want, prompt, size }) => want === 'sticker' || (prompt === undefined) === (size === undefined),
    'an image needs prompt and size',
  ),
  v.check(
    ({ want, prompt, text: copy, keywords, preset }) =>
      want === 'music' ||
      ((want ?? (prompt === undefined ? 'sticker' : 'image')) === 'image'
        ? (prompt ?? '').trim() !== '' && copy === undefined && keywords === undefined && preset === undefined
        : prompt === undefined &&
          (preset !== undefined || [copy ?? '', ...(keywords ?? [])].some((one) => one.trim() !== ''))),
    'a sticker needs text, keywords or preset, an image needs prompt and size, and no slot is both',
  ),
  v.check(({ prompt, color }) => prompt === undefined || color === undefined, 'only a sticker takes a color'),
  v.metadata({ json: { oneOf: [imageJson(), stickerJson(), musicJson()] } }),
);
export type Slot = v.InferOutput<typeof slot>;

/** 1 to 50 slots with ids that differ. */
export const slots = v.pipe(
  v.array(slot),
  v.check(
    (all) => all.length >= 1 && all.length <= SLOTS_MAX,
    (issue) => `has ${issue.input.length} entries, 1 to ${SLOTS_MAX} are allowed`,
  ),
  v.check(
    (all) => new Set(all.map(({ id }) => id)).size === all.length,
    (issue) => `names the slot ${describe(findTwice(issue.input))} twice`,
  ),
  v.metadata({ json: { minItems: 1, maxItems: SLOTS_MAX } }),
);

/** What a user writes: `copy.json`. */
export const copySchema = v.strictObject({ $schema: v.exactOptional(v.string()), slots });
export type Copy = v.InferOutput<typeof copySchema>;

/** Whether a slot asks for a sticker. */
export function wantsSticker(one: Slot): boolean {
  return one.prompt === undefined && !wantsMusic(one);
}

/** Whether a slot asks for music. */
export function wantsMusic(one: Slot): boolean {
  return one.want === 'music';
}

/** Whether a slot asks for an image. */
export function wantsImage(one: Slot): one is Slot & { prompt: string; size: (typeof IMAGE_SIZES)[number] } {
  return one.prompt !== undefined;
}

function findTwice(all: readonly { id: string }[]): string | undefined {
  const ids = all.map(({ id }) => id);
  return ids.find((id, place) => ids.indexOf(id) !== place);
}
