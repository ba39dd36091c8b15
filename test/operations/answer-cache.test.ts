import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAnswerCache } from '../../src/operations/search/search-stickers.js';

const bodyOf = (bytes: number) => ({ body: new Uint8Array(bytes) });

describe('remembered answers', () => {
  it('are made once, and again when what they were made from has changed', () => {
    const cache = createAnswerCache(100_000);
    const one = cache('q', 1, () => bodyOf(10));
    expect(cache('q', 1, () => bodyOf(10))).toBe(one);
    expect(cache('q', 2, () => bodyOf(10))).not.toBe(one);
    expect(cache('q', 1, () => bodyOf(10))).not.toBe(one);
  });

  it('are those asked for last, as many as fit', () => {
    const cache = createAnswerCache(5000);
    const made: string[] = [];
    const ask = (question: string) =>
      cache(question, 1, () => {
        made.push(question);
        return bodyOf(1000);
      });
    for (const question of ['a', 'b', 'c', 'd']) ask(question);
    ask('a');
    ask('e');
    made.length = 0;
    for (const question of ['a', 'e', 'd', 'c', 'b']) ask(question);
    expect(made).toEqual(['b']);
  });

  it('never take more than they may, whatever is asked', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(30), fc.nat(3)), { maxLength: 200 }), (asked) => {
        const cache = createAnswerCache(20_000);
        const kept = new Set<string>();
        for (const [question, revision] of asked) {
          cache(`${question}`, revision, () => bodyOf(question * 100));
          kept.add(`${question}`);
        }
        const revision = asked.at(-1)?.[1] ?? 0;
        const remembered = [...kept].filter((question) => {
          let isMade = false;
          const fresh = createSpy(() => (isMade = true));
          cache(question, revision, fresh);
          return !isMade;
        });
        const bytes = remembered.reduce((sum, question) => sum + Number(question) * 100, 0);
        expect(bytes).toBeLessThanOrEqual(20_000);
      }),
    );
  });

  it('that are too long to remember are given all the same', () => {
    const cache = createAnswerCache(1000);
    expect(cache('long', 1, () => bodyOf(5000)).body.length).toBe(5000);
    const short = cache('short', 1, () => bodyOf(100));
    expect(cache('short', 1, () => bodyOf(100))).toBe(short);
  });
});

function createSpy(note: () => void) {
  return () => {
    note();
    return bodyOf(0);
  };
}
