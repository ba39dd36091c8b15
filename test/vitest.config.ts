import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const SLOW = '**/*.slow.test.ts';
/** Those of test/remotion bring tests of their own. */
const PACKAGES = '**/node_modules/**';
// What runs the files ends with this process, and what they start with them.
process.env['TEST_PROCESS'] = String(process.pid);

// Here because the top level of the project is fixed (see src/cli/README.md). README.md beside it says what the tiers need,
// what stages there are, and where a new test goes.
// oxlint-disable-next-line no-default-export -- the runner looks for one
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    // Whole, for what they start stands in other folders.
    execArgv: ['--require', join(import.meta.dirname, 'support', 'end-with-test.cjs')],
    setupFiles: ['test/support/each-file.ts'],
    // Daemons inside the tests write there what they remember of homes outside of them.
    env: { XDG_STATE_HOME: join(tmpdir(), 'svcd-test-state') },
    reporters: ['default', './test/support/report-skips.ts'],
    // How long a test may take says nothing about svcd: a machine that is busy must not fail it.
    testTimeout: 300_000,
    // Once more on the machine that decides: it prints what passed only then, for that is a defect of the test.
    retry: process.env['CI'] === undefined ? 0 : 1,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The suites start real daemons, and often wait for them: three fill two cores, and a small machine can run them.
    maxWorkers: 3,
    projects: [
      // Its files share what they import: loading `src` anew for each was half of the machine's work. They leave behind
      // no spy, no variable and no language (support/run-here.ts).
      {
        extends: true,
        test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [SLOW, PACKAGES], isolate: false },
      },
      { extends: true, test: { name: 'slow', include: [`test/${SLOW}`], exclude: [PACKAGES] } },
    ],
  },
});
