// Stickers and images: a file of the lock, else svcd, else what the options say where it is not there.

import type { Asset, AssetOptions, Image, ImageRequest, LottieFile, Sticker, StickerFacts } from './client-types.js';
import { creditOf, sendAgain, within, type Parts } from './calls.js';
import { exchange, jsonOf, type Answer, type Question, type Target } from './exchange.js';
import type { LockedFile } from './locked-files.js';
import type { Patience } from './patience.js';
import { plainLottie, plainPicture } from './plain-assets.js';
import { invalidArgument, isSvcdError, LostConnection, SvcdError } from './svcd-error.js';

const STICKER_PRICE = 1;
const IMAGE_PRICE = 10;
const IMAGE_DEADLINE_MS = 300_000;
/** Taken off the deadline that svcd is told, for its answer's way back. */
const WAY_BACK_MS = 200;
const DEADLINE_MAX_MS = 600_000;
const LOTTIE = 'application/json';

export async function fetchSticker(parts: Parts, preset: string, options: AssetOptions): Promise<Sticker> {
  requireText(preset, 'preset');
  const locked = await parts.locked?.sticker(preset, options.fallback !== 'error');
  if (locked !== undefined) return stickerOf(preset, await lockedAsset(locked, LOTTIE), locked.asset.verdict);
  const question: Question = { method: 'GET', path: `/api/v1/stickers/${encodeURIComponent(preset)}` };
  return buy<Sticker>(parts, options, question, {
    take: async (answer, target) => {
      const file = jsonOf<LottieFile>(answer, target);
      if (Array.isArray(file.layers)) {
        const verdict = answer.headers.get('x-svcd-verdict') ?? undefined;
        return stickerOf(preset, await assetOf(answer, target, LOTTIE, STICKER_PRICE), verdict);
      }
      throw new SvcdError('upstream_failure', `${target.baseUrl} answered with JSON that is no Lottie file`, answer);
    },
    plain: async (cost) => stickerOf(preset, await plainAsset(plainLottie(), LOTTIE, cost), undefined),
  });
}

export async function generateImage(parts: Parts, request: ImageRequest, options: AssetOptions): Promise<Image> {
  const { prompt, size, variant, fresh = false } = request;
  requireText(prompt, 'prompt');
  requireText(size, 'size');
  const locked = fresh ? undefined : await parts.locked?.image(request, options.fallback !== 'error');
  if (locked !== undefined) {
    const { width, height } = locked.asset;
    const asset = await lockedAsset(locked, typeOf(locked.bytes));
    return { ...asset, width, height, size, url: undefined, notices: [] };
  }
  const headers = {
    ...(variant !== undefined && { 'X-Svcd-Variant': variant }),
    ...(fresh && { 'X-Svcd-Fresh': '1' }),
  };
  const question: Question = { method: 'POST', path: '/api/v1/images', headers, body: { prompt, size } };
  const [width = 0, height = 0] = /^(\d{1,4})x(\d{1,4})$/.exec(size)?.slice(1).map(Number) ?? [];
  return buy<Image>(parts, options, question, {
    once: fresh,
    deadlineMs: IMAGE_DEADLINE_MS,
    take: async (answer, target, patience) => {
      const told = jsonOf<Record<string, unknown>>(answer, target);
      const picture = await fetchPicture(parts, told, target, patience);
      const asset = await assetOf({ ...answer, bytes: picture.bytes }, target, picture.type, IMAGE_PRICE);
      return {
        ...asset,
        width: Number(told['width'] ?? width),
        height: Number(told['height'] ?? height),
        size,
        url: picture.url,
        notices: Array.isArray(told['notices']) ? (told['notices'] as unknown[]) : [],
      };
    },
    plain: async (cost) => {
      const asset = await plainAsset(await plainPicture(width || 1024, height || 1024), 'image/png', cost);
      return { ...asset, width: width || 1024, height: height || 1024, size, url: undefined, notices: [] };
    },
  });
}

interface Goods<T> {
  /** Whether sending it again may pay again. */
  readonly once?: boolean;
  /** How long is waited where nobody says. */
  readonly deadlineMs?: number;
  take(answer: Answer, target: Target, patience: Patience): Promise<T>;
  plain(cost: number | 'unknown'): Promise<T>;
}

