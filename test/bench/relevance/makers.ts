// npm run bench:relevance -- --makers [--worst]: the judged sets of test/golden/makers over the shipped catalogue, even and
// odd lines apart. A picture fits when its title, without the number of the drawing, was judged to fit.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openCatalogue } from '../../../src/catalogue/catalogue.js';
import { DATA_FOLDER } from '../../../src/config/config.js';
import { openSvcd, type Svcd } from './svcd.js';

const SETS = ['queries', 'names', 'english', 'nothing'] as const;
const FOLDER = new URL('../../golden/makers/', import.meta.url);
const SEEN = 6;
const FIRST = 3;
/** Below it the best of the first three is called weak. */
const WEAK = 0.5;
const SHOWN_WORST = 20;

interface Judged {
  readonly q: string;
  readonly fits: readonly string[];
}

interface JudgedCopy {
  readonly text: string;
  readonly scenes: readonly { readonly scene: string; readonly fits: readonly string[] }[];
  /** What fits the text and shows none of its scenes. */
  readonly also?: readonly string[];
}

interface Row {
  readonly asked: string;
  readonly titles: readonly string[];
  /** What is averaged, by its name. */
  readonly figures: Readonly<Record<string, number>>;
  /** Of queries only: whether the answer was called weak, where fit is told. */
  readonly weak?: boolean;
}

/** Runs all sets and says their figures and, if wanted, the worst answers. */
export function describeMakers(worst: boolean): string {
  const entries = [...openCatalogue(join(DATA_FOLDER, 'catalogue')).entries()].map((entry) => ({
    ...entry,
    source: 'catalogue',
  }));
  const titles = new Map(entries.map(({ preset, title }) => [preset, title]));
  const known = new Set(entries.map(({ title }) => withoutNumber(title)));
  const svcd = openSvcd(entries);
  try {
    const titlesOf = (presets: readonly string[]) =>
      presets.slice(0, SEEN).map((preset) => withoutNumber(titles.get(preset) ?? preset));
    const sets = SETS.map((name) => [name, read<Judged>(name).map((one) => judgeQuery(one, svcd, titlesOf))] as const);
    const copies = read<JudgedCopy>('copies').map((copy) => judgeCopy(copy, titlesOf(svcd.match(copy.text))));
    const strange = SETS.flatMap((name) => read<Judged>(name))
      .flatMap(({ fits }) => fits)
      .filter((title) => !known.has(title));
    const parts = [
      ...sets.filter(([name]) => name !== 'nothing').map(([name, rows]) => say(name, rows)),
      say('copies', copies),
      sayWeak(sets.flatMap(([, rows]) => rows)),
      ...(strange.length > 0 ? [`not in the catalogue: ${strange.join(' ')}`] : []),
      ...(worst ? [...sets, ['copies', copies] as const].map(([name, rows]) => sayWorst(name, rows)) : []),
    ];
    return parts.join('\n');
  } finally {
    svcd.close();
  }
}

function judgeQuery({ q, fits }: Judged, svcd: Svcd, titlesOf: (presets: readonly string[]) => string[]): Row {
  const { presets, fit } = svcd.searchWithFit(q);
  const titles = titlesOf(presets);
  const fitting = titles.filter((title) => fits.includes(title));
  const hit = titles.slice(0, FIRST).some((title) => fits.includes(title));
  return {
    asked: q,
    titles,
    figures: { 'hit@3': Number(hit), 'fitting of 6': fitting.length / Math.max(1, titles.length) },
    ...(fit === undefined ? {} : { weak: Math.max(0, ...fit.slice(0, FIRST)) < WEAK }),
  };
}

function judgeCopy({ text, scenes, also = [] }: JudgedCopy, titles: readonly string[]): Row {
  const shown = scenes.filter(({ fits }) => titles.some((title) => fits.includes(title)));
  const all = new Set([...also, ...scenes.flatMap(({ fits }) => fits)]);
  const different = new Set(titles.map(pictureOf));
  const fitting = new Set(titles.filter((title) => all.has(title)).map(pictureOf));
  return {
    asked: text,
    titles,
    figures: {
      scenes: shown.length / scenes.length,
      'different of 6': different.size,
      'different fitting': fitting.size,
    },
  };
}

/** One picture whatever its number, sex or members; flags and keys are named after the colon. */
function pictureOf(title: string): string {
  return /^(?:旗|按键):/.test(title) ? title : title.replace(/[:：].*/, '').replace(/^[男女](?:生|人)?(?=..)/, '');
}

function withoutNumber(title: string): string {
  return title.replace(/(?<=\D)\d+$/, '').trim();
}

function say(name: string, rows: readonly Row[]): string {
  const halves = [rows, rows.filter((_, at) => at % 2 === 0), rows.filter((_, at) => at % 2 === 1)];
  const cells = Object.keys(rows[0]?.figures ?? {}).map(
    (figure) => `${figure} ${halves.map((half) => mean(half.map(({ figures }) => figures[figure] ?? 0))).join(' / ')}`,
  );
  return `${name} (${rows.length}; all / even / odd): ${cells.join(', ')}`;
}

/** Of what was called weak how much has nothing that fits among the first three, and of that how much was called so. */
function sayWeak(rows: readonly Row[]): string {
  if (rows.every(({ weak }) => weak === undefined)) return 'weak: not told';
  const halves = [rows, rows.filter((_, at) => at % 2 === 0), rows.filter((_, at) => at % 2 === 1)].map((half) => {
    const bad = half.filter(({ figures }) => figures['hit@3'] === 0);
    const weak = half.filter((row) => row.weak);
    const right = weak.filter(({ figures }) => figures['hit@3'] === 0);
    return `${weak.length} of ${half.length} called weak, precision ${share(right, weak)}, recall ${share(right, bad)}`;
  });
  return `weak: ${halves.join('; ')}`;
}

function sayWorst(name: string, rows: readonly Row[]): string {
  const worth = ({ figures }: Row) => Object.values(figures).reduce((sum, one) => sum + one, 0);
  const worst = rows.toSorted((a, b) => worth(a) - worth(b)).slice(0, SHOWN_WORST);
  return [`worst of ${name}:`, ...worst.map(({ asked, titles }) => `  ${asked}: ${titles.join(' | ')}`)].join('\n');
}

function share(part: readonly Row[], of: readonly Row[]): string {
  return of.length === 0 ? '-' : (part.length / of.length).toFixed(3);
}

function mean(values: readonly number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length)).toFixed(3);
}

function read<T>(name: string): T[] {
  const lines = readFileSync(new URL(`${name}.jsonl`, FOLDER), 'utf8')
    .trimEnd()
    .split('\n');
  return lines.map((line) => JSON.parse(line) as T);
}
