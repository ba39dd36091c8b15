// Original drawings for scenes that no set has a plain picture of, and the placeholder of last resort. SVG
// elements, so that they take the same road as all other art.

import type { Art } from '../../catalogue/build/art.js';
import { INTERFACE_DRAWINGS } from './interface-drawings.js';

const round = (value: number): number => Math.round(value * 100) / 100;

/** A star-shaped seal: `points` tips between two radii around a middle. */
function seal(points: number, middle: number, inner: number, outer: number): string {
  const corners = Array.from({ length: points * 2 }, (_, i) => {
    const angle = (i * Math.PI) / points;
    const radius = i % 2 === 0 ? outer : inner;
    return `${round(middle + radius * Math.sin(angle))} ${round(middle - radius * Math.cos(angle))}`;
  });
  return `M${corners.join('L')}Z`;
}

const stroke = (color: string, width: number): string =>
  `fill="none" stroke="${color}" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round"`;

const arrow = (color: string, shade: string): string =>
  `<path fill="${shade}" d="M4 13a3 3 0 0 1 3-3h30V5.5a2.5 2.5 0 0 1 4.1-1.9l18 13.5a2.5 2.5 0 0 1 0 3.8l-18 13.5a2.5 2.5 0 0 1-4.1-1.9V28H7a3 3 0 0 1-3-3z"/>` +
  `<path fill="${color}" d="M6 13.5A1.5 1.5 0 0 1 7.5 12H39V7l17 12H6z"/>`;

const turned = (body: string, transform: string): string => `<g transform="${transform}">${body}</g>`;

const RED = arrow('#ff5a4f', '#e8362b');
const GREEN = arrow('#34d27b', '#17b35e');

const SALE =
  `<path fill="#ff3b30" d="${seal(14, 32, 25, 30)}"/><circle cx="32" cy="32" r="21" fill="#ff6a5e"/>` +
  `<circle cx="25" cy="25" r="4.5" ${stroke('#fff', 3.4)}/><circle cx="39" cy="39" r="4.5" ${stroke('#fff', 3.4)}/>` +
  `<path d="M41 22 23 42" ${stroke('#fff', 3.8)}/>`;

const COUNTDOWN =
  '<circle cx="32" cy="32" r="29" fill="#20243a"/>' +
  `<circle cx="32" cy="32" r="24" ${stroke('#4b5274', 4)}/>` +
  `<path d="M32 8a24 24 0 1 1-20.8 36" ${stroke('#ffb020', 4)}/>` +
  `<path d="M24 20.500h15L30.500 29.500c6 0 9.500 3 9.500 7.500 0 5-4 8-8.500 8-4 0-7-2-8.500-5" ${stroke('#fff', 4.5)}/>`;

const LOADING = Array.from({ length: 8 }, (_, i) => {
  const angle = (i * Math.PI) / 4;
  const [x, y] = [round(32 + 22 * Math.sin(angle)), round(32 - 22 * Math.cos(angle))];
  return `<circle cx="${x}" cy="${y}" r="${round(6 - i * 0.45)}" fill="#2f7cf6" opacity="${round(1 - i * 0.1)}"/>`;
}).join('');

const dot = (x: number, y: number): string => `<path fill="#1f2937" d="M${x} ${y}h6v6h-6z"/>`;
const finder = (x: number, y: number): string =>
  `<path fill="#1f2937" fill-rule="evenodd" d="M${x} ${y}h16v16h-16zM${x + 4} ${y + 4}v8h8v-8z"/>`;
const QR_CODE =
  '<rect x="4" y="4" width="56" height="56" rx="8" fill="#fff"/>' +
  [finder(10, 10), finder(38, 10), finder(10, 38)].join('') +
  [dot(29, 12), dot(29, 22), dot(30, 32), dot(40, 30), dot(48, 34), dot(38, 40), dot(46, 46), dot(32, 46)].join('') +
  `<path d="M4 32h56" ${stroke('#07c160', 3)}/>`;

const LIVE =
  '<rect x="2" y="2" width="92" height="36" rx="18" fill="#ff2e63"/><circle cx="22" cy="20" r="7" fill="#fff"/>' +
  `<path d="M37 12v16h8M52 12v16M58 12l6 16 6-16M84 12h-8v16h8M76 20h7" ${stroke('#fff', 4)}/>`;

const COUPON =
  '<path fill="#ff7a1a" d="M4 6a4 4 0 0 1 4-4h80a4 4 0 0 1 4 4v9a6 6 0 0 0 0 12v9a4 4 0 0 1-4 4H8a4 4 0 0 1-4-4v-9a6 6 0 0 0 0-12z"/>' +
  `<path d="M32 7v28" fill="none" stroke="#fff" stroke-width="2" stroke-dasharray="3 3"/>` +
  `<path d="m13 12 6 7 6-7M19 19v12M13 21h12M13 26h12" ${stroke('#fff', 2.6)}/>` +
  `<path d="M42 15h36M42 26h24" ${stroke('#ffe3c7', 4)}/>`;

const SPEECH =
  '<path fill="#2f9bff" d="M14 8h36a10 10 0 0 1 10 10v20a10 10 0 0 1-10 10H32L19 58a2 2 0 0 1-3-2v-8h-2A10 10 0 0 1 4 38V18A10 10 0 0 1 14 8z"/>' +
  [20, 32, 44].map((x) => `<circle cx="${x}" cy="28" r="4" fill="#fff"/>`).join('');

const CLOUD =
  '<path fill="#7cc4ff" d="M18 52a14 14 0 0 1-2-27.900A18 18 0 0 1 50 23a14.600 14.600 0 0 1-1 29z"/>' +
  '<path fill="#a9d9ff" d="M18 46a9 9 0 0 1 0-17h3a13 13 0 0 1 24-3 9 9 0 0 0-8 9c-6 0-8 11-19 11z"/>';

const PLAIN =
  '<rect x="6" y="6" width="52" height="52" rx="16" fill="#c9d2e0"/>' +
  '<rect x="13" y="13" width="38" height="38" rx="11" fill="#e3e9f2"/>' +
  '<circle cx="32" cy="32" r="8" fill="#aab6c8"/>';

const square = (body: string): Art => ({ body, width: 64, height: 64 });
const wide = (body: string): Art => ({ body, width: 64, height: 38 });
const tall = (body: string): Art => ({ body, width: 38, height: 64 });

/** The original drawings by name. */
export const DRAWINGS: Readonly<Record<string, Art>> = {
  ...INTERFACE_DRAWINGS,
  'arrow-right': wide(RED),
  'arrow-left': wide(turned(RED, 'matrix(-1 0 0 1 64 0)')),
  'arrow-up': tall(turned(GREEN, 'matrix(0 -1 1 0 0 64)')),
  'arrow-down': tall(turned(GREEN, 'matrix(0 1 1 0 0 0)')),
  sale: square(SALE),
  countdown: square(COUNTDOWN),
  loading: square(LOADING),
  speech: square(SPEECH),
  cloud: square(CLOUD),
  'qr-code': square(QR_CODE),
  live: { body: LIVE, width: 96, height: 40 },
  coupon: { body: COUPON, width: 96, height: 42 },
  plain: square(PLAIN),
};
