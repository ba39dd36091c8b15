// Stickers and images: from svcd, else what the options say where it is not there.

import type { Cost } from './answer-types.js';
import { sendAgain, within, type Parts } from './calls.js';
import type {
  Asset,
  AssetOptions,
  Image,
  ImageRequest,
  LottieFile,
  Sticker,
  StickerFacts,
  StickerOptions,
} from './client-types.js';
import { exchange, jsonWith, type Answer, type Question, type Target } from './exchange.js';
import type { Patience } from './patience.js';
import { invalidArgument, isSvcdError, LostConnection, type SvcdError, unexpected } from './svcd-error.js';

const DEADLINE_MAX_MS = 600_000;
/** Taken off the deadline that svcd is told, for its answer's way back. */
const WAY_BACK_MS = 200;

export function fetchSticker(parts: Parts, preset: string, options: StickerOptions, query: string): Promise<Sticker> {
  // An address with dots alone leads elsewhere.
  if (!/[^.]/.test(preset ?? '')) throw invalidArgument('preset', 'the name of a sticker', preset);
  const question: Question = { path: `/api/v1/stickers/${encodeURIComponent(preset)}${query}` };
  const asItIs = (asset: Asset) => (query ? { ...asset, warnings: [...asset.warnings, 'not_colored'] } : asset);
  return buy<Sticker>(parts, options, question, {
    price: 1,
    usualMs: 60_000,
    isFresh: false,
    mustList: 'layers',
    take: async (_file, answer, { isSvcd }, asset) =>
      // The service itself knows no colors.
      stickerOf(preset, isSvcd ? asset : asItIs(asset), answer.headers.get('x-svcd-verdict') ?? undefined),
    plain: async (...told) => stickerOf(preset, asItIs(await plainAsset(plainLottie(), 'application/json', ...told))),
  });
}

export function generateImage(parts: Parts, request: ImageRequest, options: AssetOptions = {}): Promise<Image> {
  const { prompt, size, variant, fresh = false } = request;
  const headers = {
    ...(variant !== undefined && { 'X-Svcd-Variant': variant }),
    ...(fresh && { 'X-Svcd-Fresh': '1' }),
  };
  const question: Question = { path: '/api/v1/images', headers, body: { prompt, size } };
  return buy<Image>(parts, options, question, {
    price: 10,
    usualMs: 300_000,
    isFresh: fresh,
    take: async (json, answer, target, asset, patience) => {
      const { url: told, width, height, notices = [] } = json as Partial<Image>;
      const url = String(told);
      if (!url.startsWith('/') && !URL.canParse(url)) throw unexpected(`${url} is no address`, answer.status);
      const picture = await exchange(parts.fetch, target, { path: url }, patience);
      const contentType = picture.headers.get('content-type') ?? '';
      if (!contentType.startsWith('image/')) throw unexpected(`${url} is no picture`, picture.status);
      const { bytes } = picture;
      const named = { url: new URL(url, target.address).href, width: Number(width), height: Number(height) };
      return { ...asset, bytes, contentType, sha256: await sha256Of(bytes), size, notices, ...named };
    },
    plain: async (...told) => {
      const asset = await plainAsset(plainPicture(), 'image/png', ...told);
      return { ...asset, size, width: 1, height: 1, url: undefined, notices: [] };
    },
  });
}

interface Goods<T> {
  /** Where the service itself sells it. */
  readonly price: number;
  /** How long is waited where nobody says. */
  readonly usualMs: number;
  /** Whether sending it again may pay again, through svcd too. */
  readonly isFresh: boolean;
  readonly mustList?: string;
  take(json: object, answer: Answer, target: Target, asset: Asset, patience: Patience): Promise<T>;
  plain(cost: Cost, warnings: string[]): Promise<T>;
}

