// Match beside a twin that looks at every sticker, one by one, in plain strings: the same stickers, the same reasons.

import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { spellEmoji } from '../../src/library/language/emoji-words.js';
import { stemsOf } from '../../src/library/language/english.js';
import { readLanguageText } from '../../src/library/language/language-data.js';
import { loadGlossary } from '../../src/library/language/glossary.js';
import { glossedPieces, meaningsIn } from '../../src/library/language/concepts.js';
import { normalise } from '../../src/library/language/normalise.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import type { Sticker } from '../../src/model/sticker.js';
import { readCatalogue, libraryForFile, sticker, SYNONYMS } from './scratch-library.js';

const stickers = [
  ...readCatalogue().filter((_, i) => i % 61 === 0),
  sticker('own/one', '生日 蛋糕/礼物', ['Happy Birthday', '图片2', 'AI助手']),
  sticker('own/two', '618大促', ['wifi 6', '蛋糕。礼物']),
  sticker('own/three', '雨', ['雨天', '下雨天']),
];
const glossary = loadGlossary();
const synonyms = parseSynonyms(SYNONYMS);
const library = libraryForFile(() => stickers, SYNONYMS);

const SEPARATED = /[\s:,;、。/|()[\]{}"「」《》·・!?]+/;
const HAN = /[\u3007\u3400-\u9FFF]/;

/** What was worked out for a text before. */
function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    if (!known.has(text)) known.set(text, work(text));
    return known.get(text)!;
  };
}

/** What a text is called by: itself, its parts, and these without the number of a variant. */
const names = remembered((text: string): string[] => {
  const parts = text.split(SEPARATED).filter(Boolean);
  const unnumbered = parts.map((part) => part.replace(/^([\u4E00-\u9FFF]{2,})\d{1,2}$/, '$1'));
  return [text, ...parts, ...unnumbered];
});

