// GET /llms.txt: a page that says all one needs, and of which every command works as it stands.

import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { guideOf } from '../../src/api/guide.js';
import { FALLBACK_REASONS, SOURCES } from '../../src/model/asset.js';
import { ROOT } from '../support/doc-table.js';
import { hasProgram } from '../support/requires.js';
import { runCommand } from '../support/run-command.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

const MAX_BYTES = 6 * 1024;

let svcd: StartedSvcd;
const folder = mkdtempSync(join(tmpdir(), 'svcd-guide-'));
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox']);
  // What the page takes for granted: svcd on the PATH, and a template.
  mkdirSync(join(folder, 'bin'));
  const program = `#!/bin/sh\nexec "${process.execPath}" "${join(ROOT, 'bin', 'svcd.js')}" "$@"\n`;
  writeFileSync(join(folder, 'bin', 'svcd'), program);
  chmodSync(join(folder, 'bin', 'svcd'), 0o755);
  writeFileSync(join(folder, 'render.js'), 'if (!process.env.SERVICE_API_KEY?.startsWith("svcd_")) process.exit(1);\n');
});
afterAll(async () => {
  await svcd.stop();
  rmSync(folder, { recursive: true, force: true });
});

const readGuide = () => fetch(`${svcd.info.url}/llms.txt`);

describe('the guide', () => {
  it('is a short page of Markdown for anybody, with the address that svcd has', async () => {
    const answer = await readGuide();
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    const text = await answer.text();
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_BYTES);
    expect(text).toMatch(/^# svcd\n\n> /);
    expect(text).toContain(`BASE=${svcd.info.url} `);
  });

  it('says what every reason and every source means, and shows nothing that is secret', async () => {
    const text = await (await readGuide()).text();
    for (const word of [...SOURCES, ...FALLBACK_REASONS]) expect(text).toMatch(new RegExp(`\\b${word}\\b`));
    expect(text).not.toContain(svcd.info.token);
  });

  it('has commands that work line by line', async (context) => {
    if (!hasProgram('curl')) return context.skip('install curl (Debian: apt-get install curl)');
    const lines = commandsIn(await (await readGuide()).text());
    expect(lines.filter((line) => line.startsWith('curl'))).toHaveLength(6);
    // One shell for all, because later lines use what earlier ones set; each tells how it ended.
    const script = lines.map((line) => `${line}\nprintf '\\n@@ %s\\n' $?\n`).join('');
    const env = { PATH: `${join(folder, 'bin')}:${process.env['PATH']}`, HOME: svcd.home, SVCD_HOME: svcd.home };
    const { stdout, stderr } = await runCommand('sh', ['-c', `cd "${folder}"\n${script}`], env);
    const ends = Array.from(stdout.matchAll(/^@@ (\d+)$/gm), ([, code]) => Number(code));
    expect(ends).toHaveLength(lines.length);
    const failed = lines.filter((_, place) => ends[place] !== 0);
    expect(failed, stderr).toEqual([]);
    expect(JSON.parse(readFileSync(join(folder, 'cake.json'), 'utf8'))).toHaveProperty('layers');
  });
});

it('is shipped as a skill too, with what it is for', async () => {
  const about =
    'Find, price, buy and lock stickers (Lottie, Chinese titles) and images for videos, with the program svcd or its local HTTP API. ' +
    'Use it when a copy, a scene or a template needs stickers or images, or for assets.lock.json. Nothing costs without a yes of the user.';
  const head = `---\nname: svcd\ndescription: ${about}\n---\n\n`;
  await expect(head + guideOf('http://127.0.0.1:7823')).toMatchFileSnapshot(join(ROOT, 'data', 'skill', 'SKILL.md'));
});

/** Commands of the shell, without what is said of them. */
function commandsIn(markdown: string): string[] {
  const blocks = Array.from(markdown.matchAll(/^```sh\n([\s\S]*?)^```$/gm), ([, code = '']) => code);
  return blocks.flatMap((block) => block.trimEnd().split('\n'));
}
