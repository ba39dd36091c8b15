// The order of what suits a copy: each next picture is the one that adds most of what the copy names and no picture before
// it shows, and one picture comes once, in whatever style it is drawn. A greedy cover, of the first of what was ranked.

import type { StickerIndex } from '../search-index/sticker-index.js';
import type { ExtractedKeyword } from './keyword-extraction.js';
import type { MatchScores } from './match-scores.js';
import type { Scored } from './top-k.js';

/** What is named, with what inside of it is a word too: a picture of the inner shows some of it. */
interface Scene {
  readonly weight: number;
  /** What of it no picture shows yet. */
  uncovered: number;
}

interface Candidate extends Scored {
  /** Which part of each scene it shows, in pairs of scene and part. */
  readonly shows: readonly (readonly [scene: Scene, part: number])[];
  readonly picture: string;
}

/** A picture that is there already, in another style. */
const SAME_PICTURE = 0.3;

/** Puts ranked documents in the order in which they cover the words; their scores are what each added. */
export function coverScenes(
  ranked: readonly Scored[],
  words: readonly ExtractedKeyword[],
  wanted: number,
  { index, scores }: { readonly index: StickerIndex; readonly scores: MatchScores },
): Scored[] {
  const scenes = scenesOf(words);
  const shownBy = ranked.map(() => new Map<Scene, number>());
  scores.forEachShown(
    ranked.map(({ document }) => document),
    (nth, word, strength) => {
      const scene = scenes[word - 1];
      if (scene === undefined) return;
      const part = strength * (words[word - 1]!.weight / scene.weight);
      const before = shownBy[nth]!.get(scene) ?? 0;
      shownBy[nth]!.set(scene, before + part - before * part);
    },
  );
  const waiting = ranked.map(({ document, score }, nth): Candidate => ({
    document,
    score,
    shows: [...shownBy[nth]!],
    picture: pictureOf(index.spell(index.titleOf(document))),
  }));
  const shown = new Set<string>();
  const gainOf = ({ score, shows, picture }: Candidate) => {
    let gain = score;
    for (const [scene, part] of shows) gain += scene.weight * part * scene.uncovered;
    return shown.has(picture) ? SAME_PICTURE * gain : gain;
  };
  const covered: Scored[] = [];
  while (covered.length < wanted && waiting.length > 0) {
    let [best, most] = [0, -Infinity];
    for (const [i, one] of waiting.entries()) {
      const gain = gainOf(one);
      if (gain > most) [best, most] = [i, gain];
    }
    const [next] = waiting.splice(best, 1) as [Candidate];
    for (const [scene, part] of next.shows) scene.uncovered *= 1 - part;
    shown.add(next.picture);
    covered.push({ document: next.document, score: most });
  }
  return covered;
}

/** The scene of each word; none for what the copy says is not so. */
function scenesOf(words: readonly ExtractedKeyword[]): (Scene | undefined)[] {
  const scenes = new Map<string, Scene>();
  const longest = words.filter(({ negated }) => !negated).toSorted((a, b) => b.word.length - a.word.length);
  const outer: ExtractedKeyword[] = [];
  for (const one of longest) {
    const around = outer.find(({ word, weight }) => word.includes(one.word) && weight >= one.weight);
    if (around === undefined) outer.push(one);
    scenes.set(one.word, around === undefined ? { weight: one.weight, uncovered: 1 } : scenes.get(around.word)!);
  }
  return words.map(({ word, negated }) => (negated ? undefined : scenes.get(word)));
}

const PICTURES = new Map<string, string>();
const PICTURES_MAX = 20_000;
/** Stands for a flag in every title of one; each is a picture of its own. */
const FLAG = /旗/;

/** What titles of one picture have in common: not its number, nor whose it is, nor which of a family. */
function pictureOf(title: string): string {
  const known = PICTURES.get(title);
  if (known !== undefined) return known;
  if (PICTURES.size >= PICTURES_MAX) PICTURES.clear();
  const [head = ''] = FLAG.test(title) ? [title] : title.split(/[:：]/);
  const picture = head.replace(/[\d男女]+/g, '').trim() || title;
  PICTURES.set(title, picture);
  return picture;
}
