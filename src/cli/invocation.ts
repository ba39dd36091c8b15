// How the user called svcd, so that what we print can be pasted.

import { basename, relative } from 'node:path';

/** `svcd`, or the way to the script when it was started from a checkout. */
export function howToCall(): string {
  const script = process.argv[1] ?? 'svcd';
  if (basename(script) === 'svcd') return 'svcd';
  const path = relative(process.cwd(), script);
  return `node ${path.includes(' ') ? JSON.stringify(path) : path}`;
}
