// A stage for renders: the sandbox as a service of its own, a proxy that can go wrong before it, a home, and the template
// runtime under `svcd run`. And the judgement: is each asset right, and if not, does the report say so?

import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect, onTestFinished } from 'vitest';
import type { Report, ReportAsset } from '../../src/api/report.js';
import { openCatalogue } from '../../src/catalogue/catalogue.js';
import { DATA_FOLDER } from '../../src/config/config.js';
import { openDefaultPack } from '../../src/defaults/default-pack.js';
import { sha256Hex } from '../../src/model/hash.js';
import type { Runtime } from '../../src/platform/files/runtime-file.js';
import { once } from 'node:events';
import { inDatabase } from '../support/sqlite.js';
import { collect, makeHome, runSvcd, spawnSvcd, type Outcome } from '../support/run-svcd.js';
import { startFaultProxy, type FaultProxy } from './fault-proxy.js';
import type { DrawnAsset, Manifest } from './runtime/video-manifest.js';

/** Stickers of the sandbox for the eight scenes, chosen by an earlier plan. */
export const PLAN = 'birthday-cake balloon fireworks sun red-heart locomotive soccer-ball musical-note'
  .split(' ')
  .map((name) => `twemoji/${name}`);
const STICKERS = PLAN.length;
/** The exit code of `svcd run --strict` when something is not what was asked for. */
const NOT_WHOLE = 20;
const COPY = JSON.parse(readFileSync(join(import.meta.dirname, 'runtime', 'copy.json'), 'utf8')) as object;

const catalogue = openCatalogue(join(DATA_FOLDER, 'catalogue'));
const pack = openDefaultPack(join(DATA_FOLDER, 'defaults'));
const places = new Map([...catalogue.entries()].map(({ preset, at }) => [preset, at]));

export interface Video {
  readonly outcome: Outcome;
  readonly manifest: Manifest;
  readonly report: Report;
  readonly ms: number;
}

export interface Judgement {
  /** Scenes whose sticker is the remote's own bytes; and whether the image is. */
  readonly right: readonly string[];
  readonly wrong: readonly string[];
  /** Why, of each that is wrong. */
  readonly reasons: readonly string[];
}

export interface Stage {
  readonly proxy: FaultProxy;
  readonly home: string;
  /** A command on this home. */
  svcd(...args: string[]): Promise<Outcome>;
  /** A command on the sandbox. */
  sandbox(...args: string[]): Promise<Outcome>;
  /** Credits that the account has left, as the sandbox itself says. */
  creditsLeft(): Promise<number>;
  /** The process of the daemon. */
  daemonPid(): number;
  /** Makes a video of these stickers, or of those that the runtime itself finds for its copy. */
  render(presets?: readonly string[]): Promise<Video>;
  /** Compares with the sandbox's own bytes, and with the report and exit code. */
  judge(video: Video): Promise<Judgement>;
}

export interface StageOptions {
  /** The program that makes a video: one that knows nothing of svcd if not given. */
  readonly runtime?: string;
  readonly credits?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** Opens one that is cleared away with the test. */
export async function openStage({
  credits = 1000,
  env = {},
  runtime = 'render-video.ts',
}: StageOptions = {}): Promise<Stage> {
  const remoteHome = makeHome();
  const started = ['sandbox', 'start', '--json', '--port', '0', '--seed', '1', '--credits', `${credits}`];
  const child = spawnSvcd(started, remoteHome, ['ignore', 'pipe', 'inherit']);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await once(child, 'close');
    remoteHome.remove();
  });
  const said = collect(child.stdout);
  await expect.poll(said).toContain('\n');
  const remote = JSON.parse(said()) as { url: string; key: string };
  const proxy = await startFaultProxy(remote.url);

  const { home, remove } = makeHome();
  const variables = { SVCD_REMOTE: proxy.url, SVCD_PORT: '0', SERVICE_API_KEY: remote.key, ...passedOn(), ...env };
  const svcd = (...args: string[]) => runSvcd(args, { home, env: variables });
  onTestFinished(async () => {
    await svcd('stop');
    remove();
  });
  const out = mkdtempSync(join(tmpdir(), 'svcd-video-'));
  onTestFinished(() => rmSync(out, { recursive: true, force: true }));
  const program = join(import.meta.dirname, 'runtime', runtime);
  let videos = 0;
  const askRemote = async (path: string) => {
    const answer = await fetch(remote.url + path, { headers: { Authorization: `Bearer ${remote.key}` } });
    return new Uint8Array(await answer.arrayBuffer());
  };

  return {
    proxy,
    home,
    svcd,
    sandbox: (...args) => runSvcd(['sandbox', ...args], { home: remoteHome.home }),
    creditsLeft: async () => {
      const usage = JSON.parse(new TextDecoder().decode(await askRemote('/api/v1/usage'))) as Record<string, unknown>;
      return Number(usage['effective_credits_remaining']);
    },
    daemonPid: () => {
      const { pid } = JSON.parse(readFileSync(join(home, 'runtime.json'), 'utf8')) as Runtime;
      if (pid === null) throw new Error('no daemon runs');
      return pid;
    },
    render: async (presets) => {
      const folder = join(out, String((videos += 1)));
      const reportFile = `${folder}.json`;
      const begun = performance.now();
      const copyFile = `${folder}.copy.json`;
      writeFileSync(copyFile, JSON.stringify({ ...COPY, ...(presets === undefined ? {} : { presets }) }));
      const command = [process.execPath, '--import', 'tsx', program, folder, copyFile];
      const outcome = await svcd('run', '--report', reportFile, '--strict', '--', ...command);
      const ms = Math.round(performance.now() - begun);
      if (!existsSync(join(folder, 'manifest.json'))) throw new Error(`no video: ${outcome.stdout}${outcome.stderr}`);
      const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;
      return {
        outcome,
        manifest: read(join(folder, 'manifest.json')) as Manifest,
        report: read(reportFile) as Report,
        ms,
      };
    },
    judge: (video) =>
      judge(video, async (asset) => {
        if (asset.kind === 'sticker') return sha256OfSticker(asset.preset ?? '');
        // svcd shows it at an address of its own; what it owns says where the service keeps it.
        const shas = await Promise.all(picturesIn(home).map(async (path) => sha256Hex(await askRemote(path))));
        return shas.find((sha) => sha === asset.sha256);
      }),
  };
}

