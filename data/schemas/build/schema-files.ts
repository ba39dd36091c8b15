// The schemas of the files that people write and read, from what svcd parses them by. JSON Schema draft-07, which editors
// know best.

import { format } from 'prettier';

import { jsonSchemaOf } from '../../../src/api/openapi.js';
import { lockSchema } from '../../../src/api/lock.js';
import { planSchema } from '../../../src/api/plan.js';
import { copySchema } from '../../../src/api/slot.js';
import { SETTINGS } from '../../../src/config/settings.js';

const DRAFT = 'http://json-schema.org/draft-07/schema#';

/** Text of each file by its name. */
export async function schemaFiles(): Promise<ReadonlyMap<string, string>> {
  const config = {
    type: 'object',
    properties: {
      $schema: { type: 'string' },
      ...Object.fromEntries(
        SETTINGS.flatMap(({ file, parse, what, initial }) =>
          file === undefined
            ? []
            : [[file, { description: what, ...parse.json, ...(initial !== undefined && { default: initial }) }]],
        ),
      ),
    },
    additionalProperties: false,
  };
  return new Map(
    await Promise.all([
      textOf(
        'copy',
        'The slots of a video and the copy of each: copy.json of "svcd plan --copy".',
        jsonSchemaOf(copySchema),
      ),
      textOf(
        'plan',
        'Which sticker or image each slot gets, and what it costs: "svcd plan --json".',
        jsonSchemaOf(planSchema),
      ),
      textOf(
        'lock',
        'Which file stands for each slot, by its digest: assets.lock.json of "svcd apply".',
        jsonSchemaOf(lockSchema),
      ),
      textOf('config', 'Settings of svcd: config.json in its home folder.', config),
    ]),
  );
}

async function textOf(name: string, description: string, schema: object): Promise<[string, string]> {
  const whole = { $schema: DRAFT, title: `svcd: ${name}`, description, ...schema };
  return [`${name}.schema.json`, await format(JSON.stringify(whole), { parser: 'json', printWidth: 120 })];
}
