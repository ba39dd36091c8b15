// Search, match, get and usage as a person or a script calls them, against one daemon with the sandbox.

import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/in-test.js';
import { makeHome, runSvcd } from '../support/run-svcd.js';
import { openCli } from '../support/open-cli.js';

const cli = openCli();
const { run } = cli;

interface Listed {
  total: number;
  extracted_keywords?: string[];
  results: { preset: string; title: string; owned: boolean; cost: number }[];
}

async function findPreset(words: string, index: number): Promise<string> {
  const { stdout } = await run(['search', words, '--json']);
  return (JSON.parse(stdout) as Listed).results[index]?.preset ?? '';
}

// Below every answer of the sandbox.
const MARK = '(sandbox: its credits and purchases are not real)\n';

describe('svcd search', () => {
  it('prints a table whose columns stand straight under their heads', async () => {
    const { code, stdout, stderr } = await run(['search', '生日', '--limit', '5']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout.trimEnd().split('\n');
    expect(lines).toHaveLength(8);
    expect(lines[7]).toBe('(sandbox: its credits and purchases are not real)');
    expect(lines[0]).toMatch(/title +seconds +shape +preset +price/);
    expect(lines[1]).toMatch(/^#[\da-f]{6} {2}\S+ +\d\.\d s {2,}(square|wide|tall) \d+×\d+ +\S+ +1 credit$/);
    expect(lines[6]).toMatch(/^5 of \d+/);
    // No colors where there is no terminal.
    expect(stdout).not.toContain('\u001B');
  });

  it('gives a program the same in JSON, with what each would cost', async () => {
    const { stdout } = await run(['search', '红色', '爱心', '--json', '--limit', '3']);
    const answer = JSON.parse(stdout) as Listed & { query: string };
    expect(answer.query).toBe('红色 爱心');
    expect(answer.results).toHaveLength(3);
    expect(answer.results[0]).toMatchObject({ owned: false, cost: 1, preset: expect.any(String) });
  });

  it('says which words it left out, and what may have been meant', async () => {
    const relaxed = await run(['search', '生日', '火星车', '蛋糕', '--limit', '2']);
    expect(relaxed.stdout).toMatch(/^No sticker has all words; left out: 火星车\.\n/);
    const { stdout } = await run(['search', 'brithday']);
    expect(stdout).toBe(`Nothing found for brithday. Did you mean birthday?\n${MARK}`);
  });

  it('lists what passes filters, page by page', async () => {
    const filters = ['--color', '#f8312f', '--max-duration', '2', '--aspect', 'square', '--limit', '3'];
    const first = await run(['search', '爱心', ...filters]);
    const [, offset = ''] = /--offset (\d+) shows the next page/.exec(first.stdout) ?? [];
    expect(offset).toBe('3');
    const second = await run(['search', '爱心', ...filters, '--offset', offset, '--json']);
    const answer = JSON.parse(second.stdout) as Listed & { offset: number };
    expect(answer).toMatchObject({ offset: 3, results: [{ owned: false, cost: 1 }, {}, {}] });
    expect(first.stdout).not.toContain(answer.results[0]?.preset);
  });

  it('needs no words with a filter, and names a filter it cannot read', async () => {
    const none = await run(['search', '--aspect', '7']);
    expect(none).toMatchObject({ code: 0, stdout: `Nothing passes these filters.\n${MARK}` });
    expect(none.stderr).toContain('--distance');
    const wrong = await run(['search', '爱心', '--color', 'rad']);
    expect({ code: wrong.code, stdout: wrong.stdout }).toEqual({ code: 2, stdout: '' });
    expect(wrong.stderr).toContain('got "rad"; did you mean red?');
  });

  it('says so when nothing is found, which is a success', async () => {
    const { code, stdout, stderr } = await run(['search', '--', '--zzzzqqqq']);
    expect(code).toBe(0);
    expect(stdout).toBe(`Nothing found for --zzzzqqqq.\n${MARK}`);
    // The sandbox gave the whole list.
    expect(stderr).toBe('Try other words: "svcd search --complete TEXT" lists those of the library.\n');
    expect((await run(['search', '--json', '--', '--zzzzqqqq'])).stderr).toBe('');
  });

  it('takes a color by its name in English or Chinese, or by three digits, as by six', async () => {
    const presets = async (color: string) => {
      const { stdout } = await run(['search', '爱心', '--color', color, '--json']);
      return (JSON.parse(stdout) as Listed).results.map(({ preset }) => preset);
    };
    const red = await presets('#ff0000');
    expect(red).not.toEqual([]);
    for (const color of ['red', 'RED', '红', '红色', '紅', '#f00', 'f00'])
      expect(await presets(color), color).toEqual(red);
  });

  it.each([
    [['search'], 'QUERY is missing'],
    [['search', 'x', '--limit', 'abc'], '"abc"'],
    [['search', 'x', '--limit', '51'], 'from 1 to 50'],
    [['search', 'x', '--limit'], '--limit needs a value'],
  ])('refuses %j', async (args, named) => {
    expectRefusal(await run(args), named);
  });
});

it('svcd search passes on what the daemon refuses', async () => {
  expectRefusal(await run(['search', 'x'.repeat(501)]), '501 characters');
});

describe('svcd related and svcd complete', () => {
  it('list what goes with a sticker, and why', async () => {
    const { code, stdout } = await run(['related', 'fluent-emoji-flat/birthday-cake', '--limit', '5']);
    expect(code).toBe(0);
    expect(stdout).toMatch(/title +preset +price +why/);
    expect(stdout).toContain('another style');
    const unknown = await run(['related', 'no/such']);
    expect({ code: unknown.code, stdout: unknown.stdout }).toEqual({ code: 3, stdout: '' });
  });

  it('list words that go on from what was typed', async () => {
    const { stdout } = await run(['complete', '生']);
    expect(stdout).toMatch(/^生日 +\d+ stickers?$[^]*^Counted is what has the very word/m);
    const json = JSON.parse((await run(['complete', '生', '--json', '--limit', '2'])).stdout) as object;
    expect(json).toMatchObject({ query: '生', completions: [{}, {}] });
    expect(await run(['complete', '龘龘'])).toMatchObject({ code: 0, stdout: `No word begins with 龘龘.\n${MARK}` });
  });
});

describe('svcd match', () => {
  it('takes copy from a pipe and says why each sticker came', async () => {
    const { code, stdout } = await run(['match', '--limit', '3'], '祝你生日快乐\n');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Keywords: .*生日/);
    expect(stdout).toMatch(/1 credit +.*生日\S* \((title|keywords)/);
  });

  it('takes copy as words and keywords by option', async () => {
    const { stdout } = await run(['match', '今天', '下雨', '-k', '伞', '--keyword', '云', '--json']);
    const answer = JSON.parse(stdout) as Listed;
    expect(answer.extracted_keywords?.slice(0, 2)).toEqual(['伞', '云']);
    expect(answer.results.length).toBeGreaterThan(0);
  });

  it('refuses to match nothing', async () => {
    expectRefusal(await run(['match']), 'COPY is missing');
    expectRefusal(await run(['match', ' ']), 'COPY is missing');
  });
});

describe('svcd get', () => {
  it('pays once for the same sticker, however often it is fetched', async () => {
    const preset = await findPreset('生日', 0);
    const first = await run(['get', preset, '-o', 'cake.json', '--json']);
    const second = await run(['get', preset, '-o', 'cake.json', '--json']);
    const [bought, owned] = [first, second].map(({ stdout }) => JSON.parse(stdout) as Record<string, unknown>);
    expect(bought).toMatchObject({ preset, file: 'cake.json', source: 'remote', cost: 1 });
    expect(owned).toMatchObject({
      source: 'owned',
      cost: 0,
      credits_remaining: bought?.['credits_remaining'],
    });
    const sticker = JSON.parse(readFileSync(join(cli.folder, 'cake.json'), 'utf8')) as { layers: unknown[] };
    expect(sticker.layers.length).toBeGreaterThan(0);

    const listed = JSON.parse((await run(['search', '生日', '--json'])).stdout) as Listed;
    expect(listed.results[0]).toMatchObject({ preset, owned: true, cost: 0 });
  });

  it('writes the file to stdout in a pipe, and the facts to stderr', async () => {
    const { stdout, stderr } = await run(['get', await findPreset('生日', 0)]);
    expect(JSON.parse(stdout)).toHaveProperty('layers');
    expect(stderr).toMatch(/wrote [\d,]+ bytes \(owned already, no charge; [\d,]+ credits left\)/);
  });

  it('tells whoever writes a preset as in a path how to write it here', async () => {
    expectRefusal(await run(['get', 'food%2Fcake', '-o', 'x.json']), 'svcd get "food/cake"', 3);
  });

  it('writes into a folder under the last part of the name', async () => {
    const preset = await findPreset('生日', 0);
    const { stdout } = await run(['get', preset, '-o', '.', '--json']);
    const { file } = JSON.parse(stdout) as { file: string };
    expect(file).toBe(`${preset.split('/').at(-1)}.json`);
    expect(existsSync(join(cli.folder, file))).toBe(true);
  });

  it('does not pay for what it could not write', async () => {
    const preset = await findPreset('生日', 3);
    expectRefusal(await run(['get', preset, '-o', 'no/such/folder/x.json']), 'no/such/folder/x.json');
    const owned = await fetch(`${cli.svcd.info.url}/svcd/owned?preset=${encodeURIComponent(preset)}`);
    expect(await owned.json()).toEqual({ owned: [], shipped: [] });
  });

  it('leaves an older file alone when it fails, and nothing half-written', async () => {
    writeFileSync(join(cli.folder, 'kept.json'), 'older');
    const { code, stderr } = await run(['get', 'no-such/sticker', '-o', 'kept.json', '--overwrite']);
    expect(code).toBe(3);
    expect(stderr).not.toContain('    at ');
    expect(readFileSync(join(cli.folder, 'kept.json'), 'utf8')).toBe('older');
    expect(readdirSync(cli.folder).filter((name) => name.endsWith('.part'))).toEqual([]);
  });

  it('removes what a killed one left of the same file, and says so; nothing else', async () => {
    // A number that no process has.
    const others = ['film.2020.part', 'other.json.99999999.part'];
    for (const name of ['cake.json.99999999.part', ...others]) writeFileSync(join(cli.folder, name), 'half');
    const { code, stderr } = await run(['get', await findPreset('生日', 0), '-o', 'cake.json']);
    expect([code, stderr]).toEqual([0, expect.stringContaining('Removed cake.json.99999999.part')]);
    expect(readdirSync(cli.folder).filter((name) => name.endsWith('.part'))).toEqual(others);
  });

  it('keeps devices devices', async () => {
    expect((await run(['get', await findPreset('生日', 0), '-o', '/dev/null'])).code).toBe(0);
    expect(readFileSync('/dev/null', 'utf8')).toBe('');
  });
});

describe('GET /svcd/owned, which the price column asks', () => {
  const ask = (query: string) => fetch(`${cli.svcd.info.url}/svcd/owned${query}`);

  it('tells what was bought and what is shipped, to anybody', async () => {
    const bought = await findPreset('生日', 0);
    const query = new URLSearchParams(
      ['no-such', bought, 'default/rain'].map((preset): [string, string] => ['preset', preset]),
    );
    const answer = (await (await ask(`?${query.toString()}`)).json()) as object;
    expect(answer).toEqual({ owned: [bought], shipped: ['default/rain'] });
  });

  it('takes 1 to 50 presets', async () => {
    expect((await ask('')).status).toBe(400);
    expect((await ask(`?${'preset=a&'.repeat(50)}`)).status).toBe(200);
    expect((await ask(`?${'preset=a&'.repeat(51)}`)).status).toBe(400);
  });
});

describe('svcd usage', () => {
  it('shows the credits', async () => {
    const { stdout } = await run(['usage']);
    expect(stdout).toMatch(/^[\d,]+ credits can be spent with this Key\./);
    expect(stdout).toMatch(/Sticker file download +available +1 credit +enough for [\d,]+/);
    const { remote } = JSON.parse((await run(['usage', '--json'])).stdout) as { remote: object };
    expect(remote).toHaveProperty('effective_credits_remaining');
  });
});

describe('with no daemon', () => {
  it('search answers in process, and leaves no trace of a daemon', async () => {
    const { home, remove } = makeHome();
    try {
      const { code, stdout } = await runSvcd(['search', '下雨', '--json'], { home });
      expect(code).toBe(0);
      expect((JSON.parse(stdout) as Listed).results[0]).toMatchObject({ owned: false, cost: 0 });
      expect(existsSync(join(home, 'runtime.json'))).toBe(false);
    } finally {
      remove();
    }
  });

  it('get takes a default in place of what cannot be had and says so, or fails when told to', async () => {
    const { home, remove } = makeHome();
    try {
      const lenient = await runSvcd(['get', 'somebody/elses', '-o', join(home, 'x.json')], { home });
      expect(lenient.code).toBe(0);
      expect(lenient.stdout).toContain('This is NOT somebody/elses but a default');
      const strict = await runSvcd(['get', 'somebody/elses', '-o', join(home, 'y.json'), '--strict'], {
        home,
      });
      expect(strict.code).not.toBe(0);
      expect(existsSync(join(home, 'y.json'))).toBe(false);
    } finally {
      remove();
    }
  });

  it('two commands at once on one home wait for each other', async () => {
    const { home, remove } = makeHome();
    try {
      const both = await Promise.all(['雨', '雪'].map((word) => runSvcd(['search', word], { home })));
      expect(both.map(({ code, stderr }) => ({ code, stderr }))).toEqual(both.map(() => ({ code: 0, stderr: '' })));
    } finally {
      remove();
    }
  });
});
