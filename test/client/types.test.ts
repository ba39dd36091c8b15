// The client's types are those of the wire, and a strict program compiles against what the build makes of them.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type * as v from 'valibot';
import type { DaemonStatus, Spending as WireSpending } from '../../src/api/answers.js';
import type { FactsAnswer } from '../../src/api/library.js';
import type { CompleteAnswer, FindAnswer, RelatedAnswer } from '../../src/api/find.js';
import type { Lock } from '../../src/api/lock.js';
import type { Told } from '../../src/api/operation.js';
import type { Plan, planRequestSchema } from '../../src/api/plan.js';
import type { prefetchEventSchema, prefetchRequestSchema } from '../../src/api/prefetch.js';
import type { Slot } from '../../src/api/slot.js';
import type * as client from '../../src/client/client-types.js';
import type { matchAnswerSchema } from '../../src/contract/candidate.js';
import type { ImageSize } from '../../src/contract/limits.js';
import type { matchRequestSchema } from '../../src/contract/requests.js';
import type { FallbackReason, Source } from '../../src/model/asset.js';
import type { ErrorCode } from '../../src/model/errors.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Whether each of two types can be given where the other is wanted. */
type Same<A, B> = [A] extends [B]
  ? [B] extends [A]
    ? true
    : 'the first lacks something'
  : 'the second lacks something';
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
/** Without the undefined that the client's options allow. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };
type Input<S extends v.GenericSchema> = Frozen<v.InferInput<S>>;

type FieldsOf<L extends { assets: object }> = keyof L | FieldOf<L['assets'][keyof L['assets']]>;
type FieldOf<T> = T extends unknown ? keyof T : never;

// tsc refuses each line whose two types differ.
const SAME: {
  search: Same<client.SearchAnswer, FindAnswer>;
  match: Same<client.MatchAnswer, Told<typeof matchAnswerSchema>>;
  complete: Same<client.CompleteAnswer, CompleteAnswer>;
  related: Same<client.RelatedAnswer, RelatedAnswer>;
  plan: Same<client.Plan, Plan>;
  facts: Same<client.Facts, FactsAnswer>;
  status: Same<client.Status, DaemonStatus>;
  spending: Same<client.Spending, WireSpending>;
  event: Same<client.PrefetchEvent, Exclude<Told<typeof prefetchEventSchema>, { event: 'error' }>>;
  lock: Same<client.Lock, Lock>;
  /** Both ways do not tell optional fields apart: each side has the same names. */
  locked: Same<FieldsOf<client.Lock>, FieldsOf<Lock>>;
  slot: Same<Given<client.Slot>, Frozen<Slot>>;
  slots: Same<readonly Given<client.PlanRequest['slots'][number]>[], Input<typeof planRequestSchema>['slots']>;
  prefetched: Same<
    Given<Pick<client.PrefetchRequest, 'presets' | 'images'>>,
    Given<Pick<Input<typeof prefetchRequestSchema>, 'presets' | 'images'>>
  >;
  matched: Same<Given<client.MatchRequest>, Given<Input<typeof matchRequestSchema>>>;
  size: Same<client.ImageSize, ImageSize>;
  source: Same<client.Asset['source'], Source | 'locked'>;
  reason: Same<client.FallbackReason, FallbackReason>;
  code: Same<client.KnownErrorCode, ErrorCode | 'no_svcd'>;
} = {
  search: true,
  match: true,
  complete: true,
  related: true,
  plan: true,
  facts: true,
  status: true,
  spending: true,
  event: true,
  lock: true,
  locked: true,
  slot: true,
  slots: true,
  prefetched: true,
  matched: true,
  size: true,
  source: true,
  reason: true,
  code: true,
};

const CONSUMER = `
import { connect, isSvcdError, SvcdError, type Client, type Lock, type PrefetchEvent, type Slot } from 'svcd/client';
import { connect as same } from 'svcd';
const token: string | undefined = Math.random() > 2 ? 'x' : undefined;
const slots: Slot[] = [{ id: 'one', text: '生日', preset: token, aspect: undefined }, { id: 'two', prompt: 'a lamp', size: '1024x1024' }];
export async function render(signal: AbortSignal): Promise<number> {
  const svcd: Client = await connect({ lock: 'assets.lock.json', start: true, deadlineMs: 8000, token });
  const { results, next } = await svcd.search({ q: '生日', owned: true, limit: 12 });
  const first: string | undefined = results[0]?.preset;
  for await (const one of svcd.searchAll({ q: '生日' })) one.preset.toUpperCase();
  const cake = await svcd.sticker(first ?? 'x/cake', { fallback: 'error', signal });
  const frames: number = cake.facts?.frames ?? 0;
  const blob = new Blob([cake.bytes]);
  const cost: number = cake.cost === 'unknown' ? 0 : cake.cost;
  const told: PrefetchEvent[] = [];
  for await (const e of svcd.prefetch({ presets: ['x/cake'], maxCredits: 3 })) {
    if (e.event === 'asset') told.push(e);
  }
  const plan = await svcd.plan({ slots, maxCredits: 5 });
  for (const slot of plan.slots) if ('image' in slot) slot.image.digest.toUpperCase(); else slot.why.map((one) => one.length);
  const locked = (lock: Lock): number[] =>
    Object.values(lock.assets).map((one) => (one.kind === 'sticker' ? one.frames / one.frame_rate : one.width));
  told.length += locked({ lock: 1, remote: null, assets: {} }).length;
  try {
    await svcd.image({ prompt: 'a lamp', size: '1536x1024' });
  } catch (e) {
    if (isSvcdError(e, 'budget')) e.hint?.toUpperCase();
    else if (e instanceof SvcdError) e.code satisfies string;
    else throw e;
  }
  // @ts-expect-error: no such way
  await svcd.sticker('x/cake', { fallback: 'maybe' });
  // @ts-expect-error: it takes a ceiling
  svcd.prefetch({ presets: [] });
  // @ts-expect-error: what was told is not changed
  cake.cost = 0;
  return frames + cost + blob.size + (next ?? 0) + ((await svcd.status()).pid) + (same === connect ? 1 : 0);
}
`;

it('says what is on the wire, in both ways', () => {
  expect(Object.values(SAME).every((same) => same)).toBe(true);
});

it.each([
  ['node16', 'node', 'es2022'],
  ['nodenext', 'node', 'es2022'],
  ['bundler', '', 'es2022,dom,dom.iterable,dom.asynciterable'],
])('compiles in a strict program that resolves modules as %s does', (resolution, types, lib) => {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-consumer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, 'node_modules', '@types'), { recursive: true });
  symlinkSync(ROOT, join(folder, 'node_modules', 'svcd'));
  for (const name of ['@types/node', 'undici-types']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name));
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'render.ts'), CONSUMER);
  const compilerOptions = {
    target: 'es2022',
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    lib: lib.split(','),
    types: types === '' ? [] : [types],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    // Our declarations are checked, too.
    skipLibCheck: types !== '',
    noEmit: true,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['render.ts'] }));
  const tsc = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin', 'tsc');
  const { status, stdout } = spawnSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8' });
  expect(stdout).toBe('');
  expect(status).toBe(0);
});
