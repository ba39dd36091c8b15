// The licences of the packages that are built in, which have to go with every copy.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages that these source files belong to, in order. */
export function packageFolders(files) {
  return new Set(files.toSorted().map(packageFolder).filter(Boolean));
}

/** The text of `LICENCES.txt` for the packages in these folders. Throws when one ships no licence. */
export function licencesOf(root, folders) {
  const texts = new Set(Array.from(folders, (folder) => licenceOf(join(root, folder))));
  return `svcd contains parts of these packages.\n\n${[...texts].join('\n\n')}`;
}

/** `node_modules/a/node_modules/b` of a file in there. */
function packageFolder(file) {
  return /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  if (file === undefined) throw new Error(`${name} ships no licence; it must not be built in`);
  const line = '-'.repeat(72);
  return `${line}\n${name} ${version} (${license})\n${line}\n\n${readFileSync(join(folder, file), 'utf8').trim()}\n`;
}
