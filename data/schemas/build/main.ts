// Builds the schemas in data/schemas: `npx tsx data/schemas/build/main.ts`.

import { writeFileSync } from 'node:fs';

import { schemaFiles } from './schema-files.js';

for (const [name, text] of await schemaFiles()) writeFileSync(new URL(`../${name}`, import.meta.url), text);
