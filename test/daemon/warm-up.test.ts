// What a daemon does between two answers soon after its start: it is done in steps, holds nobody up, and a long copy waits
// for it and for nothing else.

import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { FoundAnswer } from '../../src/operations/search/search.js';
import type { TilesRequest } from '../../src/api/tile.js';
import { lettingLongCopiesWait, typeAhead } from '../../src/operations/search/wait-until-warm.js';
import { createWarmUp } from '../../src/daemon/warm-up.js';
import { warmUpCopies, warmUpQueries } from '../../src/library/query/warm-up-queries.js';
import { createQueryContext } from '../../src/library/query/query-context.js';
import type { Library } from '../../src/library/library.js';
import { Spelling } from '../../src/library/search-index/spelling.js';
import { parseSynonyms } from '../../src/library/language/synonyms.js';
import { silentLog } from '../../src/platform/log.js';
import { indexOf, NO_GLOSSES, scratchLibrary, sticker } from '../library/scratch-library.js';

const LONG_COPY = '今天生日，准备了蛋糕和气球。'.repeat(20);
const nobody = { kind: 'none' } as const;

/** Steps that say what they did, and others that have their turn meanwhile. */
function stage(failsAt = Infinity) {
  const told: string[] = [];
  function* steps(): Iterable<void> {
    for (let i = 0; i < 5; i++) {
      if (i === failsAt) throw new Error('a table is missing');
      yield void told.push('step');
    }
  }
  const warnings: string[] = [];
  function* rest(): Iterable<void> {
    for (let i = 0; i < 2; i++) yield void told.push('rest');
  }
  const warmUp = createWarmUp(steps, rest, { ...silentLog, warn: (event) => void warnings.push(event) });
  const answer = (what: string): FoundAnswer => {
    told.push(what);
    return { body: what, note: undefined, shipped: undefined, unheard: undefined, standsIn: false, source: 'library' };
  };
  const finders = lettingLongCopiesWait(
    {
      find: () => {
        throw new Error('not asked here');
      },
      ask: async () => undefined,
      search: () => answer('search'),
      match: ({ text = '' }) => answer(text.length > 100 ? 'long' : 'short'),
    },
    () => warmUp.untilCopies(),
  );
  return { told, warnings, warmUp, finders };
}

describe('warming up', () => {
  it('takes a step at a time, and everybody else has a turn after each', async () => {
    const { told, warmUp } = stage();
    void warmUp.untilCopies();
    for (let i = 0; i < 20; i++) {
      await turn();
      told.push('other');
    }
    expect(told.filter((one) => one === 'step')).toHaveLength(5);
    expect(told.join(' ')).not.toContain('step step');
  });

  it('lets a long copy wait for the last step, and searches and short copies for none', async () => {
    const { told, finders } = stage();
    const long = finders.match({ text: LONG_COPY, limit: 12 }, nobody);
    await turn();
    expect(finders.search({ q: '生日', limit: 12 }, nobody)).toMatchObject({ body: 'search' });
    expect(finders.match({ text: '生日', limit: 12 }, nobody)).toMatchObject({ body: 'short' });
    expect(told.filter((one) => one === 'step').length).toBeLessThan(5);
    expect(await long).toMatchObject({ body: 'long' });
    expect(told.filter((one) => one === 'step')).toHaveLength(5);
    expect(told.at(-1)).toBe('long');
    for (let i = 0; i < 5; i++) await turn();
    expect(told.slice(-2)).toEqual(['rest', 'rest']);
    // From now on nothing waits, and nothing is done twice.
    expect(finders.match({ text: LONG_COPY, limit: 12 }, nobody)).toMatchObject({ body: 'long' });
    expect(told.filter((one) => one === 'step')).toHaveLength(5);
  });

  it('ends with a step that fails, says so, and whoever waited is answered', async () => {
    const { told, warnings, finders } = stage(2);
    expect(await finders.match({ text: LONG_COPY, limit: 12 }, nobody)).toMatchObject({ body: 'long' });
    expect(told).toEqual(['step', 'step', 'long']);
    expect(warnings).toEqual(['not warmed up']);
  });

  it('goes no further when it is stopped, and whoever waited is answered', async () => {
    const { told, warmUp, finders } = stage();
    const long = finders.match({ text: LONG_COPY, limit: 12 }, nobody);
    await turn();
    warmUp.stop();
    expect(await long).toMatchObject({ body: 'long' });
    const taken = told.filter((one) => one === 'step').length;
    for (let i = 0; i < 5; i++) await turn();
    expect(told.filter((one) => one === 'step')).toHaveLength(taken);
    expect(taken).toBeLessThan(5);
  });
});

