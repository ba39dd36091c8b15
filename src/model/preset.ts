// The grammar of a preset: one rule for every door by which one comes in.

import { hasControlCharacters, lenientSegments } from './lenient-path.js';
import { isOwnName, MAX_PRESET_LENGTH, OWN_PREFIX } from './sticker.js';

/** Nearly all are like this; they are judged at once. */
const PLAIN = /^[\w-]+(?:\/[\w-]+)*$/;

/** They are addresses of the service beside its stickers: a sticker so called could not be asked for. */
const ROUTES = ['search', 'match'];

/**
 * Why a text is no preset; undefined when it is one. Any script, spaces and signs are allowed, and slashes between
 * segments: the service's presets are its own affair as far as every server reads their address alike.
 */
export function presetProblem(preset: string): string | undefined {
  if (preset.length <= MAX_PRESET_LENGTH && preset.includes('/') && PLAIN.test(preset)) return undefined;
  const characters = preset.length > 2 * MAX_PRESET_LENGTH ? preset.length : Array.from(preset).length;
  if (characters === 0 || characters > MAX_PRESET_LENGTH) return `must be 1 to ${MAX_PRESET_LENGTH} characters`;
  if (hasControlCharacters(preset)) return 'must not hold control characters';
  if (preset.split('/').some((segment) => segment.trim() === '')) return 'must not have an empty part between slashes';
  const segments = lenientSegments(preset);
  if (segments === undefined) return 'must not have "." or ".." as a part, nor percent-encoded control characters';
  if (segments.length === 1 && ROUTES.includes(segments[0] ?? '')) {
    return `must not be ${ROUTES.join(' or ')}, which are other addresses of the service`;
  }
  return undefined;
}

/** The same for a preset of the remote: `own/…` are the user's alone. */
export function remotePresetProblem(preset: string): string | undefined {
  return (
    presetProblem(preset) ??
    (isOwnName(preset) ? `must not begin with ${OWN_PREFIX}, which is kept for stickers of the user` : undefined)
  );
}
