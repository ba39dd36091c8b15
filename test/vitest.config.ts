import { defineConfig } from 'vitest/config';

// The settings live here because the top level of the project is fixed (see src/cli/README.md).
// oxlint-disable-next-line no-default-export -- the runner looks for one
export default defineConfig({
  test: {
    root: new URL('..', import.meta.url).pathname,
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/support/fixed-seed.ts'],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Two workers: the suites start real daemons, and a small machine must still be able to run them.
    maxWorkers: 2,
  },
});
