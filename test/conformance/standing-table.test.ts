import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { CHECKS } from './conformance.js';
import { SENTENCES } from './sentences.js';
import { standingRows } from './standing-table.js';

const readme = readFileSync(resolve(import.meta.dirname, '../../README.md'), 'utf8');

describe('the table of the document in the README', () => {
  test('has a row for every sentence, as the suite has it', () => {
    const rows = [...readme.matchAll(/^\| (\d\.\d+) +\| (.*?) +\| (.*?) +\|$/gm)];
    expect(rows.map(([, number, what, standing]) => [number, what, standing])).toEqual(standingRows());
  });

  test('says that something works, or is our choice, only where a check proves it', () => {
    const claimed = SENTENCES.filter(({ standing }) => ['works', 'our choice'].includes(standing));
    expect(claimed.filter(({ number }) => CHECKS[number] === undefined)).toEqual([]);
    expect(claimed.length).toBeGreaterThan(180);
  });
});
