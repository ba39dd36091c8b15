// A build of the program in a folder of the test's own that can be killed or held at any `await` of the purchase, and right
// before its first byte is written: each is numbered, and a file says at which, in which phase and at which passing the
// process gets its signal. Nothing of it is in src.

import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { build, transform, type Plugin } from 'esbuild';

const ROOT = join(import.meta.dirname, '..', '..', '..');
/** What takes part in a purchase: the rooms of money, and what speaks to the service for them. */
const FLOW = [
  ...['purchases', 'purchases/postgres', 'platform/postgres'].flatMap(filesOf),
  ...['exchange', 'with-rate-limit', 'with-resend'].map((name) => `src/upstream/${name}.ts`),
];
/** Of the rooms of money, what only carries things in and out. */
const OUTSIDE = /\/(owned-carrier|own-stickers|collections|owned-backup)\.ts$/;
const RUNTIME = 'svcd-stops';
/** After the last look at the clock, in src/upstream/exchange.ts; no `await` is there. */
export const FIRST_BYTE = 'return socket.write(';

/** Before the awaited call is made; when it is made and nothing has come of it; when it has ended and nothing followed. */
export type Phase = 'before' | 'begun' | 'after';

export interface Site {
  readonly number: number;
  readonly file: string;
  readonly text: string;
}

export interface StoppingProgram {
  /** In place of bin/svcd.js. */
  readonly program: string;
  /** Every `await` of the purchase. */
  readonly sites: readonly Site[];
  remove(): void;
}

/** Where a process ends: at the n-th passing of a site, counted from when this was written. */
export interface Stop {
  readonly site: number;
  readonly phase: Phase;
  readonly nth: number;
}

/** Builds it from src; dist must be there, for the files that are made beside it. */
export async function buildStoppingProgram(): Promise<StoppingProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-stops-'));
  cpSync(join(ROOT, 'dist'), join(folder, 'dist'), { recursive: true });
  mkdirSync(join(folder, 'bin'));
  for (const file of ['bin/svcd.js', 'package.json']) cpSync(join(ROOT, file), join(folder, file));
  for (const one of ['data', 'node_modules']) symlinkSync(join(ROOT, one), join(folder, one));
  const { sites, marked } = await numberAwaits();
  await build({
    absWorkingDir: ROOT,
    entryPoints: ['src/cli/main.ts'],
    outdir: join(folder, 'dist'),
    chunkNames: 'stops-[hash]',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    external: ['better-sqlite3', 'better-sqlite3-12', 'keytar', 'pg-native'],
    define: { SVCD_COMMIT: '"stops"' },
    alias: { 'string-width': './bin/build/string-width.js' },
    banner: {
      js: "import{createRequire as requireFrom}from'node:module';const require=requireFrom(import.meta.url);",
    },
    logLevel: 'error',
    plugins: [withMarks(marked)],
  });
  return {
    program: join(folder, 'bin', 'svcd.js'),
    sites,
    remove: () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }),
  };
}

function filesOf(room: string): string[] {
  const folder = join(ROOT, 'src', room);
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.ts')) : [];
  return names.toSorted().map((name) => `src/${room}/${name}`);
}

/**
 * Async functions become generators, as for a Node.js without them: what was `await` is `yield` then, at which a driver of
 * our own stands. `yield` binds weaker than all else, so esbuild has put brackets around it wherever something follows.
 */
async function numberAwaits(): Promise<{ sites: Site[]; marked: Map<string, string> }> {
  const sites: Site[] = [];
  const marked = new Map<string, string>();
  for (const file of FLOW.filter((one) => !OUTSIDE.test(one))) {
    const lowered = await transform(readFileSync(join(ROOT, file), 'utf8'), {
      loader: 'ts',
      target: 'node20.19',
      supported: { 'async-await': false },
    });
    const mark = (text: string) => {
      sites.push({ number: sites.length, file, text: text.trim() });
      return `yield __before(${sites.length - 1}) ? 0 : `;
    };
    const lines = lowered.code.replace(/^var __async = /m, 'var __unused = ').split('\n');
    const numbered = lines.map((line) => {
      if (!line.includes(FIRST_BYTE)) return line.replace(/\byield (?!\*)/g, () => mark(line));
      sites.push({ number: sites.length, file, text: line.trim() });
      return `__pass(${sites.length - 1}, 'before'); ${line}`;
    });
    const imported = `import { before as __before, drive as __async, pass as __pass } from '${RUNTIME}';`;
    marked.set(join(ROOT, file), [imported, ...numbered].join('\n'));
  }
  return { sites, marked };
}

