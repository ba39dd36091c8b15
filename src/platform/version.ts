// The version of this svcd, from its package.json.

import { createRequire } from 'node:module';
import { INSTALLATION } from './installation.js';

const manifest = createRequire(INSTALLATION)('./package.json') as { version: string };

export const VERSION = manifest.version;
