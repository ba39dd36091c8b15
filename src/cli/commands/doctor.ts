// svcd doctor

import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { plain, printJson, printLines } from '../output.js';
import { layOut } from '../table.js';
import { checkDaemon, checkPort, checkService } from '../doctor/check-daemon.js';
import { checkDatabase, checkPrivacy, checkSettings } from '../doctor/check-home.js';
import { checkClock, checkDisk, checkNode, checkSqlite } from '../doctor/check-system.js';
import { look, type Check } from '../doctor/check.js';
import { writeReport } from '../doctor/write-report.js';

export const doctorCommand: Command = {
  options: {
    ...HOME_OPTION,
    report: {
      type: 'string',
      requiresArg: true,
      describe: 'Write what was found to this new file too, without secrets.',
    },
  },
  examples: [
    ['svcd doctor', 'exit code 1 when something is bad'],
    ['svcd doctor --report svcd-report.json', 'a file to show to whoever helps you'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const checks = await examine(home);
    const file = input.text('report');
    if (file !== undefined) await writeReport(file, home, checks);
    if (checks.some(({ state }) => state === 'bad')) process.exitCode = 1;
    if (input.json) return printJson({ home, checks });
    await printLines(...describe(checks), ...(file === undefined ? [] : ['', `The report is in ${file}.`]));
  },
};

/** Everything that can be looked at, whatever the first looks find. */
async function examine(home: string): Promise<Check[]> {
  const checks = [
    await look('node', checkNode),
    await look('better-sqlite3', checkSqlite),
    await look('home', () => checkPrivacy(home)),
    await look('settings', () => checkSettings(home)),
    await look('owned.db', () => checkDatabase(home, 'owned.db')),
    await look('library.db', () => checkDatabase(home, 'library.db')),
    await look('disk', () => checkDisk(home)),
    await look('clock', () => checkClock(home)),
    await look('daemon', () => checkDaemon(home)),
    await look('port', () => checkPort(home)),
  ];
  const service: Check[] = [];
  const failed = await look('remote', async () => {
    service.push(...(await checkService(home)));
    return { name: 'remote', state: 'ok', words: '' };
  });
  return [...checks, ...(failed.state === 'ok' ? service : [failed])];
}

function describe(checks: readonly Check[]): string[] {
  const rows = checks.flatMap(({ name, state, words, hint }) => [
    [state, name, plain(words)],
    ...(hint === undefined ? [] : [['', '', plain(hint)]]),
  ]);
  const bad = checks.filter(({ state }) => state === 'bad').length;
  const sum = bad === 0 ? 'Nothing is bad.' : `${bad} of ${checks.length} are bad.`;
  return [...layOut(rows), '', sum];
}
