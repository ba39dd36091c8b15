// Many histories of what can happen to money. SVCD_FAULT_RUNS says how many (npm run test:long).

import { proveHistories } from './any-history.js';

proveHistories(Number(process.env['SVCD_FAULT_RUNS'] ?? 60));
