// An owned.db that went back buys nothing: whoever loses the file, or what was last written to it, does not pay again unasked.

import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { silentLog } from '../../src/platform/log.js';
import { openPurchases } from '../../src/purchases/sqlite/open-purchases.js';
import { mine } from './claims.js';
import { movableClock } from './open-test-purchases.js';
import { createTestBuyer, delivered } from './test-buyer.js';
import type { PurchaseStores } from '../../src/purchases/purchase-stores.js';

let home: string;
let outside: string;
const file = () => join(home, 'owned.db');
const mark = () => join(home, 'owned.mark');

beforeEach(() => {
  home = temporary();
  outside = temporary();
});

function temporary(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svcd-mark-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Works with the stores of the home, then closes them. */
async function using<T>(work: (stores: PurchaseStores) => Promise<T> | T, scope = 'https://example.com'): Promise<T> {
  const stores = openPurchases({
    file: file(),
    marks: { homeFile: mark(), outsideFile: join(outside, 'state', 'owned.mark') },
    scope,
    clock: movableClock(),
    log: silentLog,
    timeZone: 'UTC',
    graceMs: 1000,
    imageGraceMs: 1000,
  });
  try {
    return await work(stores);
  } finally {
    stores.close();
  }
}

const buy = (items: readonly string[]) => (stores: PurchaseStores) => buyAll(stores, items);

/** How each purchase of a list ended. */
async function buyAll(stores: PurchaseStores, items: readonly string[]): Promise<string[]> {
  const buyer = createTestBuyer(stores, () => 50);
  const ends: string[] = [];
  for (const item of items) {
    const receipt = await buyer.buy(item, () => delivered(item, 50));
    ends.push(receipt.kind === 'bought' ? 'bought' : receipt.error.code);
  }
  return ends;
}

describe('what was bought', () => {
  it('is in owned.db itself as soon as it is bought, without its log', async () => {
    await using(async (stores) => {
      await buyAll(stores, ['a', 'b', 'c']);
      const copy = join(outside, 'copy.db');
      copyFileSync(file(), copy);
      home = temporary();
      copyFileSync(copy, file());
    });
    expect(await using((stores) => stores.owned.count())).toBe(3);
  });
});

describe('an owned.db that went back', () => {
  const trouble: readonly (readonly [string, (early: string) => void])[] = [
    ['to an earlier copy', (early) => copyFileSync(early, file())],
    ['to nothing', () => rmSync(file())],
  ];
  it.each(trouble)('%s buys nothing, and says what is missing', async (_, damage) => {
    const early = join(outside, 'early.db');
    await using(buy(['a']));
    copyFileSync(file(), early);
    await using(buy(['b', 'c']));
    damage(early);
    await using(async (stores) => {
      expect(await buyAll(stores, ['d'])).toEqual(['spending_stopped']);
      expect(stores.guard.findStop()).toMatchObject({
        by: 'loss',
        why: expect.stringMatching(/lacks [23] of the 3/) as unknown,
      });
    });
    // Nothing is forgotten by looking again.
    await using(async (stores) => expect(await buyAll(stores, ['d'])).toEqual(['spending_stopped']));
  });

  it('is noticed by the mark outside of the home when all of the home is gone', async () => {
    await using(buy(['a']));
    rmSync(home, { recursive: true });
    mkdirSync(home);
    await using(async (stores) => expect(await buyAll(stores, ['b'])).toEqual(['spending_stopped']));
  });

  it('is noticed when only the end of a purchase is missing', async () => {
    const early = join(outside, 'early.db');
    await using(async (stores) => {
      const id = mine(await stores.journal.intend({ item: 'x', kind: 'sticker', price: 1, keyId: 'k' }));
      await stores.journal.send(id);
      copyFileSync(file(), early);
      await stores.owned.keep(id, 1, { item: 'x', bytes: Buffer.from('{}'), contentType: 'application/json' });
    });
    copyFileSync(early, file());
    // What was sent is read as unknown after a restart, one change more, so that only the digest and count agree.
    writeFileSync(mark(), readFileSync(mark(), 'utf8').replace(/"changes":\d+/, '"changes":99'));
    await using(async (stores) => expect(await buyAll(stores, ['y'])).toEqual(['spending_stopped']));
  });

  it('buys again once it is put back', async () => {
    const late = join(outside, 'late.db');
    await using(buy(['a', 'b']));
    copyFileSync(file(), late);
    rmSync(file());
    await using(buy(['c']));
    copyFileSync(late, file());
    expect(await using(buy(['b', 'c']))).toEqual(['bought', 'bought']);
  });

  it('buys again once the loss is accepted, also by another process while it is open', async () => {
    await using(buy(['a', 'b']));
    rmSync(file());
    await using(async (stores) => {
      expect(await buyAll(stores, ['c'])).toEqual(['spending_stopped']);
      stores.mark.acceptLoss();
    });
    expect(await using(buy(['c']))).toEqual(['bought']);
  });

  it('is replaced by another of as many purchases: noticed too', async () => {
    await using(buy(['a', 'b']));
    const first = { home, outside };
    home = temporary();
    outside = temporary();
    await using(buy(['x', 'y']));
    copyFileSync(file(), join(first.home, 'owned.db'));
    ({ home, outside } = first);
    await using(async (stores) => {
      expect(await buyAll(stores, ['c'])).toEqual(['spending_stopped']);
      expect(stores.guard.findStop()?.why).toMatch(/other purchases/);
    });
  });
});

describe('a mark', () => {
  it.each(['', '{', '{"purchases":"many"}', '[]'])('that reads %j blocks nothing', async (text) => {
    await using(buy(['a']), 'sandbox');
    writeFileSync(mark(), text);
    expect(await using(buy(['b']), 'sandbox')).toEqual(['bought']);
  });

  it('that is missing blocks nothing, and is made', async () => {
    await using(buy(['a']), 'sandbox');
    rmSync(mark());
    expect(await using(buy(['b']), 'sandbox')).toEqual(['bought']);
    expect(existsSync(mark())).toBe(true);
  });

  it('of play money lies in the home alone', async () => {
    await using(buy(['a']), 'sandbox');
    expect(existsSync(join(outside, 'state'))).toBe(false);
  });
});

describe('an owned.db that is taken away while it is open', () => {
  it.each(['removed', 'moved', 'replaced', 'its log removed'])('(%s) buys nothing', async (how) => {
    await using(async (stores) => {
      expect(await buyAll(stores, ['a'])).toEqual(['bought']);
      const other = join(home, 'other.db');
      if (how === 'removed') rmSync(file());
      if (how === 'moved') renameSync(file(), other);
      if (how === 'replaced') {
        copyFileSync(file(), other);
        renameSync(other, file());
      }
      if (how === 'its log removed') rmSync(`${file()}-wal`);
      expect(await buyAll(stores, ['b'])).toEqual(['spending_stopped']);
      expect(stores.guard.findStop()).toMatchObject({ by: 'moved' });
    });
  });
});

describe('an owned.db that is cut short in place while it is open', () => {
  it.each([0, 4096])('(to %d bytes) buys nothing, also when it grows again', async (bytes) => {
    await using(async (stores) => {
      expect(await buyAll(stores, ['a', 'b'])).toEqual(['bought', 'bought']);
      const whole = statSync(file()).size;
      truncateSync(file(), bytes);
      for (const again of [bytes, whole]) {
        truncateSync(file(), again);
        expect(await buyAll(stores, ['c'])).toEqual(['spending_stopped']);
        expect(stores.guard.findStop()).toMatchObject({
          by: 'moved',
          why: expect.stringContaining('was cut short') as unknown,
        });
      }
    });
  });
});

describe('spending that is stopped', () => {
  it('stays stopped after a restart, until it is lifted', async () => {
    await using(async (stores) => {
      stores.guard.setStopped(true);
      expect(await buyAll(stores, ['a'])).toEqual(['spending_stopped']);
    });
    await using(async (stores) => {
      expect(await buyAll(stores, ['a'])).toEqual(['spending_stopped']);
      stores.guard.setStopped(false);
      expect(await buyAll(stores, ['a'])).toEqual(['bought']);
    });
  });
});
