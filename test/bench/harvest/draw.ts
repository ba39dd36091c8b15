// The curves as a picture: coverage by requests, and how far the estimate was from the truth.

import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import type { Point } from './curve.js';
import type { Vocabulary } from './stage.js';

const WIDE = 1000;
const HIGH = 380;
const LEFT = 70;
const TOP = 50;
const COLOURS: Record<Vocabulary, string> = { ours: '#1f6feb', foreign: '#d1600a' };
const ERROR_MAX = 0.3;

export type Curves = Partial<Record<Vocabulary, readonly Point[]>>;

/** Writes the picture as a PNG file. */
export async function drawPng(curves: Curves, size: number, file: string): Promise<void> {
  const executablePath = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const viewport = { width: WIDE + LEFT + 60, height: 2 * (HIGH + 110) };
    const page = await browser.newPage({ viewport });
    await page.setContent(`<body style="margin:0">${svgOf(curves, size, viewport)}</body>`);
    writeFileSync(file, await page.screenshot());
  } finally {
    await browser.close();
  }
}

function svgOf(curves: Curves, size: number, { width, height }: { width: number; height: number }): string {
  const most = Math.max(1, ...Object.values(curves).flatMap((points) => points.map(({ requests }) => requests)));
  const x = (requests: number) => LEFT + (WIDE * requests) / most;
  const part = (coverage: number) => TOP + HIGH * (1 - coverage);
  const second = TOP + HIGH + 110;
  const error = (wrong: number) =>
    second + (HIGH / 2) * (1 - Math.max(-ERROR_MAX, Math.min(ERROR_MAX, wrong)) / ERROR_MAX);
  const drawn = Object.entries(curves).flatMap(([name, points], i) => {
    const color = COLOURS[name as Vocabulary];
    const told = points.filter(({ estimate }) => estimate !== null);
    const wrongAt = (value: number | null) => error((value ?? 0) / size - 1);
    const half = points.find(({ coverage }) => coverage >= 0.5)?.requests ?? 0;
    return [
      line(
        points.map((point) => [x(point.requests), part(point.coverage)]),
        color,
        2,
      ),
      line(
        told.map((point) => [x(point.requests), wrongAt(point.estimate)]),
        color,
        2,
      ),
      line(
        told.map((point) => [x(point.requests), wrongAt(point.low)]),
        color,
        0.6,
      ),
      line(
        told.map((point) => [x(point.requests), wrongAt(point.high)]),
        color,
        0.6,
      ),
      line(
        [
          [x(half), second],
          [x(half), second + HIGH],
        ],
        color,
        0.6,
      ),
      text(LEFT + 120 * i, TOP - 14, name, color),
    ];
  });
  const axes = [
    ...[0, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1].map((mark) => grid(part(mark), `${mark * 100} %`)),
    ...[-0.3, -0.2, -0.1, -0.05, 0, 0.05, 0.1, 0.2, 0.3].map((mark) =>
      grid(error(mark), `${Math.round(mark * 100)} %`),
    ),
    ...Array.from({ length: 7 }, (_, i) => Math.round((most * i) / 6)).flatMap((mark) => [
      text(x(mark) - 12, TOP + HIGH + 18, String(mark)),
      text(x(mark) - 12, second + HIGH + 18, String(mark)),
    ]),
    text(LEFT + 300, TOP - 14, 'known of all stickers, by requests sent'),
    text(LEFT, second - 14, 'error of the estimate and its bounds; upright: half is known'),
  ];
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" style="background:#fff">${[...axes, ...drawn].join('')}</svg>`;
}

function line(points: readonly (readonly [number, number])[], color: string, width: number): string {
  const path = points.map(([x, y]) => `${x.toFixed(1)},${y.toFixed(1)}`).join(' ');
  return `<polyline points="${path}" fill="none" stroke="${color}" stroke-width="${width}"/>`;
}

function grid(y: number, label: string): string {
  return (
    line(
      [
        [LEFT, y],
        [LEFT + WIDE, y],
      ],
      '#ddd',
      1,
    ) + text(8, y + 4, label)
  );
}

function text(x: number, y: number, words: string, color = '#333'): string {
  return `<text x="${x}" y="${y}" font-family="sans-serif" font-size="13" fill="${color}">${words}</text>`;
}
