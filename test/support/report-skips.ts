// Lists at the end of a run what was skipped and why, each sentence once with how many tests it stands for, and what passed
// only when it was tried again (vitest.config.ts).

import type { Reporter, TestModule } from 'vitest/node';

// oxlint-disable-next-line no-default-export -- the runner looks for one
export default class ReportSkips implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const counts = new Map<string, number>();
    for (const test of modules.flatMap((module) => [...module.children.allTests('skipped')])) {
      const why = /\(skipped: (.*?)\)( >|$)/.exec(test.fullName)?.[1] ?? test.fullName;
      counts.set(why, (counts.get(why) ?? 0) + 1);
    }
    for (const [why, count] of counts)
      process.stdout.write(`skipped ${count} ${count === 1 ? 'test' : 'tests'}: ${why}\n`);
    for (const test of modules.flatMap((module) => [...module.children.allTests('passed')]))
      if (test.diagnostic()?.flaky === true) process.stdout.write(`passed at the second try: ${test.fullName}\n`);
  }
}
