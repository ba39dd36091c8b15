// Reading files once, in passing or in a thread that cannot take more time or memory than it is given.

import { describe, expect, it, onTestFinished } from 'vitest';
import { assetOf, LOTTIE_TYPE } from '../../src/model/asset.js';
import { createLottieThread, type LottieThread, type ThreadLimits } from '../../src/lottie/lottie-thread.js';
import { judgeLottie } from '../../src/lottie/judge-lottie.js';
import { createStickerReader } from '../../src/lottie/read-sticker.js';
import { silentLog } from '../../src/platform/log.js';
import { FLAWED, FLAWLESS } from '../support/flawed-lottie.js';

type Item = Record<string, unknown>;

const sound = FLAWLESS[0] ?? {};
const [scripted] = FLAWED.expressions;
const assetFor = (value: unknown) => assetOf(new TextEncoder().encode(JSON.stringify(value)), LOTTIE_TYPE);
/** More than is read in passing, and little to parse. */
const large = (file: Item | undefined, more: Item = {}) => assetFor({ ...file, nm: 'x'.repeat(500_000), ...more });
/** As many values as a file may have. */
const full = () => assetFor({ ...sound, meta: { list: Array.from({ length: 120_000 }, () => [[]]) } });

const LIMITS: ThreadLimits = { timeMs: 60_000, restMs: 60_000, memoryMb: 256 };

function openThread(limits: Partial<ThreadLimits> = {}): LottieThread {
  const thread = createLottieThread({ ...LIMITS, ...limits });
  onTestFinished(() => thread.close());
  return thread;
}

/** A reader, and what its thread was asked for. */
function openReader(limits: Partial<ThreadLimits> = {}) {
  const thread = openThread(limits);
  const asked: string[] = [];
  const watched: LottieThread = {
    run: (work, bytes) => {
      asked.push(work);
      return thread.run(work, bytes);
    },
    close: () => thread.close(),
  };
  return { reader: createStickerReader(silentLog, watched), asked };
}

describe('reading a sticker', () => {
  it('knows warnings and verdict of a small one at once, from one reading for each digest', async () => {
    const { reader, asked } = openReader();
    const asset = assetFor(FLAWED.effects[0]);
    expect(reader.inPassing(asset)).toMatchObject({ warnings: ['effects'], verdict: 'differs' });
    expect(reader.inPassing({ ...asset, bytes: new Uint8Array() })).toMatchObject({ warnings: ['effects'] });
    expect(await reader.factsOf(asset)).toMatchObject({ verdict: 'differs', uses: ['gaussian-blur'] });
    expect(asked).toEqual([]);
  });

  it('begins to read a large one when it is first seen, once, and knows its verdict from then on', async () => {
    const { reader, asked } = openReader();
    const asset = large(scripted);
    expect(reader.inPassing(asset)).toMatchObject({ verdict: undefined });
    expect(reader.inPassing(asset)).toMatchObject({ verdict: undefined });
    const facts = await Promise.all([reader.factsOf(asset), reader.factsOf(asset)]);
    expect(facts[0]).toBe(facts[1]);
    expect(reader.inPassing(asset).verdict).toBe('scripted');
    expect(await reader.factsOf(asset)).toBe(facts[0]);
    expect(asked).toEqual(['facts']);
  });

  it('leaves the process free meanwhile', async () => {
    const { reader } = openReader();
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    await reader.factsOf(full());
    isRead = true;
    // Read here, it would be there before the first turn.
    expect(turns).toBeGreaterThan(1);
  });

  it('makes a safe form once, and gives the asset itself where it is the same', async () => {
    const { reader, asked } = openReader();
    for (const file of [scripted, { ...scripted, nm: 'x'.repeat(500_000) }]) {
      const asset = assetFor(file);
      const [one, other] = await Promise.all([reader.safeFormOf(asset), reader.safeFormOf(asset)]);
      expect(one).toBe(other);
      expect(await reader.safeFormOf(asset)).toBe(one);
      expect(one.sha256).not.toBe(asset.sha256);
      expect(new TextDecoder().decode(one.bytes)).not.toContain('$bm_rt');
      expect(await reader.safeFormOf(one)).toBe(one);
    }
    for (const asset of [assetFor(sound), large(sound)]) expect(await reader.safeFormOf(asset)).toBe(asset);
    // Without its code the scripted file is the sound one.
    expect(asked.filter((work) => work === 'safe')).toHaveLength(2);
  });

  it('has the facts of the head of what takes too long or too much memory, and goes on to the next one', async () => {
    for (const limits of [{ timeMs: 1 }, { memoryMb: 4 }]) {
      const { reader } = openReader(limits);
      const facts = await reader.factsOf(full());
      expect(facts).toMatchObject({ verdict: 'heavy', width: 256, frames: 60 });
      expect(facts.problems.map(({ code }) => code)).toEqual(['too_costly']);
      expect((await reader.factsOf(large(sound))).problems).toHaveLength(1);
    }
  });

  it('tells what is wrong with a file as it does here', async () => {
    const thread = openThread();
    const work = thread.run('facts', new TextEncoder().encode('nothing'));
    await expect(work).rejects.toMatchObject({
      code: 'invalid_request',
      hint: expect.stringContaining('Lottie JSON') as string,
    });
  });

  it('ends after a rest, and begins anew', async () => {
    const thread = openThread({ restMs: 1 });
    const { bytes } = assetFor(sound);
    for (let round = 0; round < 3; round += 1) {
      expect(await thread.run('facts', bytes)).toMatchObject({ verdict: 'clean' });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  });
});

describe('judging what was paid for', () => {
  const open = (limits: Partial<ThreadLimits> = {}) => {
    const asked: string[] = [];
    const thread = openThread(limits);
    const watched: LottieThread = { ...thread, run: (work, bytes) => (asked.push(work), thread.run(work, bytes)) };
    return { open: () => watched, asked };
  };
  const long = { nm: 'x'.repeat(1_100_000) };

  it('is done at once for a small file, in a thread for one over a megabyte, with the same words', async () => {
    for (const [more, works] of [
      [{}, []],
      [long, ['head']],
    ] as const) {
      for (const [w, head] of [
        [100, expect.objectContaining({ w: 100 })],
        [0, '"w" must be a number over 0'],
      ] as const) {
        const { open: opened, asked } = open();
        expect(await judgeLottie(assetFor({ ...sound, ...more, w }).bytes, opened)).toEqual(head);
        expect(asked).toEqual(works);
      }
    }
  });

  it('is done here where the thread has no time', async () => {
    const { open: opened } = open({ timeMs: 0 });
    expect(await judgeLottie(assetFor({ ...sound, ...long, w: 0 }).bytes, opened)).toBe('"w" must be a number over 0');
  });
});
