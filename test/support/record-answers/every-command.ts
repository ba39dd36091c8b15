// Every command without a daemon: its help, its answer to no input, and to input that nobody takes.

import type { House } from './house.js';

/** All that there ever was, so that an old name is missed where it is gone. */
const COMMANDS: Readonly<Record<string, string>> = {
  '': 'start open stop restart status logs offline online search match related complete get image facts apply verify fetch usage stop-spending attribution env run mcp done join leave doctor completion',
  plan: 'make show',
  purchases: 'list settle retry',
  budget: 'show set stop resume',
  defaults: 'list add remove',
  key: 'set import status remove',
  token: 'show rotate add list revoke env',
  library: 'status sync pause resume add list remove export import facts',
  'library synonyms': 'check path',
  'library defaults': 'list add remove',
  owned: 'export import backup restore',
  synonyms: 'check path',
  origins: 'list add remove',
  hub: 'start invite machines revoke purchases audit recover warm status doctor join leave',
  'hub budget': 'show set',
  'hub given': 'list approve refuse',
  service: 'install remove status',
  sandbox: 'start invite topup buy refund ledger templates release download clock capability requests reset',
  'sandbox accounts': 'list add verify',
  'sandbox keys': 'list add set',
  'sandbox payments': 'list judge',
  'sandbox fault': 'list add clear',
  config: 'show set unset path',
  'config origins': 'list add remove',
};

/** They would stay, or open something. */
const STAYS = new Set(['start', 'open', 'restart', 'hub start', 'sandbox start', 'service install', 'run', 'mcp']);

export async function sayEveryCommand(open: () => House): Promise<void> {
  const house = open();
  for (const [index, args] of [[], ['help'], ['--help'], ['help', '--all'], ['--version'], ['version']].entries()) {
    await house.sayEach(`itself ${index}`, args);
  }
  for (const typed of [
    'serch',
    'ls',
    'list',
    'login',
    'serve',
    'install',
    '--nonsense',
    'get --nonsense',
    'get --form',
  ]) {
    await house.sayEach(`mistyped ${typed}`, typed.split(' '));
  }
  for (const [group, names] of Object.entries(COMMANDS)) {
    const above = group === '' ? [] : group.split(' ');
    const rows = [...(above.length > 0 ? [above] : []), ...names.split(' ').map((name) => [...above, name])];
    for (const row of rows) await sayCommand(house, row);
  }
}

async function sayCommand(house: House, row: readonly string[]): Promise<void> {
  const name = row.join(' ');
  await Promise.all([
    house.say(`${name}, help`, [...row, '--help']),
    house.say(`${name}, help in Chinese`, ['--lang', 'zh', ...row, '--help']),
    house.say(`${name}, an option that is none`, [...row, '--nonsense']),
    ...(STAYS.has(name)
      ? []
      : [house.say(`${name}, too many words`, ['--json', ...row, 'one', 'two', 'three', 'four'])]),
  ]);
  if (STAYS.has(name)) return;
  await house.say(`${name}, without a daemon`, row);
}
