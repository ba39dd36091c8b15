// Colours, on terminals that may have them.

import { refusesColour } from '../config.js';

export interface Paint {
  readonly coloured: boolean;
  strong(this: void, text: string): string;
  faint(this: void, text: string): string;
  /** A block of this colour (`#rrggbb`); the colour's name where there are no colours. */
  swatch(colour: string | undefined): string;
}

/** The paint for stdout: colours only on a terminal, and never when NO_COLOR is set. */
export function openPaint(): Paint {
  const coloured = process.stdout.isTTY && !refusesColour();
  const style = (code: number) => (text: string) =>
    coloured && text !== '' ? `\u001B[${code}m${text}\u001B[0m` : text;
  return { coloured, strong: style(1), faint: style(2), swatch: (colour) => swatch(colour, coloured) };
}

function swatch(colour: string | undefined, coloured: boolean): string {
  const [, red = '', green = '', blue = ''] = /^#(\w\w)(\w\w)(\w\w)$/.exec(colour ?? '') ?? [];
  if (red === '' || !coloured) return red === '' ? '' : `#${red}${green}${blue}`;
  const parts = [red, green, blue].map((part) => Number.parseInt(part, 16));
  return `\u001B[48;2;${parts.join(';')}m  \u001B[0m`;
}
