// Registering a file of the user's as the default for a preset, or for every preset.

import { SvcdError } from '../errors.js';
import { lottieProblem } from '../purchases/check-lottie.js';
import type { RegisteredDefault, RegisteredDefaults } from '../purchases/registered-defaults.js';

export type RegisterDefault = (preset: string, bytes: Uint8Array) => Promise<RegisteredDefault>;

/** Registers a file as the default of a preset. Throws `invalid_request` unless it is a playable Lottie file. */
export function createRegisterDefault(registered: RegisteredDefaults): RegisterDefault {
  return async (preset, bytes) => {
    const problem = lottieProblem(bytes);
    if (problem !== undefined) throw notPlayable(problem);
    const { w, h } = JSON.parse(new TextDecoder().decode(bytes)) as { w: number; h: number };
    return registered.add(preset, bytes, { width: w, height: h });
  };
}

function notPlayable(problem: string): SvcdError {
  return new SvcdError('invalid_request', `the file is not a playable Lottie file: ${problem}`, {
    hint: 'Export the animation as Lottie JSON (not .lottie, GIF or video).',
  });
}