async function buy<T>(parts: Parts, options: AssetOptions, question: Question, goods: Goods<T>): Promise<T> {
  const { fetch, locator, askService, options: usual } = parts;
  const { fallback, deadlineMs = usual.deadlineMs } = options;
  return within(parts, options, goods.usualMs, async (patience) => {
    /** Whether something may have been charged that nobody told of. */
    let mayBePaid = false;
    /** Whether what answers is neither svcd nor the service, which say a code. */
    let other = false;
    const sendTo = async (target: Target): Promise<T> => {
      const leftMs = Math.max(1, Math.min(DEADLINE_MAX_MS, Math.floor(patience.leftMs() - WAY_BACK_MS)));
      const headers = {
        ...question.headers,
        ...(deadlineMs && { 'X-Svcd-Deadline-Ms': `${leftMs}` }),
        ...(fallback && { 'X-Svcd-Fallback': fallback === 'error' ? 'off' : 'on' }),
      };
      const before = mayBePaid;
      mayBePaid = true;
      let json: object | undefined;
      try {
        const answer = await exchange(fetch, target, { ...question, headers }, patience);
        json = jsonWith(goods.mustList, answer, target);
        return await goods.take(json, answer, target, await assetOf(answer, target.isSvcd, goods.price), patience);
      } catch (error) {
        const { code, status = 0 } = error as SvcdError;
        if (error instanceof LostConnection ? error.isUnsent : status >= 400) mayBePaid = before;
        // A service that fails says so with 500 or more, whatever stands before it.
        other = !json && !target.isSvcd && code === 'upstream_failure' && (status < 500 || status === 501);
        throw error;
      }
    };
    try {
      const kindAt = ({ isSvcd }: Target) => (isSvcd && !goods.isFresh ? 'joined' : 'once');
      return await sendAgain(locator, patience, kindAt, sendTo);
    } catch (error) {
      const isAway = error instanceof LostConnection || (isSvcdError(error, 'timeout') && !error.status);
      // What may have been paid for through svcd is not paid for again beside it.
      if (isAway && askService && !mayBePaid) return askService(patience, sendTo);
      if (!(isAway || other) || (usual.otherwise ?? 'plain') !== 'plain' || fallback === 'error') throw error;
      return goods.plain(mayBePaid ? 'unknown' : 0, other ? ['another_program'] : []);
    }
  });
}

async function assetOf(
  { headers, bytes }: Omit<Answer, 'status'>,
  isSvcd: boolean | undefined,
  price: Cost,
): Promise<Asset> {
  const header = (name: string) => headers.get(name) ?? undefined;
  const number = (text: string | undefined) => (text && text !== 'unknown' ? Number(text) : undefined);
  return {
    bytes,
    contentType: header('content-type') ?? '',
    sha256: await sha256Of(bytes),
    source: (header('x-svcd-source') ?? 'remote') as Asset['source'],
    reason: header('x-svcd-reason'),
    cost: number(header('x-svcd-cost')) ?? (isSvcd ? 'unknown' : price),
    balance: number(header('x-service-credits-remaining')),
    attribution: decoded(header('x-svcd-attribution') ?? '') || undefined,
    warnings: header('x-svcd-warning')?.split(', ') ?? [],
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

async function plainAsset(bytes: Answer['bytes'], contentType: string, cost: Cost, warnings: string[]): Promise<Asset> {
  const sha256 = await sha256Of(bytes);
  const asset: Partial<Asset> = { bytes, contentType, sha256, source: 'default', reason: 'no_svcd', cost, warnings };
  return asset as Asset;
}

/** A sticker of a Lottie file. */
export function stickerOf(preset: string, asset: Asset, verdict?: string): Sticker {
  const parsed = () => JSON.parse(new TextDecoder().decode(asset.bytes)) as LottieFile;
  const facts = factsOf(parsed(), verdict);
  const json = () => {
    if (facts) return parsed();
    throw unexpected(`the file of ${preset} lacks its size, rate or frames`);
  };
  const sticker = { ...asset, preset, facts };
  // Not one of its fields: a sticker can be sent to a worker.
  return Object.defineProperty(sticker, 'json', { value: json }) as Sticker;
}

function factsOf({ w, h, fr, ip, op }: LottieFile, verdict: string | undefined): StickerFacts | undefined {
  type Numbers = [number, number, number, number, number];
  const [width, height, frame_rate, first_frame, end] = [w, h, fr, ip, op].map(Number) as Numbers;
  const frames = end - first_frame;
  // As src/lottie/facts.ts rounds it.
  const duration_s = Math.round((frames / frame_rate) * 1000) / 1000;
  if (!(width > 0 && height > 0 && frame_rate > 0 && frames > 0)) return undefined;
  return { width, height, frame_rate, first_frame, frames, duration_s, verdict };
}

async function sha256Of(bytes: Answer['bytes']): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

// What the client itself gives where there is no svcd: a grey disc for two seconds, and a grey picture.

/** A Lottie file of some 400 bytes; a player takes what a transform leaves out as the usual. */
function plainLottie(): Uint8Array<ArrayBuffer> {
  const shapes = [
    { ty: 'el', p: { a: 0, k: [256, 256] }, s: { a: 0, k: [320, 320] } },
    { ty: 'fl', c: { a: 0, k: [0.8, 0.8, 0.8, 1] }, o: { a: 0, k: 100 }, r: 1 },
  ];
  const layers = [{ ty: 4, ind: 1, ip: 0, op: 60, st: 0, ks: {}, shapes }];
  const file = { v: '5.7.0', fr: 30, ip: 0, op: 60, w: 512, h: 512, assets: [], layers };
  return new TextEncoder().encode(JSON.stringify(file));
}

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mM4AwAAzgDNee7qPQAAAABJRU5ErkJggg==';

/** A PNG of one grey pixel, to be drawn at any size. */
function plainPicture(): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(PIXEL), (one) => one.charCodeAt(0));
}
