// Two histories of what can happen to money; model.slow.test.ts has many.

import { proveHistories } from './any-history.js';

proveHistories(2);
