// Where a drawing comes from: the npm packages with the art, each read once and kept.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

/** A drawing as its package gives it: SVG elements without the outer `<svg>`, and the box they are drawn in. */
export interface Art {
  body: string;
  width: number;
  height: number;
}

interface IconifyIcon {
  body: string;
  width?: number;
  height?: number;
}
interface IconifySet {
  icons: Record<string, IconifyIcon>;
  width?: number;
  height?: number;
}
type Draw = (props: { theme: string }) => string;

const require = createRequire(import.meta.url);
const sets = new Map<string, IconifySet>();
let iconPark: Record<string, Draw> | undefined;

function iconifySet(name: string): IconifySet {
  let set = sets.get(name);
  if (set === undefined) {
    const file = require.resolve(`@iconify-json/${name}/icons.json`);
    set = JSON.parse(readFileSync(file, 'utf8')) as IconifySet;
    sets.set(name, set);
  }
  return set;
}

function iconifyArt(set: string, name: string): Art {
  const pack = iconifySet(set);
  const icon = pack.icons[name];
  if (icon === undefined) throw new Error(`No drawing ${name} in ${set}`);
  return {
    body: icon.body,
    width: icon.width ?? pack.width ?? 16,
    height: icon.height ?? pack.height ?? 16,
  };
}

function iconParkArt(theme: string, name: string): Art {
  iconPark ??= require('@icon-park/svg') as Record<string, Draw>;
  const draw = iconPark[name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase())];
  if (draw === undefined) throw new Error(`No drawing ${name} in IconPark`);
  const svg = draw({ theme });
  const box = /viewBox="0 0 ([\d.]+) ([\d.]+)"/.exec(svg);
  const body = /<svg[^>]*>(.*)<\/svg>/s.exec(svg)?.[1];
  if (box === null || body === undefined) throw new Error(`Unreadable drawing ${name} in IconPark`);
  // The outer element says fill="none", which its children inherit.
  return { body: `<g fill="none">${body}</g>`, width: Number(box[1]), height: Number(box[2]) };
}

/** The drawing `name` of a set of the catalogue; throws an Error when its package has none of that name. */
export function getArt(set: string, name: string): Art {
  const theme = /^iconpark-(.*)$/.exec(set)?.[1];
  return theme === undefined ? iconifyArt(set, name) : iconParkArt(theme, name);
}
