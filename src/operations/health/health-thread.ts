// The thread that looks at the files of a home: SQLite reads every page of a database, and the daemon answers meanwhile.

import { parentPort, workerData } from 'node:worker_threads';
import { runChecks } from './checks.js';
import type { HomePlace } from './place.js';

await runChecks('home', workerData as HomePlace, (findings) => parentPort?.postMessage(findings, []));
