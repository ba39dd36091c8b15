// A strict program that has svcd installed, compiled by a TypeScript: the one of this project, or an older one.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const OF_A_TEMPLATE = ['react', 'remotion', '@remotion/lottie', 'lottie-web', '@types/react', 'csstype'];

const ENTRY = {
  source: 'service',
  price: 1,
  sha256: 'a'.repeat(64),
  bytes: 9,
  width: 512,
  height: 512,
  file: 'x.json',
};
/** As TypeScript reads it: `kind` is a string. */
const LOCK = {
  lock: 2,
  remote: null,
  assets: {
    opening: {
      ...ENTRY,
      kind: 'sticker',
      preset: 'food/cake',
      frame_rate: 60,
      frames: 71,
      form: 'as-bought',
      verdict: 'clean',
    },
    cover: { ...ENTRY, kind: 'image', image: 'x' },
    theme: { kind: 'music', track: 't', title: 'x', duration_s: 30, sha256: 'b', file: 'y.wav', source: 'service' },
  },
};

/** `how` is how it imports its lock. */
export const slotsProgram = (how = `import type lock from './assets.lock.json'`) => `
${how};
import { connect, type Lock } from 'svcd/client';
import { openSlots, playhead, type StickerSlot, type PictureSlot, type MusicSlot } from 'svcd/slots';
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : false) : false;
true satisfies Same<StickerSlot<typeof lock>, 'opening'>;
true satisfies Same<PictureSlot<typeof lock>, 'cover'>;
true satisfies Same<MusicSlot<typeof lock>, 'theme'>;
export async function render(given: typeof lock, fetched: Lock): Promise<number> {
  const slots = openSlots(given, { url: (file) => '/svcd/' + file, strict: true });
  const { op, layers, fr } = await slots.lottie('opening');
  // @ts-expect-error: there is no such slot
  slots.entry('openning');
  // @ts-expect-error: it is no sticker
  await slots.lottie('cover');
  const svcd = await connect<typeof lock>({ lock: 'assets.lock.json' });
  const cake = await svcd.slot('opening');
  const cover = await svcd.slot('cover');
  // @ts-expect-error: there is no such slot
  await svcd.slot('openning');
  // @ts-expect-error: an image has no file of a player
  cover.json();
  // One that is fetched names no slots.
  const any = openSlots(fetched, { url: (file) => file });
  await any.lottie(any.stickers[0] ?? '');
  return op + fr + layers.length + cake.json().w + cover.width + playhead(slots.entry('opening'), 1.5, { play: 'bounce' });
}
`;

/** How a program finds its modules, and what it may use. */
export const RESOLUTIONS = ['node16', 'nodenext', 'bundler'];
export const optionsOf = (resolution: string) => ({
  module: resolution === 'bundler' ? 'esnext' : resolution,
  moduleResolution: resolution,
  resolveJsonModule: true,
  lib: ['es2022', 'dom', 'dom.iterable', 'dom.asynciterable'],
  types: resolution === 'bundler' ? [] : ['node'],
  // Our declarations are checked, too.
  skipLibCheck: resolution !== 'bundler',
});

interface Compiled {
  /** The folder of a TypeScript, if not that of this project. */
  readonly typescript?: string;
  /** Where the packages of a template are installed. */
  readonly packages?: string;
}

/** Fails where a strict program that has svcd installed does not compile. */
export function expectCompiled(program: string, options: object, { typescript, packages = '' }: Compiled = {}): void {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-consumer-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const installed = join(folder, 'node_modules');
  for (const scope of ['@types', '@remotion']) mkdirSync(join(installed, scope), { recursive: true });
  symlinkSync(ROOT, join(installed, 'svcd'));
  for (const name of ['@types/node', 'undici-types', 'valibot']) {
    symlinkSync(join(ROOT, 'node_modules', name), join(installed, name));
  }
  for (const name of packages === '' ? [] : OF_A_TEMPLATE) symlinkSync(join(packages, name), join(installed, name));
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}');
  writeFileSync(join(folder, 'assets.lock.json'), JSON.stringify(LOCK));
  writeFileSync(join(folder, 'render.tsx'), program);
  const compilerOptions = {
    target: 'es2022',
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noPropertyAccessFromIndexSignature: true,
    verbatimModuleSyntax: true,
    noEmit: true,
    ...options,
  };
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['render.tsx'] }));
  const found = typescript ?? join(ROOT, 'node_modules', 'typescript');
  const { status, stdout } = spawnSync(process.execPath, [join(found, 'bin', 'tsc'), '-p', folder], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(status).toBe(0);
}
