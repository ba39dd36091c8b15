// What slips into an error's words stays out of the log.

import { expect, it } from 'vitest';
import { entryAsWords, openLog } from '../../src/platform/log.js';

function linesOf(write: (log: ReturnType<typeof openLog>) => void): string[] {
  const lines: string[] = [];
  write(openLog((line) => lines.push(line), { json: true }));
  return lines;
}

it.each([
  'the Key sk-live-1234567890 was refused',
  'Authorization: Bearer abcdefghijklmnop',
  'token svcd_Hbfxb5LxJwuVbePHS-eAyNswtlDlnglx',
  'cannot reach https://user:abcdefghijklmnop@example.com/x',
  'GET https://example.com/api?q=abcdefghijklmnop failed',
  `SyntaxError: Unexpected token 'a', "abcdefghijklmnop" is not valid JSON`,
  `Unexpected token '祝', ..."abcdefghijklmnop"... is not valid JSON`,
])('leaves out what is private in: %s', (text) => {
  const [line = ''] = linesOf((log) => log.error('failed', { why: text }));
  expect(line).not.toMatch(/abcdefghijklmnop|1234567890|Hbfxb5LxJwuV|祝/);
  expect(JSON.parse(line)).toMatchObject({ level: 'error', event: 'failed' });
});

it('leaves other words as they are', () => {
  const fields = { item: 'sticker:fluent-emoji-flat/birthday-cake', why: 'the remote cannot be reached (ENOTFOUND)' };
  const [line = ''] = linesOf((log) => log.info('the remote is away', fields));
  expect(JSON.parse(line)).toMatchObject(fields);
});

it('is one line of bounded length whatever an event holds', () => {
  const lines = linesOf((log) => log.warn('a\nb', { why: `c\n${'d'.repeat(100_000)}` }));
  expect(lines).toHaveLength(1);
  expect(lines[0]?.split('\n')).toHaveLength(1);
  expect(lines[0]?.length).toBeLessThan(1000);
});

it('is words for a person with a time of their choice', () => {
  const entry = { at: '2026-11-22T02:00:00.000Z', level: 'warn', event: 'x', fields: { a: 1, b: undefined } } as const;
  expect(entryAsWords(entry)).toBe('02:00:00 warn: x a=1');
  expect(entryAsWords(entry, 'then')).toBe('then warn: x a=1');
});