async function judge(
  { manifest, report, outcome }: Video,
  shaOf: (asset: DrawnAsset) => Promise<string | undefined>,
): Promise<Judgement> {
  const [right, wrong, reasons]: [string[], string[], string[]] = [[], [], []];
  expect(manifest.assets).toHaveLength(STICKERS + 1);
  // What was asked while no daemon was there is in no report, which says that there was such a time.
  const { away = [] } = report as Report & { away?: readonly object[] };
  for (const asset of manifest.assets) {
    expect(asset.painted, `${asset.scene} is blank in the video`).toBeGreaterThan(0);
    const told = report.assets.find(({ kind, preset }) => kind === asset.kind && preset === asset.preset);
    if (asset.sha256 === (await shaOf(asset))) {
      right.push(asset.scene);
      // Whoever acts on the report must find each sticker under the digest that was drawn.
      if (told?.kind === 'sticker') expect(told.sha256).toBe(asset.sha256);
      continue;
    }
    wrong.push(asset.scene);
    if (told === undefined && (asset.reason === 'no_svcd' || (asset.status === 0 && away.length > 0))) {
      reasons.push('no_svcd');
      continue;
    }
    reasons.push(reasonOf(told) ?? `${asset.scene} is wrong, and the report does not say so`);
    const got = `${asset.status} of ${asset.address ?? 'no address'}, drawn from ${asset.from}`;
    expect(['default', 'failed'], `${asset.scene} is wrong (${got})`).toContain(told?.outcome);
  }
  const { fallbacks, failed } = report.summary;
  expect(outcome.code, outcome.stderr).toBe(fallbacks + failed + away.length > 0 ? NOT_WHOLE : 0);
  if (wrong.length > 0) expect(outcome.code).toBe(NOT_WHOLE);
  expect(outcome.stderr).toContain(`${report.summary.assets} assets`);
  return { right, wrong, reasons };
}

function reasonOf(asset: ReportAsset | undefined): string | undefined {
  return (asset?.outcome === 'failed' ? asset.error : asset?.reason) ?? undefined;
}

/** Of the bytes that the sandbox sells, or that svcd ships. */
async function sha256OfSticker(preset: string): Promise<string | undefined> {
  const at = places.get(preset);
  if (at !== undefined) return sha256Hex(await catalogue.readLottie(at));
  const shipped = pack.findSticker(preset);
  return shipped && sha256Hex(await pack.readSticker(shipped));
}

/** Paths on the service of the pictures that owned image answers name. */
function picturesIn(home: string): string[] {
  const kept = inDatabase(join(home, 'owned.db'), (db) =>
    db.prepare<[], { gzip: Buffer }>(`SELECT gzip FROM owned WHERE item LIKE 'image:%'`).all(),
  );
  const texts = kept.map(({ gzip }) => gunzipSync(gzip).toString());
  return texts.flatMap((text) => text.match(/\/api\/v1\/images\/[\w-]+\.png/g) ?? []);
}

function passedOn(): Record<string, string> {
  const path = process.env['CHROMIUM_PATH'];
  return path === undefined ? {} : { CHROMIUM_PATH: path };
}
