// What a remote tells of licences, in whatever form.

import { describe, expect, it } from 'vitest';
import { readCredit } from '../../src/contract/read-candidates.js';

describe('the credit of a record', () => {
  it.each<[string, Record<string, unknown>, object]>([
    ['is nothing when nothing is told', { preset: 'a', title: '雨' }, {}],
    ['is the licence alone when it asks for no line', { license: 'MIT', author: 'Jane' }, { licence: 'MIT' }],
    [
      'is the line as told',
      { licence: 'X', attribution: ' Art\n by Jane ' },
      { licence: 'X', attribution: 'Art by Jane' },
    ],
    [
      'is a line made of title, author and licence where the licence asks for one',
      { title: '雨', license: { name: 'CC BY 4.0', url: 'https://x' }, author: { name: 'Jane' } },
      { licence: 'CC BY 4.0', attribution: '“雨” by Jane (CC BY 4.0)' },
    ],
    ['has no line when the remote says none is needed', { credit: 'Jane', attribution_required: false }, {}],
    [
      'has a line when the remote says one is needed',
      { artist: 'Jane', attributionRequired: true },
      { attribution: 'by Jane' },
    ],
    ['does not take CC0 for CC BY', { licence: 'CC0-1.0', creator: 'Jane' }, { licence: 'CC0-1.0' }],
    ['survives what is no text', { licence: 7, credit: [null, {}], author: [] }, {}],
  ])('%s', (_what, record, credit) => {
    expect(readCredit(record, typeof record['title'] === 'string' ? record['title'] : '')).toEqual(credit);
  });
});
