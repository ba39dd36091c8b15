// Scripts read what commands print with --json by the names of its fields. Each is named here, or by the schema of the
// operation that answers, and written in snake_case. One hub with a sandbox answers all of them.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { GenericSchema } from 'valibot';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { OPERATIONS, type OperationName } from '../../src/api/operations.js';
import { type Entry, nameOf } from '../../src/cli/command.js';
import { COMMANDS } from '../../src/cli/main.js';
import { SETTINGS } from '../../src/config/settings.js';
import { runHere } from '../support/run-here.js';
import { runSvcd } from '../support/run-svcd.js';
import { startSvcd, type StartedSvcd } from '../support/start-svcd.js';

const CAKE = 'fluent-emoji-flat/birthday-cake';
const SLOTS = [
  { id: 'opening', text: '祝你生日快乐' },
  { id: 'end', preset: 'twemoji/balloon' },
];
const BOUGHT = 'preset file bytes source cost credits_remaining sha256 verdict';
const APPLIED =
  'lock cost slots id kind preset source price slot_sha256 licence sha256 bytes verdict width height frame_rate frames form file kept attribution defaults stand_ins slot? why? basis?';
const ACCOUNT = 'name credits pending_credits email_verified invited_by keys created_at';
const KEY = 'id masked account kind template state limits per_request daily monthly permissions';
const PAYMENT = 'id account kind template amount credits at anomaly verified refunded rewards role state balance';
const SERVICE = 'service key kind status limits per_request daily monthly permissions balance pending_credits';
const DOCTOR = 'home checks name code state words command? words_zh?';
const USAGE = 'balance key monthly_cap monthly_remaining capabilities id name status enabled cost possible_count';

/**
 * What is typed, in an order in which each finds what it needs; the operation whose schema names fields of its answer; the
 * other fields. Those with a question mark may be missing.
 */
