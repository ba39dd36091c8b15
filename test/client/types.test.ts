// The client's types are those of the wire, and a strict program compiles against what the build makes of them.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { expectCompiled, optionsOf, RESOLUTIONS, slotsProgram } from './compile.js';

const ROOT = join(import.meta.dirname, '..', '..');

/** Published types beside those of the schemas; tsc refuses each line whose two types differ. */
const SAME = `
import type * as v from 'valibot';
import type { DaemonStatus, Spending } from 'ROOT/src/api/answers.js';
import type { FactsAnswer } from 'ROOT/src/api/library.js';
import type { CompleteAnswer, FindAnswer, RelatedAnswer } from 'ROOT/src/api/find.js';
import type { Lock } from 'ROOT/src/api/lock.js';
import type { Told } from 'ROOT/src/api/operation.js';
import type { Plan, planRequestSchema } from 'ROOT/src/api/plan.js';
import type { prefetchEventSchema, prefetchRequestSchema } from 'ROOT/src/api/prefetch.js';
import type { Slot } from 'ROOT/src/api/slot.js';
import type { candidateSchema, matchAnswerSchema } from 'ROOT/src/contract/candidate.js';
import type { ImageSize } from 'ROOT/src/contract/limits.js';
import type { matchRequestSchema } from 'ROOT/src/contract/requests.js';
import type { FallbackReason, Source } from 'ROOT/src/model/asset.js';
import type { ErrorCode } from 'ROOT/src/model/errors.js';
import type * as client from 'svcd/client';

type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : 'the first lacks something') : 'the second lacks something';
type Frozen<T> = T extends object ? { readonly [K in keyof T]: Frozen<T[K]> } : T;
/** Without the undefined that the client's options allow. */
type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };
type Input<S extends v.GenericSchema> = Frozen<v.InferInput<S>>;
type FieldsOf<L extends { assets: object }> = keyof L | FieldOf<L['assets'][keyof L['assets']]>;
type FieldOf<T> = T extends unknown ? keyof T : never;
type Prefetched<T> = Pick<T, Extract<keyof T, 'presets' | 'images'>>;

true satisfies Same<client.SearchAnswer, FindAnswer>;
true satisfies Same<client.Candidate, Told<typeof candidateSchema>>;
true satisfies Same<client.MatchAnswer, Told<typeof matchAnswerSchema>>;
true satisfies Same<client.CompleteAnswer, CompleteAnswer>;
true satisfies Same<client.RelatedAnswer, RelatedAnswer>;
true satisfies Same<client.Plan, Plan>;
true satisfies Same<client.Facts, FactsAnswer>;
true satisfies Same<client.Status, DaemonStatus>;
true satisfies Same<client.Spending, Spending>;
true satisfies Same<client.PrefetchEvent, Exclude<Told<typeof prefetchEventSchema>, { event: 'error' }>>;
true satisfies Same<client.Lock, Lock>;
// Both ways do not tell optional fields apart: each side has the same names.
true satisfies Same<FieldsOf<client.Lock>, FieldsOf<Lock>>;
true satisfies Same<Given<client.Slot>, Frozen<Slot>>;
true satisfies Same<readonly Given<client.PlanRequest['slots'][number]>[], Input<typeof planRequestSchema>['slots']>;
true satisfies Same<Given<Prefetched<client.PrefetchRequest>>, Given<Prefetched<Input<typeof prefetchRequestSchema>>>>;
true satisfies Same<Given<client.MatchRequest>, Given<Input<typeof matchRequestSchema>>>;
true satisfies Same<client.ImageSize, ImageSize>;
true satisfies Same<client.Asset['source'], Source | 'locked'>;
true satisfies Same<client.FallbackReason, FallbackReason>;
true satisfies Same<client.KnownErrorCode, ErrorCode | 'no_svcd'>;
`.replaceAll('ROOT', ROOT);

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
  for (const slot of plan.slots) if ('image' in slot) slot.image.digest.toUpperCase(); else if ('why' in slot) slot.why.map((one) => one.length); else slot.track?.length;
  const locked = (lock: Lock): number[] =>
    Object.values(lock.assets).map((one) => (one.kind === 'sticker' ? one.frames / one.frame_rate : one.kind === 'image' ? one.width : 0));
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
  expectCompiled(SAME, { module: 'nodenext', lib: ['es2023', 'dom'], types: ['node'], skipLibCheck: true });
});

it('has declarations that a person has read', async () => {
  const declared = readFileSync(join(ROOT, 'dist', 'answer-types.d.ts'), 'utf8');
  await expect(declared).toMatchFileSnapshot('published-types.txt');
});

it.each([
  ['node16', 'node', 'es2022'],
  ['nodenext', 'node', 'es2022'],
  ['bundler', '', 'es2022,dom,dom.iterable,dom.asynciterable'],
])('compiles in a strict program that resolves modules as %s does', (resolution, types, lib) => {
  expectCompiled(CONSUMER, {
    module: resolution === 'bundler' ? 'esnext' : resolution,
    moduleResolution: resolution,
    lib: lib.split(','),
    types: types === '' ? [] : [types],
    // Our declarations are checked, too.
    skipLibCheck: types !== '',
  });
});

it.each(RESOLUTIONS)('knows the slots of a lock by its JSON, as %s resolves it', (resolution) => {
  expectCompiled(slotsProgram(), optionsOf(resolution));
});
