// svcd plan as a person and a script use it: the table, the JSON, the saved plan, and every mistake.

import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/api/plan.js';
import type { Slot } from '../../src/api/slot.js';
import { digestOfCopy } from '../../src/video/lock/standing-slots.js';
import { displayWidth } from '../../src/cli/terminal/fit-table.js';
import { expectRefusal, homeInTest } from '../support/in-test.js';
import { startRecordingRemote } from '../support/recording-remote.js';
import { runSvcd } from '../support/run-svcd.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;
const { write } = cli;
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

const SLOTS = [
  { id: 'opening', text: '小明生日快乐', aspect: 1, max_duration_s: 3 },
  { id: 'a-slot-whose-name-is-longer-than-any-column-of-a-table-can-be', text: '谢谢大家' },
  { id: 'sale', text: '全场五折限时两天' },
  { id: 'cover', prompt: '一个蛋糕', size: '1536x1024' },
  { id: 'logo', preset: 'own/logo' },
];

describe('svcd plan', () => {
  it('prints a table of at most 80 columns, the money, and what to know', async () => {
    write('copy.json', { slots: SLOTS });
    const { code, stdout, stderr } = await run(['plan', '--copy', 'copy.json', '--max-credits', '3']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
    expect(lines[0]).toMatch(/^slot +title +preset +fit +price$/);
    expect(stdout).toMatch(/^opening +生日蛋糕 +fluent-emoji-flat\/birthday-cake +fair +1 credit$/m);
    expect(stdout).toMatch(/^ {2}生日 in the title, .+; or .*花束/m);
    expect(stdout).toMatch(/^cover +image +1536x1024 +10 credits$/m);
    expect(stdout).toContain('Cost: 13 credits\n');
    expect(stdout).toContain('Does not fit: --max-credits\n');
    expect(stdout).toMatch(/^Would fit: opening,\n {2}a-slot-whose-[\w-]+, sale$/m);
    expect(stdout).not.toContain('小明');
  });

  it('prints one JSON document, saves the same, and shows it again without a daemon or a home', async () => {
    write('copy.json', { slots: SLOTS });
    const { code, stdout } = await run(['plan', '--copy', 'copy.json', '--json', '--out', 'plan.json']);
    expect(code).toBe(0);
    const { sandbox, ...answer } = JSON.parse(stdout) as Plan & { sandbox: boolean };
    expect(sandbox).toBe(true);
    expect(answer).toMatchObject({ plan: 1, cost: 13, copy_sha256: digestOfCopy(SLOTS as Slot[]) });
    expect(answer.slots).toHaveLength(5);
    const saved = readFileSync(join(cli.folder, 'plan.json'), 'utf8');
    expect(JSON.parse(saved)).toEqual(answer);
    expect(Object.keys(JSON.parse(saved) as Plan).slice(0, 4)).toEqual(['plan', 'digest', 'copy_sha256', 'remote']);
    const shown = await runSvcd(['plan', 'show', 'plan.json'], {
      home: join(cli.svcd.home, 'no', 'such'),
      cwd: cli.folder,
    });
    expect(shown).toMatchObject({ code: 0, stderr: '' });
    expect(shown.stdout).toContain('Cost: 13 credits\n');
    const again = await run(['plan', 'show', 'plan.json', '--json']);
    expect(JSON.parse(again.stdout)).toEqual(answer);
  });

  it.each<[string, (plan: Plan) => object, RegExp]>([
    ['its cost', ({ cost }) => ({ cost: cost - 1 }), /its slots cost 13 credits, and "cost" says 12/],
    [
      'a price',
      ({ slots }) => ({ slots: slots.map((one) => ({ ...one, price: 0, cost: 0 })), cost: 0 }),
      /"digest" is/,
    ],
    ['its service', () => ({ remote: 'https://api.example.com' }), /"digest" is/],
    ['its copy', () => ({ copy_sha256: '0'.repeat(64) }), /"digest" is/],
    ['its template', () => ({ template: 'other@1.0.0' }), /"digest" is/],
    ['a sticker', ({ slots }) => ({ slots: slots.map((one) => ({ ...one, preset: `a/${one.id}` })) }), /"digest" is/],
    [
      'what a slot costs',
      ({ slots }) => ({ slots: slots.map((one) => ({ ...one, cost: 0 })), cost: 0 }),
      /cost of opening/,
    ],
  ])('refuses a saved plan that was changed by hand: %s', async (_what, change, words) => {
    write('copy.json', { slots: SLOTS });
    await run(['plan', '--copy', 'copy.json', '--out', 'true.json']);
    const plan = JSON.parse(readFileSync(join(cli.folder, 'true.json'), 'utf8')) as Plan;
    write('forged.json', { ...plan, ...change(plan) });
    for (const args of [
      ['plan', 'show', 'forged.json'],
      ['apply', '--copy', 'copy.json', '--yes', '--plan', 'forged.json', '--out', 'forged'],
    ]) {
      const { code, stderr } = await run(args);
      expect(stderr).toMatch(/^svcd: forged\.json was changed by hand: /);
      expect(stderr).toMatch(words);
      expect(code).toBe(17);
    }
  });

  it('takes a line of text for each slot, also from a pipe', async () => {
    const { stdout } = await run(['plan', '--copy', '-', '--json'], '生日快乐\n\n下雨\n');
    const { slots } = JSON.parse(stdout) as Plan;
    expect(slots.map(({ id }) => id)).toEqual(['line-1', 'line-2']);
  });

  it('ends with 11 when it costs more than --fail-over allows, after it has printed the plan', async () => {
    const args = ['plan', '--copy', '-', '--json', '--fail-over'];
    const over = await run([...args, '0'], '生日快乐\n');
    expect(over.code).toBe(11);
    expect(JSON.parse(over.stdout)).toMatchObject({ cost: 1 });
    expect(JSON.parse(over.stderr)).toMatchObject({ code: 'budget' });
    expect((await run([...args, '1'], '生日快乐\n')).code).toBe(0);
  });

  it('ends with 0 for --fail-over 0 when everything is owned, offline too', async () => {
    const preset = 'twemoji/sun';
    write('owned.json', { slots: [{ id: 'sun', preset }] });
    const ci = () => run(['plan', '--copy', 'owned.json', '--json', '--fail-over', '0']);
    expect((await ci()).code).toBe(11);
    await run(['get', preset, '-o', 'sun.json']);
    for (const turn of ['online', 'offline']) {
      await run([turn]);
      const { code, stdout } = await ci();
      expect([code, JSON.parse(stdout)]).toMatchObject([0, { cost: 0, slots: [{ preset, have: 'owned' }] }]);
    }
    await run(['online']);
  });

  it('names the template of a package, and what it does not declare', async () => {
    const motion = JSON.stringify({ name: 'card', version: '1.0.0', service: { capabilities: ['stickers.file'] } });
    mkdirSync(join(cli.folder, 'card'), { recursive: true });
    write('card/motion.json', motion);
    const integrity = JSON.stringify({ algorithm: 'sha256', files: { 'motion.json': sha256(motion) } });
    write('card/integrity.json', integrity);
    write('copy.json', { slots: SLOTS });
    const { stdout, stderr } = await run(['plan', 'card', '--copy', 'copy.json', '--json']);
    expect(stderr).toBe('');
    const plan = JSON.parse(stdout) as Plan;
    expect(plan).toMatchObject({ template: 'card@1.0.0', package_sha256: sha256(integrity) });
    expect(plan.warnings).toContainEqual({
      code: 'not_declared',
      slot: 'cover',
      words: 'card@1.0.0 does not declare images.generate',
    });
    write('card/motion.json', `${motion} `);
    const changed = await run(['plan', 'card', '--copy', 'copy.json', '--out', 'changed.json']);
    expect(changed).toMatchObject({ code: 17, stdout: '' });
    expect(changed.stderr).toContain('motion.json');
    expect(existsSync(join(cli.folder, 'changed.json'))).toBe(false);
  });

  it('contacts no remote without a daemon either', async () => {
    const remote = await startRecordingRemote();
    const home = homeInTest();
    const env = { SVCD_REMOTE: remote.url, SERVICE_API_KEY: 'sk_live_1' };
    const { code, stdout } = await runSvcd(['plan', '--copy', '-', '--json'], { home, env, stdin: '生日快乐\n' });
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({ remote: remote.url, library: { complete: false } });
    expect(remote.seen).toEqual([]);
  });

  it.each([
    [['plan'], '', /^svcd: --copy FILE is missing\n/],
    [['plan', '--copy', 'none.json'], '', /^svcd: none\.json cannot be read \(ENOENT\)\nENOENT: there is no such file/],
    [['plan', '--copy', 'bad.json', '--out', 'no.json'], '', /^svcd: bad\.json: unknown field "slots\.0\.colour"\n$/],
    [['plan', '--copy', '-'], 'x\n'.repeat(51), /^svcd: the copy on stdin: has 51 entries, 1 to 50 are allowed\n$/],
    [['plan', '--copy', '-'], '', /^svcd: the copy on stdin: is empty, a line for each slot is needed\n$/],
    [['plan', '--copy', '-', '--fail-over', 'x'], 'a', /^svcd: --fail-over must be a whole number from 0 to/],
    [['plan', '--copy', 'bad.json', '--out', 'bad.json'], '', /would overwrite what the plan is made of/],
    [
      ['plan', 'show', 'bad.json'],
      '',
      /^svcd: bad\.json is no plan: unknown field|^svcd: bad\.json is no plan: plan: is required\n$/,
    ],
    [['plan', 'show', 'new.json'], '', /^svcd: new\.json is a plan of version 2, and this svcd reads 1\n$/],
    [['plan', 'show'], '', /^svcd: FILE is missing: svcd plan show <file>\n/],
  ])('%j is refused, and nothing is written', async (args, stdin, words) => {
    write('bad.json', { slots: [{ id: 'a', text: 'x', colour: 1 }] });
    write('new.json', { plan: 2 });
    const before = readdirSync(cli.folder);
    expectRefusal(await run(args, stdin), words);
    expect(readdirSync(cli.folder)).toEqual(before);
  });
});