describe('the steps of a library', () => {
  const scratch = scratchLibrary();
  let library: Library;
  beforeAll(() => {
    library = scratch.open('生日 寿辰');
    library.importStickers([sticker('set/cake', '生日蛋糕', ['生日']), sticker('set/cat', '猫', ['cat'])], 'test');
  });
  afterAll(() => {
    library.close();
    scratch.remove();
  });

  it('are many, and questions asked between them are answered as ever', () => {
    const before = library.match({ text: '寿辰', limit: 12 });
    const walk = library.warmUpCopies()[Symbol.iterator]();
    let steps = 0;
    for (; walk.next().done !== true; steps++) {
      expect(library.search('生日', 12).hits.map(({ sticker: { preset } }) => preset)).toEqual(['set/cake']);
    }
    expect(steps).toBeGreaterThan(30);
    expect(library.match({ text: '寿辰', limit: 12 })).toEqual(before);
  });

  it('ask one thing each, and no copy as long as one that waits for them', () => {
    const glossary = NO_GLOSSES;
    const index = indexOf([{ rowid: 1, title: '生日', keywords: [], concept: undefined }]);
    const spelling = new Spelling(index);
    const context = createQueryContext({ index, synonyms: parseSynonyms(), glossary, spelling });
    const asked: string[][] = [[]];
    const note = (text: string) => void asked.at(-1)?.push(text);
    const answering = { search: note, match: ({ text }: { text: string }) => note(text) };
    for (const steps of [warmUpCopies, warmUpQueries]) {
      const walk = steps(answering, context)[Symbol.iterator]();
      while (walk.next().done !== true) asked.push([]);
    }
    expect(asked.filter((texts) => texts.length > 1)).toEqual([]);
    expect(new Set(asked.flat()).size).toBeGreaterThan(30);
    expect(Math.max(...asked.flat().map((text) => text.length))).toBeLessThan(200);
  });
});

describe('typing ahead of the person who opened the page', () => {
  const opening = { q: undefined, limit: 50, offset: 0, sort: 'best', collection: 'folder' } as TilesRequest;
  const nothing = {
    query: null,
    total: 0,
    offset: 0,
    revision: '',
    dropped: [],
    suggestions: [],
    styles: [],
    related_from: null,
    tiles: [],
  };

  it('begins with the first list, letter by letter, and types nothing twice', async () => {
    const asked: TilesRequest[] = [];
    const listTiles = typeAhead((request) => {
      asked.push(request);
      return nothing;
    });
    await turn();
    expect(asked).toEqual([]);
    expect(listTiles(opening, true)).toBe(nothing);
    expect(listTiles(opening, true)).toBe(nothing);
    await vi.waitFor(() => expect(asked.length).toBeGreaterThan(12), 20_000);
    const [first, second, ...typed] = asked;
    expect([first, second]).toEqual([opening, opening]);
    const words = typed.map(({ q }) => q ?? '');
    expect(words.slice(0, 3)).toEqual(['x', 'xi', 'xin']);
    expect(new Set(words).size).toBe(words.length);
    expect(
      typed.every(({ limit, offset, collection }) => limit === 50 && offset === 0 && collection === undefined),
    ).toBe(true);
  });

  it('ends at the first thing that fails, and the answers of people stay as they are', async () => {
    let asked = 0;
    const listTiles = typeAhead(({ q }) => {
      asked += 1;
      if (q !== undefined) throw new Error('a table is missing');
      return nothing;
    });
    expect(listTiles(opening, true)).toBe(nothing);
    await vi.waitFor(() => expect(asked).toBe(2), 20_000);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(asked).toBe(2);
    expect(() => listTiles({ ...opening, q: 'x' }, true)).toThrow('a table is missing');
  });
});
