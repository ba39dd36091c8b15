import { describe, expect, test } from 'vitest';
import { expectDocTable } from '../support/doc-table.js';
import { CHECKS } from './conformance.js';
import { SENTENCES } from './sentences.js';
import { standingRows } from './standing-table.js';

const HEAD = ['sentence', 'what the document says', 'how it stands'];

describe('the table of the document', () => {
  test('has a row for every sentence, as the suite has it', async () => {
    await expectDocTable('test/conformance/README.md', 'sentences', [HEAD, ...standingRows()]);
  });

  test('says that something works, or is our choice, only where a check proves it', () => {
    const claimed = SENTENCES.filter(({ standing }) => ['works', 'our choice'].includes(standing));
    expect(claimed.filter(({ number }) => CHECKS[number] === undefined)).toEqual([]);
    expect(claimed.length).toBeGreaterThan(180);
  });
});
