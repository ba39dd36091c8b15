// Long lists are cut before a text is parsed: what is parsed then is what was there, with the first items of each list.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boundsProblem } from '../../src/platform/json.js';
import { shortenLists } from '../../src/platform/shorten-lists.js';

const MOST = 3;

/** The value with the first items of each list, and how many items that leaves out of lists that stay. */
function shortened(value: unknown): { value: unknown; left: number } {
  if (typeof value !== 'object' || value === null) return { value, left: 0 };
  const entries = Object.entries(value);
  const kept = Array.isArray(value) ? entries.slice(0, MOST) : entries;
  const inner = kept.map(([name, item]) => [name, shortened(item)] as const);
  const left = inner.reduce((sum, [, one]) => sum + one.left, entries.length - kept.length);
  const items = inner.map(([name, one]) => [name, one.value] as const);
  return { value: Array.isArray(value) ? items.map(([, item]) => item) : Object.fromEntries(items), left };
}

function parsed(text: string) {
  const { bytes, left } = shortenLists(Buffer.from(text), MOST);
  return { value: JSON.parse(Buffer.from(bytes).toString()) as unknown, left };
}

describe('a JSON text', () => {
  it('keeps the first items of each list, however they are nested and written', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 5 }), fc.constantFrom(0, 2), (value, indent) => {
        const text = JSON.stringify(value, undefined, indent);
        expect(parsed(text)).toEqual(shortened(JSON.parse(text)));
      }),
    );
  });

  it('is the same bytes when no list is long', () => {
    const bytes = Buffer.from('{"a":[1,2,3],"b":{"c":1,"d":2,"e":3,"f":4}}');
    expect(shortenLists(bytes, MOST)).toEqual({ bytes, left: 0 });
  });

  it.each(['[1,2,3,4', '[1,2,3,["a', ']]],,,[', '"\\', `${'['.repeat(100)}1,2,3,4`])(
    'that is broken (%s) stays broken',
    (text) => expect(() => parsed(text)).toThrow(SyntaxError),
  );

  it('has its texts where they end, also long ones with quotes and backslashes', () => {
    const piece = fc.constantFrom('\\', '"', 'a', ',', '[', '汉', 'x'.repeat(90));
    const text = fc.array(piece, { maxLength: 40 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(fc.array(text, { maxLength: MOST }), (texts) => {
        expect(parsed(JSON.stringify([texts]))).toEqual({ value: [texts], left: 0 });
        // A bracket or comma in a text would be counted.
        expect(boundsProblem(Buffer.from(JSON.stringify(texts)), { depth: 1, tokens: 2 * MOST })).toBeUndefined();
      }),
    );
  });
});
