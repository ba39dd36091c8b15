// Reading what a user writes of a video's copy: JSON or lines of text, and every mistake named with its file.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ROOT } from '../support/doc-table.js';
import { readCopy as readNamed } from '../../src/video/apply/read-copy.js';

const readCopy = (path: string) => readNamed(path, async () => new Uint8Array());

function write(name: string, content: string | Uint8Array): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-copy-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, name), content);
  return join(folder, name);
}

const slotsOf = async (name: string, content: string) => (await readCopy(write(name, content))).copy.slots;

describe('a copy file', () => {
  it('is JSON with slots', async () => {
    const text = '{ "$schema": "copy.schema.json", "slots": [{ "id": "opening", "text": "生日快乐", "aspect": 1 }] }\n';
    const { copy } = await readCopy(write('copy.json', text));
    expect(copy.slots).toEqual([{ id: 'opening', text: '生日快乐', aspect: 1 }]);
  });

  it('is shown in src/video/REFERENCE.md with each of its fields', async () => {
    const [, example = ''] =
      /```json\n([^`]+)```/.exec(readFileSync(join(ROOT, 'src/video/REFERENCE.md'), 'utf8')) ?? [];
    const { copy } = await readCopy(write('copy.json', example));
    const music = ['purpose', 'mood', 'style', 'duration_s', 'track', 'optional'];
    const fields = [
      'id',
      'want',
      'text',
      'keywords',
      'preset',
      'aspect',
      'max_duration_s',
      'color',
      'prompt',
      'size',
      ...music,
    ];
    expect(new Set(copy.slots.flatMap((slot) => Object.keys(slot)))).toEqual(new Set(fields));
  });

  it('is JSON under any other name if it begins so, but not under the name of a text', async () => {
    expect(await slotsOf('copy', '\u{FEFF}\n {"slots":[{"id":"a","text":"x"}]}')).toEqual([{ id: 'a', text: 'x' }]);
    expect(await slotsOf('copy.txt', '{name}，生日快乐')).toEqual([{ id: 'line-1', text: '{name}，生日快乐' }]);
  });

  it('is a slot for each line of a text, whatever ends the lines', async () => {
    expect(await slotsOf('copy.txt', '\u{FEFF}生日快乐\r\n\r\n  谢谢大家 \r再见\n\n')).toEqual([
      { id: 'line-1', text: '生日快乐' },
      { id: 'line-2', text: '谢谢大家' },
      { id: 'line-3', text: '再见' },
    ]);
  });

  it.each([
    ['copy.json', '', 'is empty, a JSON object is needed'],
    ['copy.json', '{"slots":', 'is not valid JSON (line 1, column 10)'],
    ['copy.json', '{\n  "slots": [\n    {"id": nope}]}', 'is not valid JSON (line 3, column 12)'],
    ['copy.json', '{"slot":[{"id":"a","text":"x"}]}', 'slots: is required; unknown field "slot"'],
    ['copy.json', '[]', 'must be a JSON object, got an array'],
    ['copy.json', '{}', 'slots: is required'],
    ['copy.json', '{"slots":[]}', 'slots: has 0 entries, 1 to 50 are allowed'],
    ['copy.json', '{"slots":[{"id":"a","text":"x"}],"remote":1}', 'unknown field "remote"'],
    ['copy.json', '{"slots":[{"id":"a","text":"x","colour":1}]}', 'unknown field "slots.0.colour"'],
    ['copy.json', '{"slots":[{"id":"a","text":"x"},{"id":"a","text":"y"}]}', 'slots: names the slot "a" twice'],
    ['copy.json', '{"slots":[{"id":"a","prompt":"x"}]}', 'slots.0: an image needs prompt and size'],
    ['copy.txt', ' \n\n', 'is empty, a line for each slot is needed'],
    ['copy.txt', 'a\n'.repeat(51), 'has 51 entries, 1 to 50 are allowed'],
    ['copy.txt', `a\n\n${'b'.repeat(2001)}`, 'line 3: has 2001 characters, at most 2000 are allowed'],
    ['copy.txt', 'x'.repeat(65_537), 'at most 65536 bytes are accepted, got 65537'],
  ])('%s with %j is refused in one sentence that names the file', async (name, content, why) => {
    const path = write(name, content);
    await expect(readCopy(path)).rejects.toMatchObject({ code: 'invalid_argument', message: `${path}: ${why}` });
  });

  it('is refused when it is no text, and when it is not there', async () => {
    const path = write('copy.txt', Uint8Array.of(0xff, 0xfe, 0x41));
    await expect(readCopy(path)).rejects.toMatchObject({ message: `${path}: is not valid UTF-8` });
    await expect(readCopy(`${path}.gone`)).rejects.toMatchObject({
      code: 'invalid_argument',
      message: `${path}.gone cannot be read (ENOENT)`,
    });
  });
});
