// What is kept so that nothing has to be read anew answers as what it was made of, and is not believed when it is not whole.

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { encodeGlossary, type GlossEntry } from '../../data/glosses/build/encode-glossary.js';
import { decodeGlossary, stemOf } from '../../src/library/language/glossary.js';
import { findEmoji } from '../../src/library/language/emoji-words.js';
import { readLanguageMap } from '../../src/library/language/language-data.js';
import { loadShippedSynonyms } from '../../src/library/language/shipped-synonyms.js';
import { openSynonyms, parseSynonyms, storeSynonyms, Synonyms } from '../../src/library/language/synonyms.js';
import { emptyLengths } from '../../src/library/packed/word-lengths.js';
import { SHIPPED_SYNONYMS } from './scratch-library.js';

const TABLE = '开心 高兴 快乐\n情人节 > 玫瑰 OK 情人节\n开心 > 笑脸\n';

function contentOf(synonyms: Synonyms): [string, readonly string[]][] {
  return Array.from(synonyms.words(), (word) => [word, synonyms.of(word)]);
}

describe('synonyms', () => {
  test('read back are those of the text', () => {
    const stored = new Synonyms([openSynonyms(SHIPPED_SYNONYMS, storeSynonyms(SHIPPED_SYNONYMS))]);
    expect(contentOf(stored)).toEqual(contentOf(parseSynonyms(SHIPPED_SYNONYMS)));
  });

  test('as the build keeps them are those of the text', () => {
    const shipped = contentOf(new Synonyms([loadShippedSynonyms()]));
    expect(shipped.length).toBeGreaterThan(5000);
    expect(shipped).toEqual(contentOf(parseSynonyms(SHIPPED_SYNONYMS)));
  });

  test('of another text of the same length, or damaged anywhere, are read anew', () => {
    const stored = storeSynonyms(TABLE);
    const expected = contentOf(parseSynonyms(TABLE));
    const other = TABLE.replace('高兴', '快活');
    expect(contentOf(new Synonyms([openSynonyms(other, stored)]))).toEqual(contentOf(parseSynonyms(other)));
    fc.assert(
      fc.property(fc.nat(stored.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const damaged = stored.slice();
        damaged[at]! ^= change;
        expect(contentOf(new Synonyms([openSynonyms(TABLE, damaged)]))).toEqual(expected);
        expect(contentOf(new Synonyms([openSynonyms(TABLE, stored.subarray(0, at))]))).toEqual(expected);
      }),
    );
  });

  test('of several tables are those of one with all lines', () => {
    const user = '开心 乐呵\n七夕 > 牛郎';
    const several = parseSynonyms(user, openSynonyms(TABLE, storeSynonyms(TABLE)), '玫瑰 > 花');
    expect(contentOf(several)).toEqual(contentOf(parseSynonyms(`${user}\n${TABLE}\n玫瑰 > 花`)));
    expect(several.of('开心')).toEqual(['乐呵', '高兴', '快乐', '笑脸']);
  });

  test('tell of each word with synonyms that one may be so long', () => {
    const synonyms = new Synonyms([loadShippedSynonyms()]);
    for (const word of synonyms.words()) {
      expect(synonyms.longestAt(`${word}了`, 0)).toBeGreaterThanOrEqual(word.length);
      expect(synonyms.hasPart(`的${word}了`, 1, 1 + word.length)).toBe(true);
    }
  });
});

const han = fc.constantFrom(...'生日快乐蛋糕上海水产'.split(''));
const hanWord = fc.array(han, { minLength: 1, maxLength: 7 }).map((characters) => characters.join(''));
const meaning = fc.record({ stem: fc.constantFrom('cake', 'happy', 'sea', 'birth'), whole: fc.boolean() });
const entries: fc.Arbitrary<GlossEntry[]> = fc.uniqueArray(
  fc.record({
    word: hanWord,
    meanings: fc.uniqueArray(meaning, { minLength: 1, maxLength: 4, selector: ({ stem }) => stem }),
    kinds: fc.uniqueArray(fc.constantFrom('dog', 'car', 'food'), { maxLength: 3 }),
  }),
  { maxLength: 200, selector: ({ word }) => word },
);

describe('a glossary', () => {
  test('read from its bytes says of each word what was written, and knows no other', () => {
    fc.assert(
      fc.property(entries, fc.array(hanWord), (written, others) => {
        const glossary = decodeGlossary(encodeGlossary(written));
        const known = new Map(written.map((entry) => [entry.word, entry]));
        for (const word of [...known.keys(), ...others]) {
          const kinds = Array.from(glossary.kindsOf(word), (kind) => glossary.stem(stemOf(kind)));
          expect(glossary.of(word)).toEqual(known.get(word)?.meanings ?? []);
          expect(kinds).toEqual(known.get(word)?.kinds ?? []);
          expect(glossary.has(word)).toBe(known.has(word));
        }
      }),
    );
  });

  test('tells how long its words are at most, by how they begin', () => {
    fc.assert(
      fc.property(entries, (written) => {
        const glossary = decodeGlossary(encodeGlossary(written));
        for (const { word } of written) {
          const first = word.charCodeAt(0);
          const alike = written.filter((entry) => entry.word.charCodeAt(0) === first);
          expect(glossary.longestFrom(first)).toBe(Math.max(...alike.map((entry) => entry.word.length)));
          expect(glossary.lengths.longestAt(word, 0)).toBeGreaterThanOrEqual(word.length);
        }
        expect(glossary.longestFrom('无'.charCodeAt(0))).toBe(0);
      }),
    );
  });
});

describe('lengths of words', () => {
  test('are never less than those of the words noted, in a text and at its end', () => {
    fc.assert(
      fc.property(fc.array(hanWord), hanWord, (words, rest) => {
        const lengths = emptyLengths(words.length);
        for (const word of words) lengths.putWord(word);
        for (const word of words) {
          expect(lengths.longestAt(word, 0)).toBeGreaterThanOrEqual(word.length);
          expect(lengths.longestAt(word + rest, 0)).toBeGreaterThanOrEqual(word.length);
        }
      }),
    );
  });

  test('tell nearly everywhere that no word begins', () => {
    const lengths = emptyLengths(1000);
    for (let i = 0; i < 1000; i++) lengths.putWord(String.fromCharCode(0x4e00 + i, 0x5e00 + i));
    const others = Array.from({ length: 1000 }, (_, i) => String.fromCharCode(0x6e00 + i, 0x7e00 + i));
    expect(others.filter((word) => lengths.longestAt(word, 0) > 0).length).toBeLessThan(250);
  });
});

test('every emoji of the table is found in a text', () => {
  const emoji = [...readLanguageMap('emoji/emoji-words.txt').keys()];
  expect(emoji.length).toBeGreaterThan(2000);
  expect(emoji.filter((one) => findEmoji(`，${one}`).length !== 1)).toEqual([]);
});