/** Latin words, numbers and pairs of Han characters; nothing of a single character. */
const parts = remembered((text: string): string[] =>
  (text.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap((run) =>
    (run.match(/[\u3007\u3400-\u9FFF]+|[^\u3007\u3400-\u9FFF]+/g) ?? []).flatMap((piece) =>
      HAN.test(piece) ? Array.from({ length: piece.length - 1 }, (_, i) => piece.slice(i, i + 2)) : [piece],
    ),
  ),
);

const called = new Map(
  stickers.map(({ preset, title, keywords }) => [
    preset,
    { title: [normalise(title)], keywords: keywords.map(normalise) },
  ]),
);
const known = new Set([...called.values()].flatMap(({ title, keywords }) => [...title, ...keywords].flatMap(names)));
const isKnown = (word: string) => known.has(word) || synonyms.has(word);

/** The known words of a longer one: as much of it as can be, in as few words as can be. */
function cut(text: string): string[] {
  const best: { gain: number; words: string[] }[] = [];
  best[text.length] = { gain: 0, words: [] };
  const splits = (at: number) =>
    at > 0 && at < text.length && /[0-9a-z\u00df-\u052f]{2}/.test(text.slice(at - 1, at + 1));
  for (let at = text.length - 1; at >= 0; at--) {
    let chosen = best[at + 1]!;
    for (let end = splits(at) ? at : Math.min(text.length, at + 12); end > at; end--) {
      const rest = best[end]!;
      const gain = (end - at === 1 ? 0.1 : end - at - 0.5) + rest.gain;
      if (splits(end) || gain <= chosen.gain || !isKnown(text.slice(at, end))) continue;
      chosen = { gain, words: [text.slice(at, end), ...rest.words] };
    }
    best[at] = chosen;
  }
  return best[0]!.words.filter((word) => word.length > 1);
}

function isDirect(word: string, texts: readonly string[]): boolean {
  const own = parts(word);
  const there = new Set(texts.flatMap(parts));
  const pieces = isKnown(word) ? [] : cut(word);
  const all = texts.flatMap(names);
  return (
    all.includes(word) ||
    (own.length > 0 && own.every((part) => there.has(part))) ||
    pieces.some((piece) => all.includes(piece))
  );
}

/** What pictures bring to mind, by their title. */
const associated = new Map(
  readLanguageText('associations/associations.txt')
    .split('\n')
    .map((line) => [line.split(' ')[0]!, line.split(' ').slice(1)]),
);

function isMeant(word: string, texts: readonly string[], isTitle: boolean): boolean {
  const all = texts.flatMap(names);
  const others = [word, ...(isKnown(word) ? [] : cut(word))].flatMap((one) => synonyms.of(one));
  if (others.some((other) => all.includes(other))) return true;
  const stems = stemsMeant(word);
  if (isTitle && texts.some((title) => stems.some((stem) => associated.get(title)?.includes(stem)))) return true;
  return texts.some((text) => stems.some((stem) => stemsOfText(text).has(stem)));
}

const stemsOfText = remembered((text) => meaningsIn(text, glossary));
const stemsMeant = remembered((word) => {
  const pieces = glossedPieces(word, glossary).filter((piece) => piece.word.length > 1 || word.length === 1);
  const stems = pieces.flatMap((piece) =>
    glossary
      .of(piece.word)
      .filter(({ whole }) => whole || pieces.length === 1)
      .slice(0, 3),
  );
  return [...stems.map(({ stem }) => stem), ...stemsOf(word)];
});

const namesOfEach = [...called.values()].map(({ title, keywords }) => new Set([...title, ...keywords].flatMap(names)));
const countNamed = remembered((name) => namesOfEach.filter((own) => own.has(name)).length);

/** What stands beside a word that at most twenty stickers have, and one of a hundred, as often with it as without. */
const companions = remembered((word) => {
  const own = namesOfEach.filter((one) => one.has(word));
  const beside = [...new Set(own.flatMap((one) => [...one]))].filter((name) => name !== word);
  const together = (name: string) => own.filter((one) => one.has(name)).length;
  const isClose = (name: string) => together(name) / Math.sqrt(own.length * countNamed(name)) >= 0.2;
  return own.length > Math.min(20, stickers.length / 100) ? [] : beside.filter(isClose);
});

interface Asked {
  readonly keyword: string;
  /** Whether what stands beside it counts too. */
  readonly isOfShortCopy: boolean;
}

function reasonsOf({ preset }: Sticker, words: readonly Asked[]): string[] {
  const texts = called.get(preset)!;
  return words.flatMap(({ keyword, isOfShortCopy }) => {
    const word = normalise(spellEmoji(keyword));
    return (['title', 'keywords'] as const).flatMap((field) => {
      if (isDirect(word, texts[field])) return [`${keyword} ${field} direct`];
      const all = texts[field].flatMap(names);
      const isBeside = isOfShortCopy && companions(word).some((name) => all.includes(name));
      const isImplied = isBeside || isMeant(word, texts[field], field === 'title');
      return isImplied ? [`${keyword} ${field} synonym`] : [];
    });
  });
}

function asked(words: readonly string[], explicit: readonly string[]): Asked[] {
  const given = new Set(explicit.map((keyword) => normalise(spellEmoji(keyword))));
  const isGiven = (word: string) => given.has(normalise(spellEmoji(word)));
  const isShort = words.filter((word) => !isGiven(word)).length <= 6;
  return words.map((keyword) => ({ keyword, isOfShortCopy: isShort && !isGiven(keyword) }));
}

const words = [...new Set(stickers.flatMap(({ title, keywords }) => [title, ...keywords]))];
const more = ['我们', '，', '。', '和', '太空人', '包邮', '雨', '生日快乐', 'ai', '宇航员', '🎂', '618', '不要'];
const copy = fc.array(fc.constantFrom(...words, ...more), { maxLength: 12 });
const keywords = fc.array(fc.constantFrom(...words, ...more), { maxLength: 3 });

test('match finds what its twin finds, for the same reasons', () => {
  fc.assert(
    fc.property(copy, keywords, (text, explicit) => {
      const answer = library.match({ text: text.join(''), keywords: explicit, limit: 50 });
      const wanted = asked(answer.extractedKeywords, explicit);
      const expected = new Map(
        stickers
          .map((one) => [one.preset, reasonsOf(one, wanted)] as const)
          .filter(([, reasons]) => reasons.length > 0),
      );
      expect(answer.total).toBe(expected.size);
      for (const hit of answer.hits) {
        const told = hit.reasons.map(({ keyword, field, source }) => `${keyword} ${field} ${source}`);
        expect(told.toSorted(), hit.sticker.preset).toEqual(expected.get(hit.sticker.preset)!.toSorted());
      }
    }),
    { numRuns: 40 },
  );
});
