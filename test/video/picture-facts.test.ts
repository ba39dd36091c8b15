// Kind and size of a picture by its first bytes.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { DATA_FOLDER } from '../../src/config/config.js';
import { pictureFacts } from '../../src/video/lock/picture-facts.js';

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex');

it.each([
  ['png', readFileSync(join(DATA_FOLDER, 'defaults', 'images', '1536x1024.png')), 1536, 1024],
  ['gif', hex('474946383961 2003 5802 00'), 800, 600],
  ['jpg', hex('ffd8 ffe0 0004 0000 ffc2 0011 08 0258 0320 03 000000'), 800, 600],
  ['webp', Buffer.concat([Buffer.from('RIFF____WEBPVP8X'), hex('0a000000 00000000 1f0300 570200')]), 800, 600],
  [
    'avif',
    Buffer.concat([hex('0000001c'), Buffer.from('ftypavif....ispe'), hex('00000000 00000320 00000258')]),
    800,
    600,
  ],
])('reads %s', (extension, bytes, width, height) => {
  expect(pictureFacts(bytes)).toEqual({ extension, width, height });
});

it('makes nothing up for what ends early or is no picture', () => {
  for (const bytes of [
    hex(''),
    hex('ffd8ff'),
    hex('89504e470d0a1a0a'),
    Buffer.from('<svg/>'),
    hex('474946383961 0000 0000 00'),
  ]) {
    expect(pictureFacts(bytes)).toBeUndefined();
  }
});
