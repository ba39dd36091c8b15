// A home with a running daemon and its sandbox, used on the command line as people and scripts use it.

import { writeFileSync } from 'node:fs';
import type { House } from './house.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';
const COPY = {
  slots: [
    { id: 'opening', text: '祝你生日快乐' },
    { id: 'middle', preset: 'twemoji/balloon' },
  ],
};

export async function tellOfCommands(open: () => House): Promise<void> {
  const house = open();
  const write = (name: string, text: string) => writeFileSync(house.path('work', name), text);
  write('copy.json', JSON.stringify(COPY));
  write('copy.txt', '祝你生日快乐\n下雨了\n');
  write('odd.json', '{');
  write('wanted.txt', `# a list\n${CAKE}\ntwemoji/rose\n`);
  await house.start('start', [
    'start',
    '--sandbox',
    '--seed',
    '1',
    '--fresh',
    '--credits',
    '60',
    '--with',
    'music,tasks',
  ]);
  await sayAll(house, TYPICAL);
  await sayAll(house, SANDBOX);
  await house.sayEach('token rotate', ['token', 'rotate']);
  await house.sayEach('stop', ['stop']);
  await sayAll(house, ['status', 'doctor', 'search 生日', 'usage', 'purchases', 'logs --lines 2'], 'after the stop, ');
  await house.sayEach('a service where there is no manager of any', ['service', 'install']);
}

const TYPICAL = linesOf(`
  status
  search 生日
  search heart --color red --limit 2
  search --limit 99 x
  search xyzzyq
  match 祝你生日快乐 --limit 2
  match
  related ${CAKE} --limit 2
  related no/such
  complete 生 --limit 3
  search --related ${CAKE} --limit 2
  search --complete 生 --limit 3
  usage
  budget
  purchases
  get
  get no/such
  get ${CAKE} --max-credits 0 -o too-much.json
  get --from missing.txt
  get ${CAKE} -o cake.json --yes
  get ${CAKE} -o cake.json
  get ${CAKE} -o ours.json --overwrite
  get twemoji/rose --form odd
  get ${CAKE} -o safe.json --form safe
  facts ours.json
  facts ${CAKE}
  get --from wanted.txt -o several --yes
  facts missing.json
  library facts ${CAKE}
  image lantern --size 1024x1024
  image lantern --size 1024x1024 --yes -o lantern.png
  image lantern --size 1x1
  plan
  plan --copy copy.json --out plan.json
  plan --copy odd.json
  plan show plan.json
  plan show odd.json
  plan --copy copy.txt --fail-over 0
  apply --copy copy.json --max-credits 0 --yes
  apply --copy copy.json --yes --strict
  apply --copy copy.json --yes --update nothing
  verify
  fetch --locked
  verify --lock odd.json
  attribution svcd-assets/assets.lock.json
  attribution odd.json
  done missing.motion
  purchases --limit 2
  purchases --state odd
  purchases settle 1 --as free
  purchases retry 1 --yes
  budget set --day 200 --request 50
  budget set --day odd
  budget show
  stop-spending
  get twemoji/star
  stop-spending --lift
  budget stop
  budget resume
  offline
  get twemoji/star -o star.json
  online
  offline --off
  library
  library status
  library pause
  library resume
  library list
  library add ours.json --title 蛋糕 --preset own/ours
  library add odd.json --title x
  library remove own/ours
  library export library.ndjson
  library import library.ndjson
  library import odd.json
  defaults add food/cake ours.json
  defaults
  defaults add food/cake odd.json
  defaults remove food/cake
  library defaults list
  synonyms check
  synonyms path
  library synonyms check
  synonyms check missing.txt
  owned export mine.ndjson
  owned import mine.ndjson
  owned backup backup.db
  owned restore backup.db
  owned export --lock svcd-assets/assets.lock.json bundle.ndjson
  owned import odd.json
  origins add http://localhost:3000
  origins
  origins remove http://localhost:3000
  origins add odd
  config origins list
  config
  config show deadlineMs
  config set deadlineMs 3000
  config set odd 1
  config set deadlineMs x
  config unset deadlineMs
  config path
  completion --shell bash
  completion bash
  completion --shell fish
  completion --shell odd
  key
  key set --remote odd
  key import missing
  key remove
  token
  token add promo --day 3 --only stickers
  token add promo
  token list
  token revoke promo
  token revoke promo
  env
  env --format dotenv
  env --format odd
  token env
  env --run card --budget 5
  run -- true
  run --budget 2 -- /usr/bin/false
  run --only odd -- true
  run --report report.json -- true
  attribution report.json
  run -- no-such-program
  hub status
  join svcdi_odd
  hub join svcdi_odd
  leave
  service status
  service remove
  logs --lines 3
  logs --level odd
  doctor
  open --print
`);

const SANDBOX = linesOf(`
  sandbox
  sandbox accounts
  sandbox accounts add ada
  sandbox accounts add ada
  sandbox accounts verify ada
  sandbox accounts add bob --unverified
  sandbox invite ada bob
  sandbox invite ada nobody
  sandbox keys
  sandbox keys add --month 100
  sandbox keys set 2 --state disabled
  sandbox keys set 99 --state disabled
  sandbox topup 12.50
  sandbox topup -1
  sandbox topup 100 --account ada
  sandbox payments
  sandbox refund odd
  sandbox templates
  sandbox buy birthday-card@1.1.0 30
  sandbox buy no-such@1.0.0 30
  sandbox ledger
  sandbox download birthday-card card.motion
  sandbox download no-such
  sandbox release birthday-card@1.2.0
  plan card.motion --copy copy.json
  run --template card.motion -- true
  done card.motion --lock odd.json
  key import card.motion
  sandbox payments judge odd --anomaly
  sandbox clock
  sandbox clock --advance 14d
  sandbox clock --advance odd
  sandbox capability
  sandbox capability images.generate off
  sandbox capability odd on
  sandbox fault add status --status 502
  sandbox fault add odd
  sandbox fault
  get twemoji/star --strict
  sandbox fault clear 1
  sandbox fault clear
  sandbox requests --path /api/v1/me
  sandbox reset
  sandbox reset --yes
`);

/** Each for a person, in both languages, and for a program; a command that is said again gets a number. */
async function sayAll(house: House, commands: readonly string[], when = ''): Promise<void> {
  const times = new Map<string, number>();
  for (const command of commands) {
    const before = times.get(command) ?? 0;
    times.set(command, before + 1);
    await house.sayEach(`${when}${command}${before > 0 ? `, again ${before}` : ''}`, command.split(' '));
  }
}

/** A command a line. */
function linesOf(text: string): readonly string[] {
  return text.trim().split(/\n\s*/);
}
