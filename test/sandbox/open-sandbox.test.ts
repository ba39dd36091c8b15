import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/platform/clock.js';
import { silentLog } from '../../src/platform/log.js';
import { openSandbox } from '../../src/sandbox/open-sandbox.js';
import { SANDBOX_MIGRATIONS } from '../../src/sandbox/state/schema.js';
import { openDatabase } from '../../src/platform/open-database.js';
import { stickerPath } from '../../src/model/sticker.js';
import type { Answer } from '../../src/sandbox/wire/answer-schemas.js';
import { startSandbox, temporaryHome } from './start-sandbox.js';
import { BIRTHDAY_CAKE, CAKE, RAIN, SIGN, writeTinyCatalogue } from './tiny-catalogue.js';

const REAL = fileURLToPath(new URL('../../data/catalogue', import.meta.url));
const common = { clock: systemClock, log: silentLog };

describe('a sandbox', () => {
  test('in memory works like one in a file', () => {
    const catalogueFolder = writeTinyCatalogue(temporaryHome());
    const sandbox = openSandbox({ file: ':memory:', catalogueFolder, credits: 3, ...common });
    expect(sandbox.key).toMatch(/^sk-sandbox-[\w-]{32}$/);
    expect(sandbox.credits()).toBe(3);
    expect([...sandbox.stickers()].map(({ preset }) => preset)).toEqual([CAKE, BIRTHDAY_CAKE, RAIN, SIGN]);
    sandbox.close();
  });

  test('has a Key of its own', () => {
    const catalogueFolder = writeTinyCatalogue(temporaryHome());
    const pair = [1, 2].map(() => openSandbox({ file: ':memory:', catalogueFolder, ...common }));
    expect(pair[0]?.key).not.toBe(pair[1]?.key);
    for (const sandbox of pair) sandbox.close();
  });

  test('fills its stickers again when the catalogue changed, and keeps the account', () => {
    const home = temporaryHome();
    const catalogueFolder = writeTinyCatalogue(home);
    const file = join(home, 'sandbox.db');
    const first = openSandbox({ file, catalogueFolder, ...common });
    first.setCredits(7);
    first.close();
    const stickers = join(catalogueFolder, 'stickers.jsonl');
    writeFileSync(stickers, readFileSync(stickers, 'utf8').replace(/\n.+\n$/, '\n'));
    const untold = openSandbox({ file, catalogueFolder, ...common });
    expect([...untold.stickers()], 'the stamp says that nothing changed').toHaveLength(4);
    untold.close();
    const index = join(catalogueFolder, 'packs', 'index.json');
    writeFileSync(index, readFileSync(index, 'utf8').replace('"tiny"', '"tinier"'));
    const second = openSandbox({ file, catalogueFolder, ...common });
    expect([...second.stickers()]).toHaveLength(3);
    expect([second.key, second.credits()]).toEqual([first.key, 7]);
    second.close();
  });

  test('has a ledger that adds up to its balance', async () => {
    const home = temporaryHome();
    const { call, sandbox, stop } = await startSandbox({ credits: 50 }, home);
    await call(stickerPath(CAKE));
    sandbox.setCredits(20);
    await call(stickerPath(RAIN));
    await stop();
    const db = openDatabase(join(home, 'sandbox.db'), { migrations: SANDBOX_MIGRATIONS, durability: 'normal' });
    const spendable = `FROM posting WHERE book = 'spendable'`;
    expect(db.prepare(`SELECT sum(credits) AS sum ${spendable}`).get()).toEqual({ sum: 19 });
    expect(db.prepare('SELECT sum(credits) AS sum FROM posting').get()).toEqual({ sum: 0 });
    db.close();
  });

  test('reads no entries when its stickers are there already', () => {
    const home = temporaryHome();
    const catalogueFolder = writeTinyCatalogue(home);
    const file = join(home, 'sandbox.db');
    openSandbox({ file, catalogueFolder, ...common }).close();
    rmSync(join(catalogueFolder, 'packs', 'only.br'));
    const again = openSandbox({ file, catalogueFolder, ...common });
    expect([...again.stickers()]).toHaveLength(4);
    again.close();
  });

  test('that cannot read a file says 500 without its reasons and charges nothing', async () => {
    const home = temporaryHome();
    const catalogueFolder = writeTinyCatalogue(home);
    const { call, sandbox } = await startSandbox({ catalogueFolder }, home);
    rmSync(join(catalogueFolder, 'packs', 'only.br'));
    const answer = await call(stickerPath(CAKE));
    const body = await answer.text();
    expect([answer.status, sandbox.credits()]).toEqual([500, 1000]);
    expect(JSON.parse(body)).toMatchObject({ code: 'internal' });
    expect(body).not.toContain(home);
  });
});

describe('the real catalogue', () => {
  test('can be searched, and what is found can be bought', async () => {
    const { call, sandbox } = await startSandbox({ catalogueFolder: REAL });
    const q = encodeURIComponent('生日');
    const found = (await (await call(`/api/v1/stickers/search?q=${q}`)).json()) as Answer<'SearchAnswer'>;
    expect(found.results).toHaveLength(12);
    expect(found.total).toBeGreaterThan(12);
    for (const { file } of found.results.slice(0, 3)) {
      const lottie = (await (await call(new URL(file).pathname)).json()) as { layers: unknown[] };
      expect(lottie.layers.length).toBeGreaterThan(0);
    }
    expect(sandbox.credits()).toBe(997);
    expect([...sandbox.stickers()].length).toBeGreaterThan(11_000);
  });
});