async function buy<T>(parts: Parts, options: AssetOptions, question: Question, goods: Goods<T>): Promise<T> {
  const { otherwise = 'plain' } = parts.options;
  const isHurried = (options.deadlineMs ?? parts.options.deadlineMs) !== undefined;
  const work = async (patience: Patience): Promise<T> => {
    /** Whether something may have been charged that nobody told of. */
    let mayBePaid = false;
    const sendTo = async (target: Target): Promise<T> => {
      const leftMs = Math.min(DEADLINE_MAX_MS, Math.max(1, Math.floor(patience.leftMs() - WAY_BACK_MS)));
      const headers = {
        ...question.headers,
        ...(isHurried && { 'X-Svcd-Deadline-Ms': String(leftMs) }),
        ...(options.fallback !== undefined && { 'X-Svcd-Fallback': options.fallback === 'error' ? 'off' : 'on' }),
      };
      const before = mayBePaid;
      mayBePaid = true;
      const answer = await exchange(parts.fetch, target, { ...question, headers }, patience).catch((error: unknown) => {
        mayBePaid = before || (error instanceof LostConnection && !error.isUnsent) || patience.signal.aborted;
        throw error;
      });
      return goods.take(answer, target, patience);
    };
    try {
      const kindAt = ({ isSvcd }: Target) => (isSvcd && goods.once !== true ? 'joined' : 'once');
      return await sendAgain(parts, patience, kindAt, sendTo);
    } catch (error) {
      const isAway = error instanceof LostConnection || (isSvcdError(error, 'timeout') && error.status === undefined);
      if (!isAway) throw error;
      // What may have been paid for through svcd is not paid for again beside it.
      if (parts.service !== undefined && !mayBePaid) return askService(parts, parts.service, patience, sendTo);
      if (otherwise !== 'plain' || options.fallback === 'error') throw error;
      return goods.plain(mayBePaid ? 'unknown' : 0);
    }
  };
  return within(parts, options, work, goods.deadlineMs);
}

async function askService<T>(
  parts: Parts,
  service: Target,
  patience: Patience,
  work: (target: Target) => Promise<T>,
): Promise<T> {
  const locator = { locate: () => Promise.resolve(service), forget: () => undefined };
  try {
    return await sendAgain({ ...parts, locator }, patience, () => 'once', work);
  } catch (error) {
    if (!(error instanceof LostConnection)) throw error;
    throw new SvcdError('offline', error.message, { cause: error.cause });
  }
}

/** The picture that an image answer names, by whatever name. */
async function fetchPicture(
  { fetch }: Parts,
  told: Readonly<Record<string, unknown>>,
  target: Target,
  patience: Patience,
): Promise<{ bytes: Answer['bytes']; type: string; url: string }> {
  const isAddress = (value: unknown): value is string => typeof value === 'string' && /^(?:https?:\/)?\//.test(value);
  const url = [told['url'], ...Object.values(told)].find(isAddress);
  if (url === undefined) throw new SvcdError('upstream_failure', 'the answer names no picture', { status: 200 });
  const { bytes } = await exchange(fetch, target, { method: 'GET', path: url }, patience);
  return { bytes, type: typeOf(bytes), url: new URL(url, target.baseUrl).href };
}

async function assetOf(answer: Answer, { isSvcd }: Target, contentType: string, price: number): Promise<Asset> {
  const { headers, bytes } = answer;
  const source = (headers.get('x-svcd-source') ?? 'remote') as Asset['source'];
  const cost = headers.get('x-svcd-cost') ?? (isSvcd ? 'unknown' : String(price));
  return {
    bytes,
    contentType,
    sha256: await sha256Of(bytes),
    source,
    reason: headers.get('x-svcd-reason') ?? undefined,
    cost: cost === 'unknown' ? cost : Number(cost),
    ...creditOf(answer),
  };
}

async function lockedAsset({ asset, bytes }: LockedFile, contentType: string): Promise<Asset> {
  const { source, reason, sha256, attribution } = asset;
  const common = { bytes, contentType, sha256, cost: 0, balance: undefined, attribution, warnings: [] };
  return source === 'default'
    ? { ...common, source: 'default', reason: reason ?? 'unknown' }
    : { ...common, source: 'locked', reason: undefined };
}

async function plainAsset(bytes: Answer['bytes'], contentType: string, cost: number | 'unknown'): Promise<Asset> {
  const sha256 = await sha256Of(bytes);
  const nothing = { balance: undefined, attribution: undefined, warnings: [] };
  return { bytes, contentType, sha256, source: 'default', reason: 'no_svcd', cost, ...nothing };
}

function stickerOf(preset: string, asset: Asset, verdict: string | undefined): Sticker {
  const json = () => JSON.parse(new TextDecoder().decode(asset.bytes)) as LottieFile;
  return { ...asset, preset, facts: factsOf(json(), verdict), json };
}

function factsOf(file: LottieFile, verdict: string | undefined): StickerFacts | undefined {
  const [width, height, rate, first, end] = ['w', 'h', 'fr', 'ip', 'op'].map((name) => Number(file[name]));
  const frames = (end ?? NaN) - (first ?? NaN);
  if (!(width! > 0 && height! > 0 && rate! > 0 && frames > 0)) return undefined;
  return {
    width: width!,
    height: height!,
    frame_rate: rate!,
    first_frame: first!,
    frames,
    duration_s: frames / rate!,
    verdict,
  };
}

/** The media type that the first bytes tell. */
function typeOf(bytes: Uint8Array): string {
  const head = String.fromCharCode(...bytes.subarray(0, 12));
  if (head.startsWith('\x89PNG')) return 'image/png';
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('GIF8')) return 'image/gif';
  return /^RIFF....WEBP/s.test(head) ? 'image/webp' : 'application/octet-stream';
}

async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

function requireText(value: unknown, name: string): void {
  if (typeof value !== 'string' || value === '')
    throw invalidArgument(`${name} must be a text, got ${JSON.stringify(value)}`);
}
