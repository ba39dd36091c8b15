// Where this svcd is installed: the folder of its package.json, with data/ and dist/ in it. The source lies deeper
// below it than the bundle does, so the folder is searched upwards.

import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Put in by bin/build.js: the commit that it built from, null where it found no git; not there in the source. */
declare const SVCD_COMMIT: string | null | undefined;

/** Address of the folder; ends with a slash. */
export const INSTALLATION = findInstallation(new URL('./', import.meta.url));

function findInstallation(folder: URL): URL {
  const above = new URL('../', folder);
  if (existsSync(new URL('package.json', folder)) || above.href === folder.href) return folder;
  return findInstallation(above);
}

const manifest = JSON.parse(readFileSync(new URL('package.json', INSTALLATION), 'utf8')) as { version: string };

/** The version of this svcd, from its package.json. */
export const VERSION = manifest.version;

/** The commit that this svcd was built from, `…-dirty` with changes to it; null where nobody can tell. */
export const COMMIT: string | null = typeof SVCD_COMMIT === 'string' ? SVCD_COMMIT : null;

/** How npm installed the svcd in this folder, as the options that make it work there again. */
export interface Installed {
  readonly how: 'clone' | 'global' | 'project';
  /** ` -g --prefix DIR`, ready for a shell. */
  readonly options: string;
}

/** Looks at the folders above: below npm's global folder no package.json stands, in a project (npx makes one) it does. */
export function howInstalled(installation = fileURLToPath(INSTALLATION)): Installed {
  const [above] = installation.split(/[/\\]node_modules[/\\]/, 1);
  const folder = (above ?? installation).replace(/[/\\]$/, '');
  if (above === installation) return { how: 'clone', options: prefixOption(folder) };
  if (existsSync(join(folder, 'package.json'))) return { how: 'project', options: prefixOption(folder) };
  // npm keeps global packages in PREFIX/lib/node_modules, on Windows in PREFIX/node_modules.
  const prefix = basename(folder) === 'lib' ? dirname(folder) : folder;
  return { how: 'global', options: ` -g${prefixOption(prefix)}` };
}

/** The command that installs svcd again, with all that it needs, where it is installed. */
export function reinstallCommand({ how, options } = howInstalled()): string {
  return how === 'clone' ? `npm ci${options}` : `npm install${options} svcd`;
}

function prefixOption(folder: string): string {
  return ` --prefix ${/^[\w@%+=:,./\\-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", String.raw`'\''`)}'`}`;
}

const MAIN = new URL('dist/main.js', INSTALLATION);

let known: { readonly build: string; readonly stamp: string } | undefined;

/**
 * Which build of that version this is: the program's first file imports another whose name is a digest of all files
 * (bin/build/join-chunks.js). As it was when this was first asked for, which a daemon does as it starts.
 */
export function buildOf(): string {
  known ??= { build: buildNow(), stamp: stampNow() };
  return known.build;
}

/** Whether other files lie now where this process was loaded from: svcd was updated, built anew or removed. */
export function isReplaced(): boolean {
  return known !== undefined && stampNow() !== known.stamp && buildNow() !== known.build;
}

function stampNow(): string {
  const stat = statSync(MAIN, { throwIfNoEntry: false });
  return stat === undefined ? 'none' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`;
}

function buildNow(): string {
  try {
    return /chunk-(\w+)\.js/.exec(readFileSync(MAIN, 'latin1'))?.[1] ?? 'none';
  } catch {
    // Not built, or gone.
    return 'none';
  }
}