const ROWS: readonly (readonly [typed: string, operation: OperationName | undefined, others: string])[] = [
  ['status', 'showStatus', 'home'],
  ['search 生日 --limit 1', 'findStickers', 'cost'],
  ['match 祝你生日快乐 --limit 1', 'matchStickers', 'owned shipped cost'],
  [`search --related ${CAKE} --limit 1`, 'listRelated', 'cost'],
  ['search --complete 生', 'completeWord', ''],
  [`get ${CAKE} -o cake.json`, undefined, BOUGHT],
  ['get --from wanted.txt -o several --yes', undefined, 'folder cost results preset file source bytes sha256 status'],
  [`look ${CAKE} -o cake.png`, undefined, 'file items tile preset title have cost aspect duration_s'],
  ['library facts cake.json', 'showFacts', 'file'],
  [
    'image lantern --size 1024x1024 --yes -o lantern.png',
    undefined,
    'file kind requested_size width height bytes sha256 source cost',
  ],
  ['plan --copy copy.json --out plan.json', 'planAssets', ''],
  ['plan show plan.json', 'planAssets', ''],
  ['mcp --budget 5 --print-config', undefined, 'mcpServers svcd command args'],
  ['apply --copy copy.json --yes', undefined, APPLIED],
  ['verify', undefined, 'lock ok slots files defaults stand_ins problems'],
  ['fetch', undefined, 'lock out kept written bought cost'],
  ['attribution svcd-assets/assets.lock.json', undefined, 'credits attribution presets unknown'],
  ['usage', 'showSpending', `svcd effective_credits_remaining ${USAGE}`],
  ['purchases', 'listPurchases', ''],
  ['budget set --day 500', 'setBudget', ''],
  ['budget show', 'showSpending', ''],
  ['budget stop', 'stopSpending', ''],
  ['budget resume', 'stopSpending', ''],
  ['library status', 'showLibrary', ''],
  ['library pause', 'pauseLibrary', ''],
  ['library resume', 'resumeLibrary', ''],
  ['library add cake.json --title 蛋糕 --preset own/ours', 'listOwnStickers', 'replaced'],
  ['library list', 'listOwnStickers', ''],
  ['library remove own/ours', 'removeOwnSticker', ''],
  ['library export library.ndjson', undefined, 'file lines size_bytes'],
  ['library import library.ndjson', 'importLibrary', ''],
  ['library defaults add food/cake cake.json', 'addDefault', ''],
  ['library defaults list', 'listDefaults', ''],
  ['library defaults remove food/cake', 'removeDefault', ''],
  ['library synonyms check', undefined, 'path entries problems'],
  ['library synonyms path', undefined, 'path'],
  ['owned export mine.ndjson', undefined, 'file lines size_bytes'],
  ['owned export --lock svcd-assets/assets.lock.json bundle.ndjson', undefined, 'file lock files items'],
  ['owned import mine.ndjson --yes', 'importOwned', ''],
  ['owned backup backup.db', undefined, 'file purchases owned'],
  ['config origins add http://localhost:3000', 'addOrigin', ''],
  ['config origins list', 'listOrigins', ''],
  ['config origins remove http://localhost:3000', 'removeOrigin', ''],
  ['config show', undefined, `${SETTINGS.map(({ name }) => name).join(' ')} home value from`],
  ['config set deadlineMs 3000', undefined, 'name value home'],
  ['config unset deadlineMs', undefined, 'name value home'],
  ['config path', undefined, 'path'],
  ['completion --shell bash', undefined, 'shell script'],
  ['key status', 'showKey', `${SERVICE} service_error`],
  ['token show', undefined, 'token file'],
  ['token add promo --day 3', 'addToken', ''],
  ['token list', 'listTokens', ''],
  ['token revoke promo', 'revokeToken', ''],
  ['token env --format json', undefined, 'SERVICE_BASE_URL SERVICE_API_KEY'],
  ['logs --lines 1', undefined, 'at level event name?'],
  ['doctor', undefined, DOCTOR],
  ['hub doctor', undefined, DOCTOR],
  ['open --print', 'openSession', ''],
  ['open --code', 'openPageCode', ''],
  ['hub invite --project promo', 'invite', ''],
  ['hub budget set project:promo --day 20', 'setHubBudget', ''],
  ['hub budget show', 'listHubBudgets', ''],
  ['hub machines list', 'listMachines', ''],
  ['hub purchases', 'listHubPurchases', ''],
  ['hub machines remove --unseen 90d', 'removeMachines', ''],
  ['hub move none', undefined, 'home next'],
  ['hub report', 'reportHub', ''],
  ['hub audit', 'auditHub', ''],
  ['hub recover', 'recoverHub', ''],
  ['hub backup-done', undefined, 'home'],
  ['hub status', 'showHub', ''],
  ['hub warm wanted.txt --yes', undefined, 'cost uncertain failed left'],
  [
    'service status',
    undefined,
    'name manager file home installed enabled running pid url running_by_hand at_boot trouble drift',
  ],
  ['offline', 'switchOffline', 'url home'],
  ['get twemoji/star -o star.json', undefined, `${BOUGHT} reason default default_why`],
  ['offline --off', 'switchOffline', 'url home'],
  ['sandbox accounts list', undefined, `accounts ${ACCOUNT}`],
  ['sandbox accounts add ada', undefined, `${ACCOUNT} key`],
  ['sandbox accounts verify ada', undefined, ACCOUNT],
  ['sandbox accounts add bob', undefined, `${ACCOUNT} key`],
  ['sandbox invite ada bob', undefined, ACCOUNT],
  ['sandbox keys list', undefined, `keys ${KEY}`],
  ['sandbox keys add --month 100', undefined, `${KEY} key`],
  ['sandbox keys set 2 --state disabled', undefined, KEY],
  ['sandbox topup 10', undefined, PAYMENT],
  ['sandbox payments list', undefined, `payments ${PAYMENT}`],
  ['sandbox templates', undefined, 'templates template known_issues tips'],
  ['sandbox buy birthday-card@1.1.0 30', undefined, `${PAYMENT} key ${KEY}`],
  ['sandbox download birthday-card card.motion', undefined, `template path package_sha256 key ${KEY}`],
  ['sandbox release birthday-card@1.2.0', undefined, 'template known_issues tips'],
  ['sandbox ledger', undefined, 'movements unbalanced wrong_balances'],
  ['sandbox clock --advance 1h', undefined, 'now ahead_ms'],
  ['sandbox capability', undefined, 'capabilities id name status enabled cost'],
  ['sandbox fault add status --status 502', undefined, 'id kind path status seen fired'],
  ['sandbox fault list', undefined, 'seed faults id kind path status seen fired'],
  ['sandbox fault clear', undefined, 'removed'],
  ['sandbox requests', undefined, 'requests id method path status code key account cost left fault took_ms at'],
  ['done card.motion', undefined, 'template stage registered reason production_id latest_version notices tips'],
  ['token rotate', 'rotateToken', 'file'],
  ['stop', undefined, 'stopped pid home'],
];

