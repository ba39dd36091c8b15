// GET /svcd/health: rows in the language asked for, by a daemon that goes on answering; and the sentences of both languages.

import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Health } from '../../src/api/health.js';
import { runCheck } from '../../src/operations/health/finding.js';
import { toRow } from '../../src/operations/health/to-row.js';
import { type FindingCode, SENTENCES } from '../../src/operations/health/words.js';
import { makeHome } from '../support/run-svcd.js';
import { startSvcd } from '../support/start-svcd.js';

describe('the sentences', () => {
  it.each(Object.entries(SENTENCES))('of %s have the same values and lines in both languages', (_code, [en, zh]) => {
    const values = (text: string) => [...new Set(text.match(/\{\d\}/g))].toSorted();
    expect(values(zh)).toEqual(values(en));
    expect(zh.split('\n')).toHaveLength(en.split('\n').length);
  });

  it('leave out a line about what to do whose value is empty, and put words in for a value that names them', () => {
    const finding = (code: FindingCode, values: string[]) => toRow({ name: 'x', status: 'warn', code, values }, 'en');
    expect(finding('settings_unknown', ['prot', ''])).toMatchObject({ hint: null, command: null });
    expect(finding('settings_unknown', ['prot', 'port'])).toMatchObject({ hint: 'Did you mean port?' });
    expect(finding('key_ok', ['abcd', '@keychain', '@taken']).words).toBe(
      'ends in abcd, from the OS keychain; the service takes it',
    );
  });
});

describe('a check', () => {
  it('that hangs is told as unfinished, under its own name, and one that throws as failed', async () => {
    const hangs = await runCheck('disk', 1, () => new Promise(() => undefined));
    expect(hangs).toEqual([{ name: 'disk', status: 'bad', code: 'check_unfinished', values: [0.001] }]);
    const throws = await runCheck('disk', 1000, () => Promise.reject(new Error('no such device')));
    expect(throws).toEqual([{ name: 'disk', status: 'bad', code: 'check_failed', values: ['no such device', ''] }]);
  });
});

describe('GET /svcd/health', () => {
  const { home, remove } = makeHome();
  let daemon: Awaited<ReturnType<typeof startSvcd>>;
  beforeAll(async () => {
    daemon = await startSvcd(['--sandbox'], { home });
  });
  afterAll(async () => {
    await daemon.stop();
    remove();
  });

  const ask = (query = '', headers: Record<string, string> = {}) =>
    fetch(`${daemon.info.url}/svcd/health${query}`, {
      headers: { Authorization: `Bearer ${daemon.info.token}`, ...headers },
    });
  const checksOf = async (answer: Promise<Response>) => ((await (await answer).json()) as Health).checks;

  it('tells what the daemon sees of its home and its remote, and nothing of a shell', async () => {
    const names = (await checksOf(ask())).map(({ name }) => name);
    expect(names).toEqual([
      'settings',
      'log',
      'owned.db',
      'purchases',
      'spending',
      'paid',
      'unsettled',
      'dates',
      'library.db',
      'remote',
      'Key',
      'keychain',
      'clock',
    ]);
  });

  it('speaks the language of the parameter, else of Accept-Language, else English', async () => {
    const said = async (...asked: Parameters<typeof ask>) =>
      (await checksOf(ask(...asked))).find(({ name }) => name === 'library.db')?.words;
    expect(await said()).toBe('is sound');
    expect(await said('?lang=zh')).toBe('完好');
    expect(await said('', { 'Accept-Language': 'zh-CN,zh;q=0.9,en;q=0.8' })).toBe('完好');
    expect(await said('?lang=en', { 'Accept-Language': 'zh-CN' })).toBe('is sound');
    expect((await ask('?lang=xx')).status).toBe(400);
  });

  it('is for the owner and the page', async () => {
    expect((await ask('', { Authorization: '' })).status).toBe(401);
  });

  it('looks once for all who ask meanwhile, each in its language', async () => {
    const asked = await Promise.all([checksOf(ask()), checksOf(ask('?lang=zh')), checksOf(ask())]);
    const wordsOf = (checks: Health['checks']) => checks.find(({ name }) => name === 'library.db')?.words;
    expect(asked.map(wordsOf)).toEqual(['is sound', '完好', 'is sound']);
  });

  it('finds a damage that came while it ran, with what mends it', async () => {
    const file = join(home, 'config.json');
    writeFileSync(file, '{', { mode: 0o600 });
    const found = (await checksOf(ask())).find(({ name }) => name === 'settings');
    expect(found).toMatchObject({ code: 'settings_file', status: 'bad', command: `mv ${file} ${file}.broken` });
    writeFileSync(file, '{}');
    chmodSync(file, 0o600);
    expect(readFileSync(file, 'utf8')).toBe('{}');
    expect(await checksOf(ask())).toContainEqual(expect.objectContaining({ name: 'settings', code: 'settings_ok' }));
  });
});
