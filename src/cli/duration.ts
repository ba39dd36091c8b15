// Lengths of time as people say them.

import { counted } from './output.js';

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

/** A span in its largest unit: `3 minutes`. */
export function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  return counted(Math.floor(seconds / length), unit);
}
