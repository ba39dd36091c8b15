// Owned files as one zip. It never buys: what is not here is refused, and nothing is left out in silence.

import { SvcdError } from '../../model/errors.js';
import { foldName } from '../../video/lock/name-files.js';
import { zipOf, type ZippedFile } from '../../platform/files/write-zip.js';
import { notOwned, type OwnedFiles } from './owned-files.js';

/** A zip of the files of these presets, under the names they would have in the folder. Throws `not_owned`. */
export type ZipOwned = (presets: readonly string[]) => AsyncGenerator<Uint8Array>;

export function createZipOwned(ownedFiles: OwnedFiles): ZipOwned {
  return (presets) => {
    const wanted = [...new Set(presets)];
    const missing = wanted.filter((preset) => !ownedFiles.has(preset));
    if (missing.length > 0) throw notOwned(missing);
    return zipOf(filesOf(ownedFiles, wanted));
  };
}

async function* filesOf(ownedFiles: OwnedFiles, presets: readonly string[]): AsyncGenerator<ZippedFile> {
  const names = new Set<string>();
  for (const preset of presets) {
    const file = await ownedFiles.read(preset);
    // The answer has begun: it breaks off, so that nobody takes it for whole.
    if (file === undefined) throw new SvcdError('damaged', `the file of ${JSON.stringify(preset)} is damaged`);
    let nth = 1;
    while (names.has(foldName(ownedFiles.nameOf(preset, nth)))) nth += 1;
    names.add(foldName(ownedFiles.nameOf(preset, nth)));
    yield { name: ownedFiles.nameOf(preset, nth), bytes: file.bytes };
  }
}
