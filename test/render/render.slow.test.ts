// Videos by a template runtime that knows nothing of svcd, and by its twin that uses the client, while all kinds of things
// go wrong: no render stops, and every asset is the right one or it is told that it is not, and why: by the report of
// `svcd run`, or by the client where svcd was away.

import { afterAll, beforeAll, expect, it } from 'vitest';
import { CHROMIUM, describeIf } from '../support/requires.js';
import { openStage as openStageOf, PLAN, type Stage, type StageOptions, type Video } from './render-stage.js';

const [STICKER_PRICE, IMAGE_PRICE] = [1, 10];
const ALL_PRICE = PLAN.length * STICKER_PRICE + IMAGE_PRICE;
/** Trouble begins with this download; the runtime has four under way at once, so two are certainly done. */
const MIDDLE = 6;
const DONE_BEFORE = 2;
// Short, so that a deadline that must pass does not make the tests long.
const HURRIED = { SVCD_DEADLINE_MS: '1000' };

const times: [scenario: string, ms: number][] = [];
const note = (scenario: string, { ms }: Video) => void times.push([scenario, ms]);

const RUNTIMES = { 'a video': 'render-video.ts', 'a video made with the client': 'render-with-client.ts' };

for (const [name, runtime] of Object.entries(RUNTIMES)) describeIf(CHROMIUM, name, () => suite(runtime));

