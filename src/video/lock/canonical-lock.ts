// The one way a lock is written: keys sorted by their UTF-16 units, two spaces, a newline at the end. The same choice gives
// the same bytes, whatever the order in which it was made.

import type { Lock } from '../../api/lock.js';

/** The text of a lock. */
export function canonicalLock(lock: Lock): string {
  return `${write(lock, '')}\n`;
}

// Not JSON.stringify for objects: JavaScript lists keys such as `10` before all others.
function write(value: unknown, indent: string): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const inner = `${indent}  `;
  if (Array.isArray(value))
    return enclose(
      '[',
      ']',
      indent,
      value.map((one) => inner + write(one, inner)),
    );
  const fields = Object.entries(value)
    .filter(([, one]) => one !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${inner}${JSON.stringify(key)}: ${write(one, inner)}`);
  return enclose('{', '}', indent, fields);
}

function enclose(open: string, close: string, indent: string, lines: readonly string[]): string {
  return lines.length === 0 ? open + close : `${open}\n${lines.join(',\n')}\n${indent}${close}`;
}
