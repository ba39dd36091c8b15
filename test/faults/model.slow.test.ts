// Many histories of what can happen to money. SVCD_FAULT_RUNS says how many (npm run test:long).

import { proveHistories, proveLateHistories } from './any-history.js';

const RUNS = Number(process.env['SVCD_FAULT_RUNS'] ?? 60);
proveHistories(RUNS);
proveLateHistories(RUNS);
