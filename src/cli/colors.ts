// Colors, on terminals that may have them.

import { refusesColor } from '../config/config.js';

export interface Paint {
  readonly colored: boolean;
  strong(this: void, text: string): string;
  faint(this: void, text: string): string;
  /** A block of this color (`#rrggbb`); the color's name where there are no colors. */
  swatch(color: string | undefined): string;
}

/** The paint for stdout: colors only on a terminal, and never when NO_COLOR is set. */
export function openPaint(): Paint {
  const colored = process.stdout.isTTY && !refusesColor();
  const style = (code: number) => (text: string) =>
    colored && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
  return { colored, strong: style(1), faint: style(2), swatch: (color) => swatch(color, colored) };
}

function swatch(color: string | undefined, colored: boolean): string {
  const [, red = '', green = '', blue = ''] = /^#(\w\w)(\w\w)(\w\w)$/.exec(color ?? '') ?? [];
  if (red === '' || !colored) return red === '' ? '' : `#${red}${green}${blue}`;
  const parts = [red, green, blue].map((part) => Number.parseInt(part, 16));
  return `\u001B[48;2;${parts.join(';')}m  \u001B[0m`;
}
