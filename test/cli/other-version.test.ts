// A command and a daemon that are not the same svcd.

import { expect, it } from 'vitest';
import { describeOther } from '../../src/cli/connection/other-version.js';
import { compareVersions } from '../../src/platform/compare-versions.js';

const own = { version: '0.2.0', build: 'b' };

it('says which one is the newer, in a sentence with the command that mends it', () => {
  expect(describeOther({ version: '0.1.9', build: 'a' }, own)).toContain('still svcd 0.1.9: "svcd restart"');
  expect(describeOther({ version: '0.10.0', build: 'a' }, own)).toContain('newer daemon, svcd 0.10.0');
  expect(describeOther({ version: '0.2.0', build: 'a' }, own)).toContain('another build of svcd 0.2.0: "svcd restart"');
});

it('says nothing of the same build', () => {
  expect(describeOther(own, own)).toBeUndefined();
});

it('takes svcd 0.1.0, which names no build, for another one', () => {
  expect(describeOther({ version: '0.2.0' }, own)).toContain('another build');
});

it.each([
  ['0.1.10', '0.1.9'],
  ['1.0.0', '0.99.99'],
  ['1.0.0', '1.0.0-rc.2'],
  ['1.0.0-rc.10', '1.0.0-rc.2'],
  ['1.0.1-rc.1', '1.0.0+build'],
])('takes %s for newer than %s', (newer, older) => {
  expect(compareVersions(newer, older)).toBeGreaterThan(0);
  expect(compareVersions(older, newer)).toBeLessThan(0);
  expect(compareVersions(newer, newer)).toBe(0);
});
