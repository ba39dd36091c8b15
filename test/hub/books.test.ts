// What a hub says of its own money and health, and that it says which line is wrong.

import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Audit, HubStatus } from '../../src/api/hub.js';
import { Sqlite } from '../support/sqlite.js';
import { CAKE } from '../sandbox/tiny-catalogue.js';
import { startHub } from '../support/machine.js';

const DAY_MS = 24 * 60 * 60_000;

describe('the audit', () => {
  it('names the line that is not what the journal comes to', async () => {
    const hub = await startHub();
    const { get } = await hub.machine();
    await get(CAKE);
    const db = new Sqlite(join(hub.home, 'owned.db'));
    db.prepare(`UPDATE budget_use SET spent = spent + 5 WHERE payer = 'project:promo'`).run();
    db.close();
    const audit = (await (await hub.get('/svcd/hub/audit')).json()) as Audit;
    expect(audit.right).toBe(false);
    expect(audit.lines.filter(({ right }) => !right)).toMatchObject([
      { payer: 'project:promo', spent: 6, journal: { spent: 1 } },
    ]);
    expect(audit.lines.filter(({ right }) => right).map(({ payer }) => payer)).toEqual(['all', 'machine:1']);
  });
});

describe('the checks of a hub', () => {
  it('ask the service about a good Key once, however often somebody looks', async () => {
    let asked = 0;
    const hub = await startHub({ remote: { faults: ({ path }) => void (asked += path === '/api/v1/me' ? 1 : 0) } });
    for (let look = 0; look < 5; look++) expect((await hub.get('/svcd/hub/status')).status).toBe(200);
    expect(asked).toBeLessThanOrEqual(1);
  });

  it('see a certificate near its end, a Key that is missing, and a backup that was never made', async () => {
    let now = Date.UTC(2026, 10, 22);
    const hub = await startHub({ userKey: undefined, clock: { now: () => now, monotonic: () => performance.now() } });
    const levels = async () => {
      const { checks } = (await (await hub.get('/svcd/hub/status')).json()) as HubStatus;
      return Object.fromEntries(checks.map(({ name, status }) => [name, status]));
    };
    expect(await levels()).toMatchObject({ certificate: 'ok', Key: 'bad', backup: 'warn' });
    now += 3640 * DAY_MS;
    expect(await levels()).toMatchObject({ certificate: 'bad' });
  });
});
