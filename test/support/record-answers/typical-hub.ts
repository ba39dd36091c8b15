// A hub and a machine that joined it: what the hub's owner says and asks, and what the machine is answered.

import { writeFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import type { House } from './house.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';

export async function tellOfHub(open: () => House): Promise<void> {
  const [hub, machine] = [open(), open()];
  const started = await hub.start(
    'hub start',
    'hub start --sandbox --seed 1 --fresh --credits 100 --listen 127.0.0.1:0 --port 0'.split(' '),
  );
  const listener = started.url;
  await tellOfOwner(hub);
  const invited = await hub.say('hub invite, for a machine', ['hub', 'invite', '--project', 'promo', '--json']);
  const { code = '' } = JSON.parse(invited) as { code?: string };
  await tellOfMachine(hub, listener, code);
  await machine.start('start of a machine', ['start', '--offline']);
  await machine.sayEach('join by a wrong code', ['join', 'svcdi_wrong']);
  await machine.say('join', ['join', code, '--name', 'render-1', '--user', 'ada']);
  for (const args of [
    'status',
    'online',
    `get ${CAKE} -o cake.json --yes`,
    'usage',
    'purchases',
    'budget',
    'key',
    'doctor',
  ]) {
    await machine.sayEach(`at a hub, ${args}`, args.split(' '));
  }
  await hub.sayEach('hub machines', ['hub', 'machines']);
  for (const args of [
    'purchases',
    'purchases --project promo',
    'purchases --state odd',
    'audit',
    'recover',
    'status',
    'doctor',
  ]) {
    await hub.sayEach(`hub ${args}`, ['hub', ...args.split(' ')]);
  }
  await hub.sayEach('hub revoke of nobody', ['hub', 'revoke', '99']);
  await hub.say('hub revoke', ['hub', 'revoke', '2']);
  await machine.sayEach('get after it was revoked', ['get', 'twemoji/rose', '-o', 'rose.json', '--strict']);
  await machine.sayEach('leave', ['leave']);
}

async function tellOfOwner(hub: House): Promise<void> {
  writeFileSync(hub.path('work', 'wanted.txt'), `${CAKE}\ntwemoji/balloon\n`);
  // Before, its clock and balance may not have been compared with the service's.
  await hub.ask('account of the hub', 'GET /api/v1/me');
  await hub.ask('hub', 'GET /svcd/hub/status');
  await hub.ask('invite', 'POST /svcd/hub/invites', { body: { projects: ['promo'], budget: 50, uses: 2 } });
  await hub.ask('invite for nothing', 'POST /svcd/hub/invites', { body: { projects: [] } });
  await hub.ask('invites', 'GET /svcd/hub/invites');
  await hub.ask('hub budget', 'PUT /svcd/hub/budgets', {
    body: { payer: 'project:promo', period: 'day', credits: 20 },
  });
  await hub.ask('hub budget of nobody', 'PUT /svcd/hub/budgets', { body: { payer: 'odd', period: 'day', credits: 1 } });
  await hub.ask('hub budgets', 'GET /svcd/hub/budgets');
  await hub.ask('machines', 'GET /svcd/hub/machines?all=true');
  await hub.ask('given', 'GET /svcd/hub/given');
  await hub.ask('given approved', 'POST /svcd/hub/given', { body: { approve: true } });
  await hub.ask('warm, the price alone', 'POST /svcd/hub/warm', { body: { presets: [CAKE] } });
  await hub.ask('warm', 'POST /svcd/hub/warm', { body: { presets: [CAKE], max_credits: 5 } });
  await hub.ask('audit', 'GET /svcd/hub/audit');
  await hub.ask('hub purchases', 'GET /svcd/hub/purchases?limit=5');
  await hub.ask('recover', 'POST /svcd/hub/recover');
  const each = [
    'invite',
    'invite --project promo --expires odd',
    'invite --project x --uses 2 --ephemeral 2h --only owned',
    'budget',
    'budget set all --day 60',
    'budget set odd --day 1',
    'budget set project:promo --total odd',
    'given',
    'given approve',
    'given refuse 9',
    'warm wanted.txt --yes',
    'warm missing.txt',
    'machines --all',
    'start',
  ];
  for (const args of each) await hub.sayEach(`hub ${args}, of its owner`, ['hub', ...args.split(' ')]);
}

async function tellOfMachine(hub: House, url: string, code: string): Promise<void> {
  const secret = secretOf(code);
  await hub.ask('a hub to a stranger', 'GET /svcd/hub', { url, as: '' });
  await hub.ask('join with a wrong secret', 'POST /svcd/hub/join', {
    url,
    as: '',
    body: { secret: 'x', machine_name: 'm' },
  });
  const joined = await hub.ask('join', 'POST /svcd/hub/join', { url, as: '', body: { secret, machine_name: 'm' } });
  const { token = '' } = JSON.parse(joined) as { token?: string };
  const machine = { url, as: token };
  const id = randomUUID();
  await hub.ask('hub facts', 'GET /svcd/hub', machine);
  await hub.ask('limits', 'GET /svcd/hub/limits', machine);
  await hub.ask('limits of another project', 'GET /svcd/hub/limits?project=odd', machine);
  await hub.ask('sticker of a machine', 'GET /api/v1/stickers/twemoji%2Frose', {
    ...machine,
    headers: { 'x-svcd-request-id': id, 'x-svcd-project': 'promo' },
  });
  await hub.ask('sticker of another project', 'GET /api/v1/stickers/twemoji%2Fstar', {
    ...machine,
    headers: { 'x-svcd-request-id': randomUUID(), 'x-svcd-project': 'odd' },
  });
  await hub.ask('what became of it', `GET /svcd/hub/asks/${id}`, machine);
  await hub.ask('what became of nothing', `GET /svcd/hub/asks/${randomUUID()}`, machine);
  await hub.ask('what the hub lacks', 'GET /svcd/hub/returned', machine);
  await hub.ask('returned', 'POST /svcd/hub/returned', {
    ...machine,
    body: 'no line\n',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await hub.ask('given to the hub', 'POST /svcd/hub/given', {
    ...machine,
    body: 'no line\n',
    headers: { 'content-type': 'application/x-ndjson' },
  });
  await hub.ask('library of the hub', 'GET /svcd/hub/library', machine);
  await hub.ask('account of a machine', 'GET /api/v1/me', machine);
  await hub.ask('usage of a machine', 'GET /api/v1/usage', machine);
  await hub.ask('capabilities of a machine', 'GET /api/v1/capabilities', machine);
  await hub.ask('search of a machine', 'GET /api/v1/stickers/search?q=cake&limit=1', machine);
  await hub.ask('what is the owner’s to a machine', 'GET /svcd/tokens', machine);
  await hub.ask('left', 'POST /svcd/hub/leave', machine);
  await hub.ask('left again', 'POST /svcd/hub/leave', machine);
}

/** The secret in the code of an invite, as version 1 writes it: a sum of eight letters, then an array. */
function secretOf(code: string): string {
  const text = Buffer.from(code.replace(/^svcdi_/, ''), 'base64url')
    .toString()
    .slice(8);
  return String((JSON.parse(text) as readonly unknown[])[3]);
}
