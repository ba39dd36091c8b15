// One of each kind of trouble that a remote can make; remote-faults.slow.test.ts has them all.

import { ONE_OF_EACH, proveCases } from './remote-cases.js';

proveCases(ONE_OF_EACH);
