// svcd status

import { systemClock } from '../../platform/clock.js';
import { findHome } from '../../config/config.js';
import { HOME_OPTION, type Command } from '../command.js';
import { describeKeychain, describeKeySource } from '../describe-key.js';
import { counted, grouped, plain, printJson, printLines } from '../output.js';
import { getRunningDaemon, type RemoteStatus, type Status } from '../running-daemon.js';
import { spanOf } from '../duration.js';
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
  const { library, owned, started_at: startedAt } = status;
  const rows = [
    ['up', spanOf(systemClock.now() - Date.parse(startedAt))],
    ['library', counted(library.stickers, 'sticker')],
    ['owned', grouped(owned.items)],
    ['remote', remoteOf(status.remote)],
    ['way', wayOf(status.remote)],
    ['Key', describeKeySource(status.key_source)],
    ['keychain', describeKeychain(status.keychain)],
    ['home', home],
  ];
  return rows.map(([name = '', value = '']) => [`  ${name}`, plain(value)]);
}

function remoteOf({ address, sandbox }: RemoteStatus): string {
  return `${sandbox ? 'the sandbox at ' : ''}${address ?? 'none'}`;
}

/** Whether the remote is asked, since when it is not, and why. */
function wayOf({ offline, forced, since, why }: RemoteStatus): string {
  if (!offline) return 'online';
  const span = since === null ? '' : ` for ${spanOf(systemClock.now() - Date.parse(since))}`;
  if (forced) return `offline${span}, because svcd was told so; "svcd online" ends it`;
  return `offline${span}: ${why ?? 'the remote is away'}; svcd finds the way back by itself`;
}
