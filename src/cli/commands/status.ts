// svcd status

import { systemClock } from '../../clock.js';
import { findHome } from '../../config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { counted, grouped, plain, printJson, printLines } from '../output.js';
import { getRunningDaemon, type Status } from '../running-daemon.js';
import { layOut } from '../table.js';

export const statusCommand: Command = {
  options: HOME_OPTION,
  examples: [
    ['svcd status', 'show it to a person'],
    ['svcd status --json', 'show it to a script; exit code 4 when nothing runs'],
  ],
  run: async (input) => {
    const home = await findHome({ home: input.text('home') });
    const { status } = await getRunningDaemon(home);
    if (input.json) return printJson({ ...status, home });
    const head = `svcd ${status.version} runs at ${status.url} (process ${status.pid})`;
    return printLines(plain(head), '', ...layOut(rowsOf(status, home)));
  },
};

function rowsOf(status: Status, home: string): string[][] {
  const { library, owned, key, started_at: startedAt } = status;
  const rows = [
    ['up', spanOf(systemClock.now() - Date.parse(startedAt))],
    ['library', counted(library.stickers, 'sticker')],
    ['owned', grouped(owned.items)],
    ['remote', remoteOf(status)],
    ['Key', key ? 'there' : 'none'],
    ['home', home],
  ];
  return rows.map(([name = '', value = '']) => [`  ${name}`, plain(value)]);
}

function remoteOf({ remote: { address, sandbox, offline } }: Status): string {
  if (address === null) return 'none';
  return `${sandbox ? 'the sandbox at ' : ''}${address}${offline ? ' (offline: it is not contacted)' : ''}`;
}

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
  ['second', 1],
] as const;

function spanOf(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const [unit, length] = UNITS.find(([, one]) => seconds >= one) ?? (['second', 1] as const);
  return counted(Math.floor(seconds / length), unit);
}
