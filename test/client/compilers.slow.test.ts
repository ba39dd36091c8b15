// A lock that is imported, for its types alone or with its value, by three compilers; and a template against the user's own React
// and Remotion, of which svcd declares only what it uses (`src/client/slots/remotion-peers.d.ts`).

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'vitest';
import { describeIf } from '../support/requires.js';
import { expectCompiled, optionsOf, RESOLUTIONS, slotsProgram } from './compile.js';

const packages = join(import.meta.dirname, '../remotion/node_modules');
const INSTALLED = {
  isMet: () => existsSync(join(packages, 'typescript-5.7')),
  advice: '"npm ci" in test/remotion',
  instead: 'the types of a lock by the TypeScript of this project',
};
const COMPILERS = { 5.7: 'typescript-5.7', 5.9: 'typescript', 7: '../../../node_modules/typescript' };

const TEMPLATE = `
import { Lottie, type LottieAnimationData } from '@remotion/lottie';
import { Composition } from 'remotion';
import type { Lock } from 'svcd/client';
import { slotsOf } from 'svcd/remotion';
import lock from './assets.lock.json';
const { Sticker, Picture, Music, Attribution, useSlot, framesOf, stickers, credits } = slotsOf(lock, { folder: 'svcd', strict: true });
export function Card() {
  const file: LottieAnimationData | undefined = useSlot('opening');
  return (
    <>
      <Sticker slot="opening" play={{ at: 0.5 }} speed={2} style={{ width: 300, position: 'absolute' }} className="x" />
      {/* @ts-expect-error: there is no such slot */}
      <Sticker slot="openning" />
      {/* @ts-expect-error: it is no sticker */}
      <Sticker slot="cover" />
      <Picture slot="cover" style={{ width: 80 }} />
      <Music slot="theme" volume={(frame) => frame / 30} />
      {file && <Lottie animationData={file} />}
      <Attribution style={{ fontSize: 8 }}  />
      <p>{credits.join()}</p>
    </>
  );
}
export function Many({ lock: fetched }: { lock: Lock }) {
  return <>{slotsOf(fetched).stickers.map((slot) => <Card key={slot} />)}</>;
}
export const root = <Composition id="card" component={Card} width={9} height={9} fps={30} durationInFrames={framesOf(stickers[0] ?? 'opening', 30)} />;
`;

describeIf(INSTALLED, 'a template', () => {
  describe.each(Object.entries(COMPILERS))('compiled by TypeScript %s', (_version, name) => {
    const typescript = join(packages, name);

    it.each(RESOLUTIONS)('knows its slots from the JSON, as %s resolves it', (resolution) => {
      expectCompiled(slotsProgram(), optionsOf(resolution), { typescript });
      const how = `import lock from './assets.lock.json'${resolution === 'nodenext' ? ` with { type: 'json' }` : ''}`;
      expectCompiled(slotsProgram(how), optionsOf(resolution), { typescript });
    });

    it('fits the components to the React and Remotion that are installed', () => {
      // Remotion's own declarations need it.
      const options = { ...optionsOf('bundler'), skipLibCheck: true, jsx: 'react-jsx', preserveSymlinks: true };
      expectCompiled(TEMPLATE, options, { typescript, packages });
    });
  });
});
