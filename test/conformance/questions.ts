// What the checks ask, and what every answer of a kind must look like.

import { expect } from 'vitest';
import { CREDITS_HEADER, type Answer, type Json, type Service } from './service.js';

export const API = '/api/v1';
export const MATCH = `${API}/stickers/match`;
export const IMAGES = `${API}/images`;
export const PRODUCTIONS = `${API}/productions`;
/** A word that any library of stickers with Chinese titles knows. */
export const WORD = '生日';
export const SEARCH = `${API}/stickers/search?q=${encodeURIComponent(WORD)}`;
export const COPY = '今天是我的生日，谢谢大家';
/** A word that no library knows. */
export const NONSENSE = 'qxzvjkwqxzvjkw';
/** A template that the sandbox has. */
export const TEMPLATE = 'birthday-card@1.0.0';
export const DAY_MS = 24 * 60 * 60 * 1000;

export const PRODUCTION = {
  template: 'conformance@1.0.0',
  package_sha256: 'a'.repeat(64),
  host: 'conformance',
  layout: 'landscape',
  duration_s: 12.5,
  materials: ['stickers.file', 'images.generate'],
  stage: 'plan',
} as const;

/** A prompt that was never sent before, so that nothing can answer it from what it has. */
export function newPrompt(): string {
  return `一个生日蛋糕，粉色背景 ${crypto.randomUUID()}`;
}

export function imageRequest(): { prompt: string; size: string } {
  return { prompt: newPrompt(), size: '1536x1024' };
}

export function stickerPath(preset: string): string {
  return `${API}/stickers/${encodeURIComponent(preset)}`;
}

/** The candidates of a search. */
export async function search(service: Service, query = `q=${encodeURIComponent(WORD)}`): Promise<Json[]> {
  return resultsOf(await service.get(`${API}/stickers/search?${query}`));
}

export async function match(service: Service, body: object): Promise<Json> {
  return bodyOf(await service.post(MATCH, body));
}

/** The list in an answer, which must be a success. */
export function resultsOf(answer: Answer): Json[] {
  const { results } = bodyOf(answer);
  expect(Array.isArray(results)).toBe(true);
  return results as Json[];
}

/** The body of an answer, which must be a success. */
export function bodyOf(answer: Answer): Json {
  expect(answer.status, JSON.stringify(answer.body)).toBeGreaterThanOrEqual(200);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  expect(answer.body).toBeDefined();
  return answer.body ?? {};
}

/** Expects a refusal with this status, and this code if one is given. */
export function expectRefusal(answer: Answer, status: number, code?: string): void {
  expect([answer.status, answer.body?.['code']]).toEqual([status, code ?? expect.stringMatching(/^\w+$/)]);
}

/** A preset that the service has. */
export async function somePreset(service: Service): Promise<string> {
  const [first] = await search(service);
  expect(first?.['preset']).toEqual(expect.stringMatching(/\S/));
  return String(first?.['preset']);
}

export async function capabilities(service: Service): Promise<Json[]> {
  const { capabilities: list } = bodyOf(await service.get(`${API}/capabilities`, { Authorization: null }));
  return list as Json[];
}

export async function capability(service: Service, id: string): Promise<Json | undefined> {
  return (await capabilities(service)).find((one) => one['id'] === id);
}

export async function usage(service: Service): Promise<Json> {
  return bodyOf(await service.get(`${API}/usage`));
}

/** The credits that the Key can spend, by the free usage call. */
export async function creditsLeft(service: Service): Promise<number> {
  return Number((await usage(service))['effective_credits_remaining']);
}

/** What a piece of work costs, by the usage before and after. */
export async function costOf(service: Service, work: () => Promise<unknown>): Promise<number> {
  const before = await creditsLeft(service);
  await work();
  return before - (await creditsLeft(service));
}

export function creditsHeader(answer: Answer): string | null {
  return answer.headers.get(CREDITS_HEADER);
}

/** A JSON body of exactly so many bytes that a match request may be. */
export function matchBodyOf(sizeBytes: number): string {
  const body = JSON.stringify({ keywords: [WORD] });
  return body + ' '.repeat(sizeBytes - Buffer.byteLength(body));
}

/** Width and height of a PNG. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } {
  expect(Buffer.from(bytes.subarray(1, 4)).toString('latin1')).toBe('PNG');
  const view = new DataView(bytes.buffer, bytes.byteOffset);
  return { width: view.getUint32(16), height: view.getUint32(20) };
}

/** Expects a playable Lottie document. */
export function expectLottie(answer: Answer): void {
  expect(answer.headers.get('Content-Type')).toMatch(/json/);
  const { w, h, fr, op, layers } = bodyOf(answer) as Record<string, number> & { layers: unknown[] };
  for (const number of [w, h, fr, op]) expect(number).toBeGreaterThan(0);
  expect(layers.length).toBeGreaterThan(0);
}
