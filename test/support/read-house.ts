// Reads the imports of src/ as text, and says which of them the rules of src/README.md forbid.

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';

/** Rooms from the outermost to the innermost. A room may import every later group and none of its own. */
export const GROUPS: readonly (readonly string[])[] = [
  ['cli'],
  ['daemon'],
  ['hub'],
  ['operations', 'mcp'],
  ['http', 'video', 'sandbox', 'picker', 'client'],
  ['library', 'harvest', 'purchases', 'defaults', 'picture'],
  ['upstream', 'auth', 'catalogue'],
  ['api', 'contract', 'lottie', 'config', 'platform'],
  ['model'],
];

/** What else a room may import of its own group. */
const BESIDES: Record<string, readonly string[]> = {
  defaults: ['library'],
  harvest: ['library'],
  api: ['contract', 'platform'],
  contract: ['platform'],
  lottie: ['platform'],
  config: ['platform'],
};

/** Rooms that may import only what stands here. */
const ONLY: Record<string, readonly string[]> = {
  // A second reading of the contract: it shares no parser with the daemon.
  sandbox: ['platform', 'model', 'catalogue', 'picture'],
  // Other programs import it: the types of answers, and what finds a home's daemon; what it weighs is held by the build.
  client: ['api', 'platform'],
  // An assistant's tools: a client of the daemon like others.
  mcp: ['video', 'api', 'contract', 'platform', 'model'],
  // The browser loads it: of the daemon it knows shapes.
  picker: ['api'],
  // Finding never asks the remote.
  library: ['api', 'contract', 'lottie', 'config', 'platform', 'model', 'catalogue'],
};

/** The rooms inside the library, and what each may import of the others. library.ts and its neighbours wire them. */
const LIBRARY: Record<string, readonly string[]> = {
  packed: [],
  language: ['packed'],
  'search-index': ['language', 'packed'],
  query: ['search-index', 'language', 'packed'],
  storage: ['search-index', 'language', 'packed'],
};

export interface House {
  readonly files: readonly string[];
  /** Text of each file without comments. */
  readonly sources: ReadonlyMap<string, string>;
  readonly lines: ReadonlyMap<string, number>;
  readonly imports: readonly { readonly file: string; readonly target: string }[];
  /** Imports inside src, as files. */
  readonly links: readonly Link[];
}

export interface Link {
  readonly file: string;
  readonly other: string;
}

export function readHouse(src: string): House {
  const files = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file));
  const texts = new Map(files.map((file) => [file, readFileSync(join(src, file), 'utf8')]));
  const sources = new Map([...texts].map(([file, text]) => [file, withoutComments(text)]));
  const imports = files.flatMap((file) => importsOf(sources.get(file) ?? '').map((target) => ({ file, target })));
  const links = imports
    .filter(({ target }) => target.startsWith('.'))
    .map(({ file, target }) => ({ file, other: resolveImport(src, file, target) }));
  const lines = new Map([...texts].map(([file, text]) => [file, text.split('\n').length - 1]));
  return { files, sources, lines, imports, links };
}

/** The rooms that a room may import, besides itself. */
export function allowedRooms(room: string): readonly string[] {
  const group = GROUPS.findIndex((rooms) => rooms.includes(room));
  return ONLY[room] ?? [...GROUPS.slice(group + 1).flat(), ...(BESIDES[room] ?? [])];
}

export function wrongImports({ links }: Pick<House, 'links'>): string[] {
  return links
    .filter(({ file, other }) => !mayImport(file, other))
    .map(({ file, other }) => `${file} must not import ${other}`);
}

function mayImport(file: string, other: string): boolean {
  const [room, otherRoom] = [roomOf(file), roomOf(other)];
  if (room !== otherRoom) return allowedRooms(room).includes(otherRoom);
  if (room !== 'library') return true;
  const [inner, otherInner] = [libraryRoomOf(file), libraryRoomOf(other)];
  if (inner === undefined) return true;
  return inner === otherInner || (otherInner !== undefined && (LIBRARY[inner] ?? []).includes(otherInner));
}

export function roomOf(file: string): string {
  return file.slice(0, file.indexOf('/'));
}

/** `storage` of library/storage/x.ts; undefined for what lies in library/ itself. */
function libraryRoomOf(file: string): string | undefined {
  const [, inner, rest] = file.split('/');
  return rest === undefined ? undefined : inner;
}

/** Groups of files that import each other, each sorted. */
export function circlesOf(links: readonly Link[]): string[][] {
  const next = new Map<string, string[]>();
  for (const { file, other } of links) next.set(file, [...(next.get(file) ?? []), other]);
  const reach = (from: string): Set<string> => {
    const seen = new Set<string>();
    const open = [...(next.get(from) ?? [])];
    for (let file = open.pop(); file !== undefined; file = open.pop()) {
      if (seen.has(file)) continue;
      seen.add(file);
      open.push(...(next.get(file) ?? []));
    }
    return seen;
  };
  const reached = new Map([...next.keys()].map((file) => [file, reach(file)]));
  const inCircle = [...reached].filter(([file, all]) => all.has(file)).map(([file]) => file);
  const circles = inCircle.map((file) =>
    inCircle.filter((one) => reached.get(file)?.has(one) && reached.get(one)?.has(file)).toSorted(),
  );
  return [...new Map(circles.map((circle) => [circle.join(), circle])).values()];
}

function resolveImport(src: string, file: string, target: string): string {
  const path = relative(src, resolve(src, dirname(file), target)).replaceAll('\\', '/');
  const [plain, withMarkup] = ['.ts', '.tsx'].map((ending) => path.replace(/\.js$/, ending));
  return existsSync(join(src, withMarkup ?? '')) ? (withMarkup ?? '') : (plain ?? '');
}

function importsOf(source: string): string[] {
  const pattern = /(?:(?<!')\bfrom\s*|\bimport\s*\(\s*|^\s*import\s+|createRequire\([^)]*\)\(\s*)'([^'\n]+)'/gm;
  const found = [...source.matchAll(pattern)].map(([, target]) => target ?? '');
  // A manifest is data, not a module.
  return found.filter((target) => !target.endsWith('package.json'));
}

function withoutComments(source: string): string {
  return source.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}
