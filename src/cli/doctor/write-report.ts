// The support report: what doctor found and how svcd is set up, in a private file, without a secret in it.

import { writeFileSync } from 'node:fs';
import { homedir, release } from 'node:os';
import { systemClock } from '../../platform/clock.js';
import { keyFromEnvironment, settleSettings } from '../../config/config.js';
import { SvcdError, systemCode } from '../../model/errors.js';
import { VERSION } from '../../platform/version.js';
import type { Check } from './check.js';

/** Writes the report to a new file of mode 0600. Throws `invalid_argument` when it is there already or cannot be. */
export async function writeReport(file: string, home: string, checks: readonly Check[]): Promise<void> {
  const report = {
    svcd: VERSION,
    at: new Date(systemClock.now()).toISOString(),
    node: process.version,
    system: `${process.platform} ${release()} ${process.arch}`,
    settings: await settingsOf(home),
    checks,
  };
  try {
    writeFileSync(file, `${scrub(JSON.stringify(report, null, 2))}\n`, { mode: 0o600, flag: 'wx' });
  } catch (cause) {
    const code = systemCode(cause) ?? 'unknown';
    const why = code === 'EEXIST' ? 'exists already' : `cannot be written (${code})`;
    throw new SvcdError('invalid_argument', `${file} ${why}`, { cause, hint: 'Name another file.' });
  }
}

async function settingsOf(home: string): Promise<object> {
  try {
    const settled = await settleSettings({ home });
    return Object.fromEntries(settled.map(({ setting, value, from }) => [setting.name, { value, from }]));
  } catch (error) {
    return { unreadable: String(error) };
  }
}

/** No secret is put in. Should one stand where it does not belong (a Key as a setting), it goes here; so does the user's name in paths. */
function scrub(text: string): string {
  const key = keyFromEnvironment();
  const told = text.replace(/\b(svcd_|sk-)[\w-]{8,}/g, '$1…').replaceAll(homedir(), '~');
  return key === undefined ? told : told.replaceAll(key, '…');
}
