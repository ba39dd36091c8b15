// The list of what is built in, for audits: whole, and what a user's report carries.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { expect, it } from 'vitest';
import { makeHome, runSvcd } from '../support/run-svcd.js';

const ROOT = join(import.meta.dirname, '..', '..');
const read = (file: string) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')) as Record<string, unknown>;

interface Component {
  readonly group?: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses: readonly { license?: { id: string }; expression?: string }[];
  readonly hashes: readonly { alg: string; content: string }[];
}

const { components, ...bom } = read('dist/sbom.json') as { components: Component[] };
const nameOf = ({ group, name }: Component) => (group === undefined ? name : `${group}/${name}`);

it('names every package that the program is built of, with its version and licence', async () => {
  // Built once more, for the list of what went in: the program, and the page.
  const common = { absWorkingDir: ROOT, outdir: 'unused', bundle: true, splitting: true, write: false } as const;
  const quiet = { format: 'esm', metafile: true, logLevel: 'silent' } as const;
  const program = await build({
    ...common,
    ...quiet,
    entryPoints: [
      'src/cli/main.ts',
      'src/lottie/lottie-worker.ts',
      'src/picture/draw-worker.ts',
      'src/operations/health/health-thread.ts',
      'src/auth/keychain-child.ts',
    ],
    platform: 'node',
    external: ['better-sqlite3', 'better-sqlite3-12', 'keytar', 'pg-native'],
    alias: {
      'string-width': './bin/build/string-width.js',
      pgpass: './bin/build/no-pgpass.js',
      '@modelcontextprotocol/server/_shims': './bin/build/mcp-shims.js',
    },
  });
  const page = await build({
    ...common,
    ...quiet,
    entryPoints: ['src/picker/main.tsx', 'src/picker/player/worker.ts', 'src/picker/export/worker.ts'],
    platform: 'browser',
    tsconfig: 'src/picker/tsconfig.json',
  });
  const inputs = [program, page].flatMap(({ metafile }) => Object.keys(metafile.inputs));
  const folders = inputs.flatMap((file) => /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []);
  const wanted = new Set(
    [...new Set(folders)].map((folder) => {
      const { name, version, license } = read(`${folder}/package.json`);
      return `${String(name)} ${String(version)} ${String(license)}`;
    }),
  );
  const told = components.map((one) => {
    const [licence] = one.licenses;
    return `${nameOf(one)} ${one.version} ${licence?.license?.id ?? licence?.expression}`;
  });
  expect(told.toSorted()).toEqual([...wanted].toSorted());
  for (const name of ['undici', 'hono', '@hono/node-server', 'yargs', 'minisearch', 'valibot']) {
    expect(components.map(nameOf)).toContain(name);
  }
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  for (const { purl, hashes } of components) {
    expect(purl).toMatch(/^pkg:npm\/(?:%40[\w-]+\/)?[\w.-]+@\d/);
    expect(hashes).toEqual([{ alg: 'SHA-512', content: expect.stringMatching(/^[0-9a-f]{128}$/) as string }]);
  }
});

it('is in the report of svcd doctor', async () => {
  const { home, remove } = makeHome();
  const file = join(home, 'report.json');
  await runSvcd(['doctor', '--report', file], { home });
  const { built_in } = JSON.parse(readFileSync(file, 'utf8')) as { built_in: string[] };
  remove();
  expect(built_in).toEqual(components.map((one) => `${nameOf(one)} ${one.version}`));
});
