// config.json as it lies in a home: read whole, or refused with what is wrong.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { SvcdError, systemCode } from '../model/errors.js';

const HINT = 'Correct it, or run "svcd doctor": it shows the command that puts the file aside.';

/** The settings in it; none when it is not there. Throws `invalid_config`. */
export function readConfigFile(home: string): Record<string, unknown> {
  const path = join(home, 'config.json');
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (cause) {
    const code = systemCode(cause);
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new SvcdError('invalid_config', `${path} cannot be read (${code ?? 'unknown'})`, { cause, hint: HINT });
  }
  const value = parseFile(text, path);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new SvcdError('invalid_config', `${path} must hold a JSON object`, { hint: HINT });
}

function parseFile(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new SvcdError('invalid_config', `${path} is not valid JSON`, { cause, hint: HINT });
  }
}