function withMarks(marked: ReadonlyMap<string, string>): Plugin {
  return {
    name: 'with-marks',
    setup: (esbuild) => {
      esbuild.onResolve({ filter: new RegExp(`^${RUNTIME}$`) }, () => ({ path: RUNTIME, namespace: RUNTIME }));
      esbuild.onLoad({ filter: /.*/, namespace: RUNTIME }, () => ({
        contents: DRIVER,
        loader: 'js',
        resolveDir: ROOT,
      }));
      esbuild.onLoad({ filter: /\/src\/.*\.ts$/ }, ({ path }) => {
        const contents = marked.get(path);
        return contents === undefined ? undefined : { contents, loader: 'js' };
      });
    },
  };
}

const DRIVER = `
import { appendFileSync, readFileSync } from 'node:fs';
const { SVCD_TEST_STOP: ORDER, SVCD_TEST_STOP_LOG: LOG } = process.env;
let frame;
let counted = new Map();
let order = '';
export function pass(site, phase) {
  if (ORDER === undefined || site === undefined) return;
  let wanted = '';
  try { wanted = readFileSync(ORDER, 'utf8'); } catch { /* It is left alone. */ }
  if (wanted !== order) counted = new Map();
  order = wanted;
  if (order === '') return;
  const name = site + ' ' + phase;
  const nth = (counted.get(name) ?? 0) + 1;
  counted.set(name, nth);
  if (order.endsWith(': record')) appendFileSync(LOG, name + ' ' + nth + '\\n');
  else if (order.includes(': ' + name + ' ' + nth + ' SIG')) process.kill(process.pid, order.split(' ').at(-1));
}
export function before(site) {
  if (frame !== undefined) frame.site = site;
  pass(site, 'before');
}
export function drive(self, args, generator) {
  return new Promise((resolve, reject) => {
    const steps = generator.apply(self, args);
    const mine = { site: undefined };
    const go = (how, value) => {
      const outer = frame;
      frame = mine;
      let step;
      try { step = steps[how](value); } catch (error) { return reject(error); } finally { frame = outer; }
      if (step.done) return resolve(step.value);
      const { site } = mine;
      pass(site, 'begun');
      const then = (next) => (got) => { pass(site, 'after'); go(next, got); };
      Promise.resolve(step.value).then(then('next'), then('throw'));
    };
    go('next');
  });
}
`;

/** The orders of one process: what it is to do at the sites it passes. */
export interface Orders {
  readonly env: Readonly<Record<string, string>>;
  /** From now on it notes what it passes; nothing ends it. */
  record(): void;
  /** From now on it counts, and ends there, or gets this signal. */
  stopAt(stop: Stop, signal?: NodeJS.Signals): void;
  /** From now on nothing ends it. */
  leaveAlone(): void;
  /** What was passed since `record`, in order. */
  passed(): Stop[];
}

/** Orders that lie in this folder. */
export function openOrders(folder: string): Orders {
  const [file, log] = [join(folder, 'stop'), join(folder, 'stop.log')];
  let given = 0;
  // Numbered, so that the same order once more begins to count anew.
  const give = (order: string) => writeFileSync(file, `${(given += 1)}: ${order}`);
  return {
    env: { SVCD_TEST_STOP: file, SVCD_TEST_STOP_LOG: log },
    record: () => {
      rmSync(log, { force: true });
      give('record');
    },
    stopAt: ({ site, phase, nth }, signal = 'SIGKILL') => give(`${site} ${phase} ${nth} ${signal}`),
    leaveAlone: () => rmSync(file, { force: true }),
    passed: () => {
      if (!readdirSync(folder).includes(basename(log))) return [];
      const lines = readFileSync(log, 'utf8').split('\n').slice(0, -1);
      return lines.map((line) => {
        const [site, phase, nth] = line.split(' ');
        return { site: Number(site), phase: phase as Phase, nth: Number(nth) };
      });
    },
  };
}