/** They stay, need another machine, a keychain, or a purchase that went wrong; their own tests read their answers. */
const ELSEWHERE = new Set(
  [
    'start, restart, run, hub join, hub leave, plan make, purchases list, purchases settle, purchases retry, key set, key import',
    'key remove, library sync, owned restore, hub start, hub revoke, service install, service remove',
    'sandbox start, sandbox refund, sandbox payments judge, sandbox reset',
  ].flatMap((names) => names.split(', ')),
);

/** `remote`, or `sandbox` where that has another meaning, is below every answer of the sandbox. */
const EVERYWHERE = ['remote', 'sandbox'];
/** Settings are called as in config.json, variables as in an environment, the list of servers as hosts read it. */
const NOT_SNAKE = new Set([...SETTINGS.map(({ name }) => name), 'SERVICE_BASE_URL', 'SERVICE_API_KEY', 'mcpServers']);

let svcd: StartedSvcd;
let folder: string;
beforeAll(async () => {
  svcd = await startSvcd(['--sandbox', '--seed', '1', '--hub-listen', '127.0.0.1:0']);
  folder = join(svcd.home, 'work');
  mkdirSync(folder);
  writeFileSync(join(folder, 'copy.json'), JSON.stringify({ slots: SLOTS }));
  writeFileSync(join(folder, 'wanted.txt'), 'twemoji/rose\n');
});
afterAll(() => svcd.stop());

it.each(ROWS)('svcd %s', async (typed, operation, others) => {
  const args = [...typed.split(' '), '--json'];
  const env = typed === 'hub backup-done' ? { SVCD_HUB_DATABASE: 'postgres://hub@127.0.0.1/svcd' } : {};
  const place = { home: svcd.home, cwd: folder, env };
  // It looks at its home with a process of its own.
  const { stdout, stderr } = await (typed.endsWith('doctor') ? runSvcd(args, place) : runHere(args, place));
  expect(stdout, stderr).toMatch(/^\{/);
  const told = fieldsIn(JSON.parse(stdout.split('\n', 1)[0] ?? '') as unknown);
  const ofSchema = operation === undefined ? [] : fieldsOf(OPERATIONS[operation].answer as GenericSchema);
  const named = others.split(' ').filter((name) => name !== '');
  const allowed = new Set([...ofSchema, ...named.map((name) => name.replace('?', '')), ...EVERYWHERE]);
  expect([...told].filter((name) => !allowed.has(name))).toEqual([]);
  expect(named.filter((name) => !name.endsWith('?') && !told.has(name))).toEqual([]);
  expect([...allowed].filter((name) => !NOT_SNAKE.has(name) && !/^[a-z][a-z\d]*(_[a-z\d]+)*$/.test(name))).toEqual([]);
});

it('every command is read, here or by a test of its own', async () => {
  const all = (await Promise.all(COMMANDS.map((entry) => commandsOf(entry, '')))).flat();
  const read = new Set(all.filter((name) => ROWS.some(([typed]) => `${typed} `.startsWith(`${name} `))));
  expect(all.filter((name) => !read.has(name) && !ELSEWHERE.has(name))).toEqual([]);
  expect([...ELSEWHERE].filter((name) => !all.includes(name))).toEqual([]);
});

async function commandsOf(entry: Entry, above: string): Promise<string[]> {
  const name = `${above}${nameOf(entry)}`;
  const body = 'load' in entry ? (await entry.load()).bodies[nameOf(entry)] : entry;
  if (body === undefined || 'run' in body) return [name];
  return (await Promise.all(body.commands.map((below) => commandsOf(below, `${name} `)))).flat();
}

/** Names of all fields, at any depth. */
function fieldsIn(value: unknown, into = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return into;
  for (const [name, one] of Object.entries(value)) {
    if (!Array.isArray(value)) into.add(name);
    fieldsIn(one, into);
  }
  return into;
}

/** The same of what a schema describes; what else a schema holds are schemas within it. */
function fieldsOf(schema: object, into = new Set<string>()): Set<string> {
  if ('entries' in schema) {
    for (const [name, one] of Object.entries(schema.entries as Readonly<Record<string, object>>)) {
      into.add(name);
      fieldsOf(one, into);
    }
  }
  const within = ['item', 'wrapped', 'value', 'options', 'items', 'pipe'].flatMap(
    (name) => (schema as Readonly<Record<string, unknown>>)[name] ?? [],
  );
  for (const one of within) if (typeof one === 'object' && one !== null && one !== schema) fieldsOf(one, into);
  return into;
}
