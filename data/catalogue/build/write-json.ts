// JSON files that people read and that change line by line: laid out as the rest of the project is.

import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

/** Writes JSON text to a file in the project's own layout. */
export async function writeJson(file: URL, json: string): Promise<void> {
  const style = await resolveConfig(file);
  writeFileSync(file, await format(json, { ...style, parser: 'json' }));
}
