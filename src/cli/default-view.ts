// Registered defaults as the daemon tells them and a person reads them.

import type { Input } from './input.js';

/** A default as GET /svcd/defaults/stickers tells it. */
export interface DefaultView {
  /** A preset, or `*` for every preset. */
  readonly preset: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
  readonly size_bytes: number;
  readonly added_at: string;
}

/** Path of what is registered for the preset that was typed. */
export function defaultPath(input: Input): string {
  return `/svcd/defaults/stickers/${encodeURIComponent(input.word('preset'))}`;
}

/** A preset, or what the star stands for. */
export function presetName(preset: string): string {
  return preset === '*' ? 'every preset' : preset;
}
