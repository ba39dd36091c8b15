// Before and after the tests of each file. In CI property tests draw the same cases every time, so that a run says something
// about the change and not about the draw. Elsewhere they draw new ones; what they find there is a seed to keep.

import * as fc from 'fast-check';
import { afterAll } from 'vitest';
import { endFile } from './at-file-end.js';

if (process.env['CI'] === 'true') fc.configureGlobal({ seed: 20_261_121 });

afterAll(endFile);
