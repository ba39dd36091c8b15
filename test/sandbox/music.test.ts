import { describe, expect, test } from 'vitest';
import { music } from '../../src/sandbox/music/music-module.js';
import { createRecorder, PREVIEW_S } from '../../src/sandbox/music/recording.js';
import { findTrack, type Track } from '../../src/sandbox/music/track-list.js';
import { refusalIn } from './refusal-in.js';
import { startSandbox, temporaryHome } from './start-sandbox.js';

const HEADER_BYTES = 44;

describe('the music of the sandbox', () => {
  test('is as long as it says, and is heard all the way', async () => {
    const track = trackOf('happy-piano-15');
    const samples = samplesOf(await createRecorder()(track, 'full'));
    expect(samples.length / 22_050).toBe(15);
    for (let second = 0; second < 14; second++) {
      const part = samples.slice(second * 22_050, (second + 1) * 22_050);
      expect(Math.max(...part.map(Math.abs)), `second ${second}`).toBeGreaterThan(3000);
    }
  });

  test('is the same again, and another in another mood or style', async () => {
    const sound = async (id: string) => createRecorder()(trackOf(id), 'preview');
    const first = await sound('happy-piano-15');
    expect(first.equals(await sound('happy-piano-15'))).toBe(true);
    for (const other of ['sad-piano-15', 'happy-folk-15']) expect(first.equals(await sound(other))).toBe(false);
  });

  test('begins with its preview', async () => {
    const record = createRecorder();
    const [preview, full] = [
      samplesOf(await record(trackOf('tense-marimba-15'), 'preview')),
      samplesOf(await record(trackOf('tense-marimba-15'), 'full')),
    ];
    expect(preview.length / 22_050).toBe(PREVIEW_S);
    // Louder or softer as a whole, and faded out at its end, but the same tune: where one rises the other does.
    const rising = preview.slice(0, 22_050).map((value, at) => Math.sign(value - (preview[at - 1] ?? 0)));
    const alike = rising.filter((sign, at) => sign === Math.sign((full[at] ?? 0) - (full[at - 1] ?? 0))).length;
    expect(alike / rising.length).toBeGreaterThan(0.95);
  });

  test('is nowhere unless it is switched on', async () => {
    const { call } = await startSandbox();
    expect(await refusalIn(await call('/api/v1/music/search'))).toBe('404 not_found');
  });

  test('keeps what was selected over a restart, once a track, for its account alone', async () => {
    const home = temporaryHome();
    const first = await startSandbox({ modules: [music] }, home);
    for (let time = 0; time < 2; time++) await first.post('/api/v1/music/tracks/calm-folk-30/select', {});
    await first.stop();
    const second = await startSandbox({ modules: [music] }, home);
    const { assets } = (await (await second.call('/api/v1/assets')).json()) as { assets: object[] };
    expect(assets).toMatchObject([{ track: 'calm-folk-30' }]);
  });
});

function trackOf(id: string): Track {
  const track = findTrack(id);
  if (track === undefined) throw new Error(`no track ${id}`);
  return track;
}

function samplesOf(file: Buffer): number[] {
  return Array.from({ length: (file.length - HEADER_BYTES) / 2 }, (_, at) => file.readInt16LE(HEADER_BYTES + at * 2));
}
