import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { candidateOf } from '../../src/contract/candidate.js';
import { readCandidate, readCandidates } from '../../src/contract/read-candidates.js';

const cake = { preset: 'food/cake', title: '蛋糕', keywords: ['生日', '甜点'] };

describe('finding the list', () => {
  it.each([
    ['a bare array', [cake], []],
    ['a field of any name', { stickers: [cake] }, ['stickers']],
    ['several levels down', { ok: true, data: { page: { items: [cake] } } }, ['data', 'page', 'items']],
    ['the longer of two', { featured: [cake], results: [cake, cake] }, ['results']],
  ])('sees %s', (_what, answer, path) => {
    expect(readCandidates(answer)?.listPath).toEqual(path);
    expect(readCandidates(answer)?.candidates[0]?.sticker).toEqual(cake);
  });

  it('sees records that wrap their sticker', () => {
    const read = readCandidates({ results: [{ score: 3, sticker: cake }] });
    expect(read?.candidates[0]).toMatchObject({ sticker: cake, original: { score: 3, sticker: cake } });
  });

  it.each([[null], [[]], [{ results: [] }], ['text'], [{ tracks: [{ id: 1 }] }]])('finds none in %j', (answer) =>
    expect(readCandidates(answer)).toBeUndefined(),
  );

  it.each([
    [{ total: 40, results: [cake] }, 40],
    [{ count: '7', results: [cake] }, 7],
    [{ data: { list: [cake], pagination: { total_count: 9 } } }, 9],
    [{ total: { value: 12 }, results: [cake] }, 12],
    [{ results: [cake] }, undefined],
    [[cake], undefined],
  ])('reads the total of %j', (answer, total) => expect(readCandidates(answer)?.total).toBe(total));

  it('takes any answer whatever, and never throws', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        for (const one of readCandidates({ value, list: [cake] })?.candidates ?? []) {
          expect(one.sticker.preset).not.toBe('');
        }
        readCandidate({ preset: 'a', keywords: value, duration: value, size: value, color: value, reasons: value });
      }),
    );
  });
});

describe('reading a record', () => {
  const read = (fields: object) => readCandidate({ preset: 'a/b', ...fields })?.sticker;

  it('reads what svcd itself writes', () => {
    const sticker = { ...cake, width: 512, height: 256, aspect: 2, duration: 1.5, color: '#ff8800' };
    expect(readCandidate(candidateOf(sticker, 'http://127.0.0.1:1'))?.sticker).toEqual(sticker);
  });

  it.each([
    [{ name: ' 气球 ' }, { title: '气球' }],
    [{ title: { en: 'Balloon', zh: '气球' } }, { title: '气球' }],
    [{ tags: '生日，派对、 气球' }, { keywords: ['生日', '派对', '气球'] }],
    [{ tags: 'birthday party' }, { keywords: ['birthday', 'party'] }],
    [{ keywords: [{ word: '生日' }, { name: '派对' }, 3, ''] }, { keywords: ['生日', '派对'] }],
    [{ duration: '1.4s' }, { duration: 1.4 }],
    [{ duration: '1400ms' }, { duration: 1.4 }],
    [{ duration: 1400 }, { duration: 1.4 }],
    [{ durationMs: 2500 }, { duration: 2.5 }],
    [{ duration: '0:02.5' }, { duration: 2.5 }],
    [{ duration_seconds: 3 }, { duration: 3 }],
    [{ aspect_ratio: '16:9' }, { aspect: 1.7778 }],
    [{ aspectRatio: 0.5 }, { aspect: 0.5 }],
    [{ ratio: 'square' }, { aspect: 1 }],
    [{ dimensions: '512x256' }, { width: 512, height: 256, aspect: 2 }],
    [{ dimensions: { w: 300, h: 600 } }, { width: 300, height: 600, aspect: 0.5 }],
    [{ size: [200, 100] }, { width: 200, height: 100, aspect: 2 }],
    [{ dimensions: '16:9' }, { aspect: 16 / 9 }],
    [{ primaryColor: 'FA0' }, { color: '#ffaa00' }],
    [{ primary_color: '#12345678' }, { color: '#123456' }],
    [{ main_color: 'rgb(255, 0, 10)' }, { color: '#ff000a' }],
    [{ color: { r: 1, g: 2, b: 3 } }, { color: '#010203' }],
    [{ frameRate: '60' }, { fps: 60 }],
  ])('reads %j', (fields, told) => expect(read(fields)).toMatchObject(told));

  it('leaves out what it cannot read rather than guessing', () => {
    const odd = { duration: 'soon', aspect: -1, color: 'reddish', fps: 0, width: null, keywords: 7 };
    expect(read(odd)).toEqual({ preset: 'a/b', title: '', keywords: [] });
  });

  it('reads reasons under other names', () => {
    const reasons = [{ term: '开心', matched_field: 'tags', type: 'Synonym' }, { keyword: '生日' }];
    expect(readCandidate({ ...cake, match_reasons: reasons })?.reasons).toEqual([
      { keyword: '开心', field: 'tags', isSynonym: true },
      { keyword: '生日', field: undefined, isSynonym: false },
    ]);
  });
});
