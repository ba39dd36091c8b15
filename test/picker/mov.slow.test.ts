// The movies that the page makes, read by FFmpeg, which is none of our code: what they say of themselves, and each pixel.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createMov, type MovCodec } from '../../src/picker/export/mov.js';
import { describeIf, FFMPEG } from '../support/requires.js';
import { homeInTest } from '../support/in-test.js';

type Pixel = readonly [red: number, green: number, blue: number, alpha: number];
type Draw = (x: number, y: number, frame: number) => Pixel;

const noise = (...seed: readonly number[]) =>
  Math.abs(
    Math.imul(
      seed.reduce((a, b) => a * 31 + b, 7),
      2654435761,
    ),
  ) % 256;
/** A disc with a soft edge that moves over nothing. */
const disc =
  (width: number, height: number): Draw =>
  (x, y, frame) => {
    const left = Math.min(width, height) / 3 - Math.hypot(x - width / 2 - frame, y - height / 2);
    const alpha = Math.round(255 * Math.max(0, Math.min(1, left / 3)));
    return alpha === 0 ? [0, 0, 0, 0] : [200, Math.round((y * 255) / height), (x + frame * 9) % 128, alpha];
  };
const nothing: Draw = () => [0, 0, 0, 0];
const full: Draw = (x, y) => [x % 256, y % 256, 128, 255];
const noisyAlpha: Draw = (x, y, frame) => [90, 90, 90, noise(x, y, frame)];

const FRAMES = 3;

async function movieOf(width: number, height: number, codec: MovCodec, rate: number, draw: Draw): Promise<Buffer> {
  const mov = createMov(width, height, codec, rate);
  for (let frame = 0; frame < FRAMES; frame += 1) {
    const pixels = new Uint8ClampedArray(width * height * 4);
    for (let at = 0; at < width * height; at += 1) pixels.set(draw(at % width, Math.floor(at / width), frame), at * 4);
    await mov.add(pixels, 0);
  }
  return Buffer.concat(mov.finish());
}

function probe(file: string): Record<string, unknown> {
  const asked = ['-v', 'error', '-show_streams', '-count_frames', '-of', 'json', file];
  const { streams } = JSON.parse(execFileSync('ffprobe', asked, { encoding: 'utf8' })) as { streams: object[] };
  expect(streams).toHaveLength(1);
  return streams[0] as Record<string, unknown>;
}

/** Every frame as raw pixels. */
function decode(file: string, format: string): Buffer {
  const asked = ['-v', 'error', '-i', file, '-f', 'rawvideo', '-pix_fmt', format, '-'];
  return execFileSync('ffmpeg', asked, { maxBuffer: 64 * 1024 * 1024 });
}

/** Levels of 12 bits, by BT.709. */
function levelsOf([red, green, blue, alpha]: Pixel): readonly number[] {
  const [r, g, b] = [red / 255, green / 255, blue / 255];
  const y = 0.2126 * r + 0.7152 * g + 0.0722 * b;
  const chroma = [((b - y) / 1.8556) * 896, ((r - y) / 1.5748) * 896];
  return [(64 + 876 * y) * 4, ...chroma.map((one) => (512 + one) * 4), (alpha / 255) * 4095];
}

describeIf(FFMPEG, 'a movie for an editing program', () => {
  it.each([
    [40, 30, 24_000 / 1001, '24000/1001', disc(40, 30)],
    [1, 1, 24, '24/1', full],
    [15, 16, 25, '25/1', disc(15, 16)],
    [17, 33, 30_000 / 1001, '30000/1001', disc(17, 33)],
    [130, 70, 30, '30/1', full],
    [64, 64, 50, '50/1', nothing],
    [48, 48, 60_000 / 1001, '60000/1001', noisyAlpha],
    [333, 129, 60, '60/1', disc(333, 129)],
  ])('of %i × %i is ProRes 4444 of the same picture and alpha', async (width, height, rate, told, draw) => {
    const file = join(homeInTest(), 'a.mov');
    writeFileSync(file, await movieOf(width, height, 'prores', rate, draw));
    expect(probe(file)).toMatchObject({
      codec_name: 'prores',
      codec_tag_string: 'ap4h',
      profile: '4444',
      pix_fmt: 'yuva444p12le',
      color_space: 'bt709',
      width,
      height,
      r_frame_rate: told,
      nb_read_frames: `${FRAMES}`,
    });
    const levels = decode(file, 'yuva444p12le');
    const size = width * height;
    let [color, alpha] = [0, 0];
    for (let frame = 0; frame < FRAMES; frame += 1) {
      for (let at = 0; at < size; at += 1) {
        const pixel = draw(at % width, Math.floor(at / width), frame);
        const off = levelsOf(pixel).map((level, plane) => {
          const seen = levels.readUInt16LE(((frame * 4 + plane) * size + at) * 2);
          return (Math.abs(level - seen) * 255) / 4095;
        });
        alpha = Math.max(alpha, off[3] ?? 0);
        if (pixel[3] > 0) color = Math.max(color, ...off.slice(0, 3));
      }
    }
    expect(alpha).toBeLessThan(0.2);
    expect(color).toBeLessThan(6);
  });

  it('is lossless where its frames are PNG', async () => {
    const file = join(homeInTest(), 'a.mov');
    const draw = disc(61, 40);
    writeFileSync(file, await movieOf(61, 40, 'png', 25, draw));
    expect(probe(file)).toMatchObject({
      codec_name: 'png',
      pix_fmt: 'rgba',
      r_frame_rate: '25/1',
      nb_read_frames: '3',
    });
    const all = Array.from({ length: FRAMES * 61 * 40 }, (_, at) =>
      draw(at % 61, Math.floor(at / 61) % 40, Math.floor(at / (61 * 40))),
    );
    expect(decode(file, 'rgba').equals(Buffer.from(all.flat()))).toBe(true);
  });

  it('is the same file whenever it is made of the same frames', async () => {
    const [one, other] = await Promise.all([0, 1].map(() => movieOf(40, 30, 'prores', 25, disc(40, 30))));
    expect(one?.equals(other ?? Buffer.of())).toBe(true);
  });
});
