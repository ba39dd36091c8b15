// The shipped art for looking at it: a file by its preset, and the drawing that stands in for a title. What is needed is read
// when it is first asked for, beside the event loop.

import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { INSTALLATION } from '../platform/installation.js';
import { encodeArtIndex, readArtIndex, type ArtIndex, type Sketch } from './art-index.js';
import { openCatalogue, type Catalogue } from './catalogue.js';

export type { Sketch };

/** Gives the spelling in which titles are compared. */
export type Fold = (text: string) => string;

export interface Art {
  /** Resolves when titles can be looked up; undefined when they can. */
  untilReady(): Promise<void> | undefined;
  /** The drawing that a title may be shown by; undefined where none fits, or before all is read. */
  sketchOf(title: string): Sketch | undefined;
  /** The file of a drawing; undefined for what is none. */
  readSketch(id: string): Promise<Buffer | undefined>;
  /** The file of any preset of the catalogue. */
  read(preset: string): Promise<Buffer | undefined>;
}

const FOLDER = new URL('data/catalogue', INSTALLATION);
const COMPILED = new URL('dist/sketches.bin', INSTALLATION);

/** Opens the art; nothing is read yet. */
export function openArt(fold: Fold): Art {
  let opened: { readonly catalogue: Catalogue; readonly index: ArtIndex } | undefined;
  let opening: Promise<void> | undefined;
  const open = async () => {
    const bytes = await readFile(COMPILED).catch(() => undefined);
    const catalogue = openCatalogue(fileURLToPath(FOLDER));
    const compiled = bytes && readArtIndex(bytes);
    // Before the first build, and of a catalogue that was built anew since.
    const index = compiled?.stamp === catalogue.stamp ? compiled : readArtIndex(compileArtIndex(fold));
    if (index !== undefined) opened = { catalogue, index };
  };
  const untilReady = () => {
    if (opened !== undefined) return undefined;
    opening ??= open().finally(() => (opening = undefined));
    return opening;
  };
  const read = async (preset: string, onlyFree: boolean) => {
    await untilReady();
    const at = opened?.index.find(preset, onlyFree);
    return at && opened?.catalogue.readLottie(at);
  };
  return {
    untilReady,
    sketchOf: (title) => {
      for (const ending of endingsOf(fold(title))) {
        const sketch = opened?.index.sketchOf(ending);
        if (sketch !== undefined) return sketch;
      }
      return undefined;
    },
    readSketch: (id) => read(id, true),
    read: (preset) => read(preset, false),
  };
}

/** The bytes that the build keeps. */
export function compileArtIndex(fold: Fold): Buffer {
  const folder = fileURLToPath(FOLDER);
  const { stamp } = JSON.parse(readFileSync(join(folder, 'packs', 'index.json'), 'utf8')) as { stamp: string };
  return encodeArtIndex(openCatalogue(folder).entries(), stamp, fold);
}

// What a drawing may stand in for. A wrong drawing is worse than a word, so that nothing but the title decides.

/** Chinese negates what follows: 不开心 is not shown by 开心, nor 严禁吸烟 by 吸烟. */
const NEGATED = /(?:[不无非未没勿莫]|没有|禁止|严禁)$/u;
const LETTER = /[\p{L}\p{N}]/u;
const HAN = /\p{Script=Han}/u;
const LEAST = 2;

/** The titles by whose drawing a folded title may be shown, best first: itself, then its ends of two characters or more. */
function* endingsOf(title: string): Iterable<string> {
  const characters = Array.from(title);
  yield title;
  for (let from = 1; from <= characters.length - LEAST; from += 1) {
    const before = characters.slice(0, from).join('');
    const ending = characters.slice(from).join('');
    if (NEGATED.test(before) || isInsideWord(characters[from - 1], characters[from])) continue;
    yield ending;
  }
}

/** A word in letters with spaces between ends nowhere but at its end: "cake" is not what a pancake is. */
function isInsideWord(before = '', after = ''): boolean {
  return LETTER.test(before) && LETTER.test(after) && !HAN.test(before) && !HAN.test(after);
}
