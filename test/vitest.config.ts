import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const SLOW = '**/*.slow.test.ts';

// Here because the top level of the project is fixed (see src/cli/README.md). README.md beside it says what the tiers need,
// what stages there are, and where a new test goes.
// oxlint-disable-next-line no-default-export -- the runner looks for one
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    setupFiles: ['test/support/fixed-seed.ts'],
    // Daemons inside the tests write there what they remember of homes outside of them.
    env: { XDG_STATE_HOME: join(tmpdir(), 'svcd-test-state') },
    reporters: ['default', './test/support/report-skips.ts'],
    // How long a test may take says nothing about svcd: a machine that is busy must not fail it.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
    // The suites start real daemons, and often wait for them: three fill two cores, and a small machine can run them.
    maxWorkers: 3,
    projects: [
      { extends: true, test: { name: 'fast', include: ['test/**/*.test.ts'], exclude: [SLOW] } },
      { extends: true, test: { name: 'slow', include: [`test/${SLOW}`] } },
    ],
  },
});
