// svcd/slots as the build makes it: which frame at which moment, and files that are those of the lock or refused by the name of
// their slot; on Node.js and in a page.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openSlots, type Play, playhead } from '../../src/client/slots/open-slots.js';
import { launchChromium } from '../support/launch-chromium.js';
import { lockedSticker, lockOf, temporaryFolder } from '../support/locks.js';

const CAKE = '{"fr":60,"ip":0,"op":71,"w":9,"h":9,"layers":[]}';
const file = (frames: number, frame_rate: number) => ({ frames, frame_rate });

describe('the playhead', () => {
  it.each<[string, ReturnType<typeof file>, number, object, number]>([
    ['60 frames a second in a video of 30', file(71, 60), 15 / 30, {}, 30],
    ['after a turn', file(71, 60), 2, {}, 49],
    ['at the end of a turn exactly', file(60, 60), 1, {}, 0],
    ['a rate that is not whole, 6 × 5.2', file(90, 52), 0.6, {}, 31.2],
    ['twice as fast', file(71, 60), 0.25, { speed: 2 }, 30],
    ['not at all fast', file(71, 60), 9, { speed: 0 }, 0],
    ['backwards', file(60, 60), 0.25, { speed: -1 }, 45],
    ['once, and then its last frame', file(71, 60), 9, { play: 'once' }, 70],
    ['there and back', file(71, 60), 80 / 60, { play: 'bounce' }, 60],
    ['there and back again', file(71, 60), 140 / 60, { play: 'bounce' }, 0],
    ['as long as its place', file(71, 60), 2, { play: 'fit', place_s: 4 }, 35.5],
    ['one moment', file(71, 60), 9, { play: { at: 0.5 } }, 30],
    ['a moment beyond its end', file(71, 60), 0, { play: { at: 5 } }, 70],
    ['one frame alone', file(1, 30), 3, { play: 'bounce' }, 0],
    ['no frame at all', file(0, 30), 3, {}, 0],
  ])('is right: %s', (_what, one, seconds, options, frame) => {
    expect(playhead(one, seconds, options)).toBe(frame);
  });

  it('stays within the file, and is the same whenever it is asked', () => {
    const play = fc.constantFrom<Play>('once', 'loop', 'bounce', 'fit', { at: 0.7 });
    const rates = fc.constantFrom(12, 23.976, 24, 25, 29.97, 30, 50, 59.94, 60);
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 600 }),
        rates,
        play,
        fc.integer({ min: 0, max: 9000 }),
        rates,
        (frames, rate, how, at, fps) => {
          const ask = (frame: number) => playhead(file(frames, rate), frame / fps, { play: how, place_s: 7 });
          const first = ask(at);
          expect(first).toBeGreaterThanOrEqual(0);
          expect(first).toBeLessThan(frames);
          ask(at + 1);
          expect(ask(at)).toBe(first);
        },
      ),
    );
  });

  it('is refused where a place has no length', () => {
    expect(() => playhead(file(71, 60), 1, { play: 'fit' })).toThrow('place_s');
  });
});

/** A lock with good, changed, missing and stood-in files, in a folder that is served. */
async function serve() {
  const folder = temporaryFolder();
  const assets = {
    good: lockedSticker(CAKE, { attribution: 'by A' }),
    changed: lockedSticker(`${CAKE} `, { attribution: 'by A' }),
    missing: lockedSticker(`${CAKE}  `),
    stood: lockedSticker(`${CAKE}   `, { source: 'default', reason: 'late' }),
    shipped: lockedSticker(`${CAKE}    `, { source: 'shipped' }),
    guessed: lockedSticker(CAKE, { basis: 'part' }),
  };
  for (const name of ['good', 'stood', 'shipped'] as const) {
    writeFileSync(join(folder, assets[name].file), { good: CAKE, stood: `${CAKE}   `, shipped: `${CAKE}    ` }[name]);
  }
  // One byte.
  writeFileSync(join(folder, assets.changed.file), `${CAKE}\n`);
  const lock = { ...lockOf(assets), lock: 2 as const };
  mkdirSync(join(folder, 'js'));
  for (const name of ['slots.js']) {
    writeFileSync(join(folder, 'js', name), readFileSync(join(import.meta.dirname, '../../dist', name)));
  }
  let asked = 0;
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '');
    try {
      asked += path.endsWith('.json') ? 1 : 0;
      const body = path === '/' ? '<!doctype html>' : readFileSync(join(folder, path));
      response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html').end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { folder, lock, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked: () => asked };
}

