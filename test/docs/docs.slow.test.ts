// Every command line that a document for users shows is typed, in its order, and its output compared.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { nameOf } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/main.js';
import { FFMPEG, itIf, LINUX } from '../support/requires.js';
import { runDocument } from './run-console.js';

const DOCS = join(import.meta.dirname, '..', '..', 'src', 'docs');
const files = readdirSync(DOCS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.md'));

for (const file of files.toSorted()) {
  const needs = readFileSync(join(DOCS, file), 'utf8').includes('$ node render.mjs') ? FFMPEG : LINUX;
  itIf(needs, `${file} shows what its commands say`, async () => {
    const lang = file.startsWith('zh') ? 'zh_CN.UTF-8' : 'C.UTF-8';
    const wrong = await runDocument(join(DOCS, file), lang);
    expect(wrong.join('\n')).toBe('');
  });
}

it('the man page, made at build, has a part for each command', () => {
  const page = readFileSync(join(DOCS, '..', '..', 'dist', 'svcd.1'), 'utf8');
  for (const { usage } of COMMANDS) expect(page).toContain(`.SH "svcd ${nameOf({ usage })}"\n`);
});
