// Putting a package on disk: as a folder, or zipped into one file. Both are named `.motion`.

import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { motionFiles, type MotionFiles } from './motion-package.js';

export interface MotionPackage {
  /** `name@version`. */
  readonly template: string;
  /** Written into `service.key.json`. */
  readonly key: string;
  readonly folder: string;
  readonly form: 'folder' | 'zip';
}

/** The earliest time a ZIP file can tell: the same files give the same bytes. */
const ZIP_TIME = '1980-01-02T00:00:00Z';

/** Writes `name@version.motion` into a folder, which is made if need be, and returns its path. */
export async function writeMotionPackage({ template, key, folder, form }: MotionPackage): Promise<string> {
  const files = motionFiles(template, key);
  const target = join(folder, `${template}.motion`);
  await mkdir(folder, { recursive: true });
  // A Key is for its owner's eyes.
  if (form === 'zip') await writeFile(target, zipMotionFiles(files), { mode: 0o600 });
  else await writeFolder(target, files);
  return target;
}

/** The files of a package as one ZIP file. */
function zipMotionFiles(files: MotionFiles): Uint8Array {
  const entries = Object.entries(files).map(([path, text]) => [path, strToU8(text)]);
  return zipSync(Object.fromEntries(entries) as Record<string, Uint8Array>, { mtime: ZIP_TIME });
}

async function writeFolder(target: string, files: MotionFiles): Promise<void> {
  for (const [path, text] of Object.entries(files)) {
    const file = join(target, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { mode: 0o600 });
  }
}
