// Which words of a copy the catalogue knows: every stretch of it that is a title or a keyword.

import type { SandboxState } from '../state/sandbox-state.js';
import { normaliseWord } from './sticker-store.js';

/** Nearly every title and keyword of the catalogue is this short. */
const WORD_MAX = 8;
const KEYWORDS_MAX = 20;

/** At most 20 known words, in the order in which the copy first names them, the longer first where two begin. */
export function extractKeywords({ db }: SandboxState, copy: string): string[] {
  const stretches = [...new Set(runsOf(copy).flatMap(stretchesOf))];
  const sql = 'SELECT text FROM word WHERE text IN (SELECT value FROM json_each(?))';
  const known = new Set(db.all<{ text: string }>(sql, JSON.stringify(stretches)).map(({ text }) => text));
  return stretches.filter((stretch) => known.has(stretch)).slice(0, KEYWORDS_MAX);
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