const REFUSED = {
  changed: /^slot changed: .* is not the file of the lock; "svcd verify" tells which differ$/,
  missing: /^slot missing: .* cannot be read \(404\); "svcd verify" tells which differ$/,
  nobody: /^slot nobody: the lock has none of that name; it has good, changed, missing/,
};

describe('the slots of a lock', () => {
  it('are checked files on Node.js, from a server or a folder', async () => {
    const { folder, lock, url, asked } = await serve();
    const slots = openSlots(lock, { url: (name) => `${url}/${name}` });
    const [one, other] = [await slots.lottie('good'), await slots.lottie('good')];
    expect(one).toMatchObject({ fr: 60, op: 71 });
    // Players write into what they play; the file is read once.
    expect(one).not.toBe(other);
    expect(asked()).toBe(1);
    expect(slots.credits).toEqual(['by A']);
    expect(slots.stickers).toEqual(Object.keys(lock.assets));
    for (const [slot, words] of Object.entries(REFUSED)) {
      await expect(slots.bytes(slot as 'good'), slot).rejects.toThrow(words);
    }
    const local = openSlots(lock, { url: (name) => pathToFileURL(join(folder, name)).href });
    expect(await local.lottie('good')).toEqual(one);
    await expect(local.bytes('missing')).rejects.toThrow(/^slot missing: .*ENOENT/);
  });

  it('are refused under strict, by name, where they are no choice', async () => {
    const { lock, url } = await serve();
    const lax = openSlots(lock, { url: (name) => `${url}/${name}` });
    const strict = openSlots(lock, { url: (name) => `${url}/${name}`, strict: true });
    for (const slot of ['stood', 'shipped', 'guessed'] as const) {
      expect(await lax.lottie(slot)).toMatchObject({ op: 71 });
      expect(() => strict.entry(slot)).toThrow(new RegExp(`^slot ${slot}: `));
      await expect(strict.bytes(slot)).rejects.toThrow(new RegExp(`^slot ${slot}: `));
    }
    expect(strict.entry('good').url).toBe(`${url}/${lock.assets['good']?.file}`);
  });

  it('need a lock that this svcd can read', () => {
    const options = { url: (name: string) => name };
    expect(() => openSlots({ lock: 3, assets: {} }, options)).toThrow('no lock of version 1 to 2: it says 3');
    expect(() => openSlots({ assets: {} } as never, options)).toThrow('no lock');
  });

  it('are the same in a page', async () => {
    const { lock, url } = await serve();
    const page = await (await launchChromium()).newPage();
    await page.goto(url);
    // As text: what reads this file must not rewrite its import.
    const script = `(async () => {
      const { openSlots } = await import('/js/slots.js');
      const slots = openSlots(${JSON.stringify(lock)}, { url: (name) => '/' + name });
      const good = await slots.lottie('good');
      const words = ${JSON.stringify(Object.keys(REFUSED))}.map((name) => slots.bytes(name).then(() => '', (e) => e.message));
      return { good: good.op, words: await Promise.all(words) };
    })()`;
    const told = await page.evaluate<{ good: number; words: string[] }>(script);
    expect(told.good).toBe(71);
    Object.values(REFUSED).forEach((words, i) => expect(told.words[i]).toMatch(words));
  });

  it('say what is wrong in a page of file://, which may read no files', async () => {
    const { folder, lock } = await serve();
    const script = readFileSync(join(folder, 'js/slots.js'), 'utf8').replace(
      /export\{(\w+) as openSlots[^]*$/,
      'globalThis.openSlots = $1',
    );
    writeFileSync(join(folder, 'page.html'), `<!doctype html><script type="module">${script}</script>`);
    const page = await (await launchChromium()).newPage();
    await page.goto(pathToFileURL(join(folder, 'page.html')).href);
    const asked = `openSlots(${JSON.stringify(lock)}, { url: (name) => name }).bytes('good').catch((e) => e.message)`;
    expect(await page.evaluate(asked)).toMatch(
      /^slot good: .* a page of file:\/\/ may read no file: serve it from http/,
    );
  });
});
