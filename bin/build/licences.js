// The licences of the packages that are built in, which have to go with every copy.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The folders of the packages that these source files belong to, in order. */
export function packageFolders(files) {
  return new Set(files.toSorted().map(packageFolder).filter(Boolean));
}

/** The text of `LICENCES.txt` for the packages in these folders. Throws when one ships no licence. */
export function licencesOf(root, folders) {
  const { name, version, license } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const texts = new Set(Array.from(folders, (folder) => licenceOf(join(root, folder))));
  const own = `${heading(name, version, license)}\n\n${MIT}\n`;
  return `${own}\n\nsvcd contains parts of these packages.\n\n${[...texts].join('\n\n')}`;
}

/** Of svcd itself; a file for it has no place at the top of the project. */
const MIT = `Copyright (c) 2026 the authors of svcd

Permission is hereby granted, free of charge, to any person obtaining a copy of this software and associated documentation
files (the "Software"), to deal in the Software without restriction, including without limitation the rights to use, copy,
modify, merge, publish, distribute, sublicense, and/or sell copies of the Software, and to permit persons to whom the
Software is furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all copies or substantial portions of the
Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT NOT LIMITED TO THE
WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE AUTHORS OR
COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR
OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.`;

/** `node_modules/a/node_modules/b` of a file in there. */
function packageFolder(file) {
  return /^(node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];
}

function licenceOf(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^licen[cs]e/i.test(one));
  const text = file === undefined ? inReadme(folder) : readFileSync(join(folder, file), 'utf8');
  if (text === undefined) throw new Error(`${name} ships no licence; it must not be built in`);
  return `${heading(name, version, license)}\n\n${text.trim()}\n`;
}

/** The whole licence where it is a section of the README (pg-types); undefined where that only names it, or has none. */
function inReadme(folder) {
  const readme = readdirSync(folder).find((one) => /^readme/i.test(one));
  if (readme === undefined) return undefined;
  const section = /^#+ *licen[cs]e\s*\n([\s\S]+?)(?=^#|(?![\s\S]))/im.exec(
    readFileSync(join(folder, readme), 'utf8'),
  )?.[1];
  return section !== undefined && /permission is hereby granted/i.test(section) ? section : undefined;
}

function heading(name, version, license) {
  const line = '-'.repeat(72);
  return `${line}\n${name} ${version} (${license})\n${line}`;
}