function suite(runtime: string): void {
  const openStage = (options: StageOptions = {}) => openStageOf({ runtime, ...options });
  /** Of these the client hears nothing new: a default that is late, a slow answer, and one purchase for two. */
  const itOfDaemon: (name: string, test: () => Promise<void>) => void =
    runtime === RUNTIMES['a video'] ? it : () => undefined;
  let undisturbed: Video;

  beforeAll(() => void times.splice(0));

  afterAll(() => {
    const lines = times.map(([scenario, ms]) => {
      const more = ((ms - (undisturbed?.ms ?? NaN)) / 1000).toFixed(1);
      return `${scenario.padEnd(44)} ${(ms / 1000).toFixed(1).padStart(6)} s  ${more.padStart(6)} s more\n`;
    });
    process.stdout.write(`\nRenders beside one without faults:\n${lines.join('')}`);
  });

  it('has all the right assets when nothing goes wrong, and costs nothing the second time', async () => {
    const stage = await openStage();
    const before = await stage.creditsLeft();
    undisturbed = await stage.render();
    note('no faults', undisturbed);
    expect((await stage.judge(undisturbed)).wrong).toEqual([]);
    const { credits } = undisturbed.report.summary;
    expect(before - (await stage.creditsLeft())).toBe(credits);
    expect(undisturbed.manifest.registered).toEqual([200, 200]);

    const again = await stage.render(undisturbed.manifest.assets.flatMap(({ preset }) => preset ?? []));
    note('no faults, all owned', again);
    expect((await stage.judge(again)).wrong).toEqual([]);
    expect(again.report.summary).toMatchObject({ credits: 0, fallbacks: 0, failed: 0 });
    expect(before - (await stage.creditsLeft())).toBe(credits);
    expect(again.manifest.assets.map(({ sha256 }) => sha256)).toEqual(
      undisturbed.manifest.assets.map(({ sha256 }) => sha256),
    );
  });

  it('is told to hold defaults when the remote is killed in the middle', async () => {
    const stage = await openStage();
    stage.proxy.from(MIDDLE, { kind: 'refuse' });
    const { right, reasons } = await judged(stage, 'remote killed');
    expect(right.length).toBeGreaterThanOrEqual(DONE_BEFORE);
    expect(reasons.length).toBeGreaterThan(0);
    // What was on its way when it died may have been charged.
    expect(new Set(reasons.filter((reason) => !/^(?:offline|unsettled|upstream_failure)$/.test(reason)))).toEqual(
      new Set(),
    );
  });

  itOfDaemon('is told to hold defaults when the remote is a black hole', async () => {
    const stage = await openStage({ env: { SVCD_IMAGE_DEADLINE_MS: '3000', ...HURRIED } });
    stage.proxy.from(MIDDLE, { kind: 'black-hole' });
    const { right, reasons } = await judged(stage, 'remote a black hole (deadline 1 s, image 3 s)');
    expect(right.length).toBeGreaterThanOrEqual(DONE_BEFORE);
    for (const reason of reasons) expect(['late', 'offline', 'unsettled']).toContain(reason);
  });

  it('is told what comes late, and has it the next time for no more money', async () => {
    const stage = await openStage({ env: HURRIED });
    const before = await stage.creditsLeft();
    stage.proxy.from(1, { kind: 'latency', ms: 1500 });
    const { reasons } = await judged(stage, 'latency beyond the deadline (1.5 s, 1 s)');
    expect(reasons.length).toBeGreaterThan(0);
    // After silence as long as a deadline the remote counts as away, until its answer comes.
    expect(reasons).toContain('late');
    for (const reason of reasons) expect(['late', 'offline']).toContain(reason);
    stage.proxy.mend();
    expect((await judged(stage, 'the same again')).wrong).toEqual([]);
    expect(before - (await stage.creditsLeft())).toBe(ALL_PRICE);
  });

  it('waits for a remote that is slow but within the deadline', async () => {
    const stage = await openStage();
    stage.proxy.from(1, { kind: 'latency', ms: 1500 });
    expect((await judged(stage, 'latency within the deadline (1.5 s, 8 s)')).wrong).toEqual([]);
  });

  itOfDaemon('waits where the remote says 429 with Retry-After', async () => {
    const stage = await openStage();
    const before = await stage.creditsLeft();
    stage.proxy.from(1, { kind: 'busy', times: 1, retryAfterS: 1 });
    expect((await judged(stage, '429 with Retry-After: 1')).wrong).toEqual([]);
    expect(before - (await stage.creditsLeft())).toBe(ALL_PRICE);
  });

  it('is told to hold defaults when the credits run out', async () => {
    const stage = await openStage({ credits: 3 });
    const { right, reasons } = await judged(stage, 'out of credits');
    expect(right).toHaveLength(3);
    expect(new Set(reasons)).toEqual(new Set(['insufficient_credits']));
    expect(await stage.creditsLeft()).toBe(0);
  });

  it("is told what failed when the Key is disabled, and draws the template's own", async () => {
    const stage = await openStage();
    const disable = () => stage.sandbox('keys', 'set', '1', '--state', 'disabled');
    stage.proxy.from(MIDDLE, { kind: 'pass' }, disable);
    const video = await stage.render(PLAN);
    note('Key disabled', video);
    const { wrong, reasons } = await stage.judge(video);
    expect(wrong.length).toBeGreaterThan(0);
    expect(new Set(reasons)).toEqual(new Set(['key_disabled']));
    const own = video.manifest.assets.filter(({ from }) => from === 'template').map(({ scene }) => scene);
    expect(own).toEqual(wrong);
  });

  it('has all the right assets when the daemon is restarted in the middle', async () => {
    const stage = await openStage();
    const before = await stage.creditsLeft();
    stage.proxy.from(MIDDLE, { kind: 'pass' }, () => {
      // Not waited for: it may wait for the very download that it interrupts.
      void stage.svcd('stop').then(() => stage.svcd('start', '--detach'));
      return Promise.resolve();
    });
    const { wrong } = await judged(stage, 'daemon restarted');
    expect(before - (await stage.creditsLeft())).toBeLessThanOrEqual(ALL_PRICE);
    expect(wrong.length).toBeLessThan(MIDDLE + 1);
    expect((await judged(stage, 'the same again')).wrong).toEqual([]);
  });

  it('loses no asset that was paid for when the daemon is killed in the middle', async () => {
    const stage = await openStage();
    const before = await stage.creditsLeft();
    stage.proxy.from(MIDDLE, { kind: 'pass' }, () => {
      process.kill(stage.daemonPid(), 'SIGKILL');
      return Promise.resolve();
    });
    const { reasons } = await judged(stage, 'daemon killed');
    // A download that was on its way may have been charged: it is settled first, and not bought blindly.
    // The client does not wait until somebody starts svcd again: it says that nobody was there.
    for (const reason of reasons) expect(['unsettled', 'late', 'offline', 'no_svcd']).toContain(reason);
    expect(before - (await stage.creditsLeft())).toBeLessThanOrEqual(ALL_PRICE);
  });

  itOfDaemon('is right, and paid once, when two are made at once', async () => {
    const stage = await openStage();
    const before = await stage.creditsLeft();
    const videos = await Promise.all([stage.render(PLAN), stage.render(PLAN)]);
    for (const [i, video] of videos.entries()) {
      note(`two at once, number ${i + 1}`, video);
      expect((await stage.judge(video)).wrong).toEqual([]);
    }
    const credits = videos.reduce((sum, { report }) => sum + report.summary.credits, 0);
    expect(credits).toBe(ALL_PRICE);
    expect(before - (await stage.creditsLeft())).toBe(ALL_PRICE);
  });
}

async function judged(stage: Stage, scenario: string) {
  const video = await stage.render(PLAN);
  note(scenario, video);
  return stage.judge(video);
}
