// Which words of a copy the catalogue knows: every stretch of it that is somebody's title or keyword.

import type { Database, Statement } from '../platform/open-database.js';
import { normaliseWord } from './shelf.js';

/** Nearly every title and keyword of the catalogue is this short. */
const WORD_MAX = 8;
const SCENE_WORDS_MAX = 20;

/** Finds known words in copy. */
export class SceneWords {
  readonly #known: Statement<[string], { text: string }>;

  constructor(db: Database) {
    this.#known = db.prepare('SELECT text FROM word WHERE text IN (SELECT value FROM json_each(?))');
  }

  /** At most 20 words, in the order in which the copy first names them, the longer first where two begin. */
  findIn(copy: string): string[] {
    const stretches = [...new Set(runsOf(copy).flatMap(stretchesOf))];
    const known = new Set(this.#known.all(JSON.stringify(stretches)).map(({ text }) => text));
    return stretches.filter((stretch) => known.has(stretch)).slice(0, SCENE_WORDS_MAX);
  }
}

/** Latin words are whole or nothing ("heart" does not speak of art); Han runs have no word boundaries to keep. */
function runsOf(copy: string): string[] {
  return normaliseWord(copy).match(/\p{Script=Han}+|[a-z0-9]+/gu) ?? [];
}

function stretchesOf(run: string): string[] {
  if (/^[a-z0-9]/.test(run)) return [run];
  const characters = Array.from(run);
  // A single character is a word only where it stands alone; inside a run it is mostly half of another word.
  const shortest = Math.min(2, characters.length);
  return characters.flatMap((_, start) => {
    const longest = Math.min(WORD_MAX, characters.length - start);
    return Array.from({ length: Math.max(0, longest - shortest + 1) }, (__, i) =>
      characters.slice(start, start + longest - i).join(''),
    );
  });
}
