// What a failing test of the page leaves to look at: how the page stood, and what it had asked for.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { onTestFinished } from 'vitest';

const FOLDER = join(import.meta.dirname, '..', '..', 'node_modules', '.cache', 'svcd-test');

/** Looks at the page when the test ends, before it is closed. */
export function leaveTraces(page: Page, said: () => readonly string[]): void {
  onTestFinished(async ({ task }) => {
    if (task.result?.state !== 'fail' || page.isClosed()) return;
    const folder = join(FOLDER, task.name.replaceAll(/[^\p{L}\p{N}]+/gu, '-').slice(0, 100));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'asked.txt'), said().join('\n'));
    try {
      writeFileSync(join(folder, 'page.html'), await page.content());
      await page.screenshot({ path: join(folder, 'page.png'), fullPage: true });
    } catch (error) {
      writeFileSync(join(folder, 'no-picture.txt'), String(error));
    }
    process.stderr.write(`What the page looked like: ${folder}\n`);
  });
}
