// Long texts of a JSON text are put aside and come back byte for byte, and what is read and written without them is the same.

import { expect, it } from 'vitest';
import { parseJsonRecord } from '../../src/platform/json.js';
import { putLongTextsAside } from '../../src/platform/long-texts.js';

const LONG = 'QUJD'.repeat(30_000);

/** What JSON.parse and JSON.stringify make of it alone, and how much of it they see when long texts are aside. */
function readAndWrite(text: string | Buffer) {
  const bytes = Buffer.from(text);
  const short = putLongTextsAside(bytes);
  const value = parseJsonRecord(short.bytes);
  return {
    seen: short.bytes.byteLength,
    value,
    written: value && Buffer.from(short.restore(JSON.stringify(value))).toString(),
  };
}

it.each([
  ['one among others', { a: 'svcd:/x', picture: LONG, b: [1, null, '\u{1F382}"\\'] }],
  ['several, one twice', { list: [LONG, `${LONG}/`, LONG], $1: LONG }],
  ['one as a name', { [LONG]: 1, after: LONG }],
  ['one with signs that JSON keeps', { text: `${LONG} !#$%&[]^{}~'` }],
])('%s', (_what, value) => {
  const text = JSON.stringify(value);
  const { seen, written } = readAndWrite(text);
  expect(written === text).toBe(true);
  expect(seen).toBeLessThan(1000);
});

it.each([
  ['an escape', JSON.stringify({ text: `${LONG}\n` })],
  ['a quote', JSON.stringify({ text: `"${LONG}` })],
  ['another alphabet', JSON.stringify({ text: `${LONG}\u751f` })],
  ['bytes that are no UTF-8', Buffer.concat([Buffer.from(`{"text":"${LONG}`), Buffer.from([0xff]), Buffer.from('"}')])],
])('leaves one with %s to JSON.parse', (_what, text) => {
  const alone = JSON.stringify(JSON.parse(Buffer.from(text).toString()));
  expect(readAndWrite(text).written === alone).toBe(true);
});

it.each([
  ['a control character', `{"text":"${LONG}\n"}`],
  ['one in the middle', `{"text":"${LONG}\u0001${LONG}"}`],
  ['no end', `{"text":"${LONG}`],
  ['no JSON around it', `{"text" "${LONG}"}`],
])('refuses what JSON.parse refuses: %s', (_what, text) => {
  expect(readAndWrite(text).value).toBeUndefined();
});

it('takes no text of an answer for one that it put aside', () => {
  const text = JSON.stringify({ a: LONG, b: '0-0', c: '"00000000-0000-0000-0000-000000000000-0"' });
  expect(readAndWrite(text).written === text).toBe(true);
});
