// A hub that has bought for a year: 100,000 purchases of 500 machines on PostgreSQL, of which no question may read each alone.

import { expect, it } from 'vitest';
import type { Audit, HubReport, MachineView } from '../../src/api/hub.js';
import { POSTGRESQL } from '../support/postgres.js';
import { describeIf } from '../support/requires.js';
import { runHere } from '../support/run-here.js';
import { startHubOnPostgres } from './hub-on-postgres.js';

const FILL = `
  INSERT INTO service_key (key_id, scope) SELECT 'k', scope FROM (SELECT $scope$SCOPE$scope$ AS scope) AS one;
  INSERT INTO machine (name, digest, projects, only_for)
    SELECT 'm' || n, decode(md5(n::text), 'hex'), '["p"]', '' FROM generate_series(1, 500) AS n;
  INSERT INTO purchase (scope, item, kind, state, price, cost, key_id, holder, machine_id, payers, day, settled_at)
    SELECT $scope$SCOPE$scope$, 'sticker:s/' || n, 'sticker', 'paid', 1, 1, 'k', (SELECT id FROM holder LIMIT 1), 1 + n % 500,
      ARRAY['all', 'machine:' || 1 + n % 500, 'project:p' || n % 20, 'user:u' || n % 50], date '2026-01-01' + n % 300, 1
    FROM generate_series(1, 100000) AS n;
  ANALYZE purchase`;

describeIf(POSTGRESQL, 'a hub with 100,000 purchases', () => {
  it('answers its audit, its doctor, and what each machine spent', async () => {
    const { server, hub, service } = await startHubOnPostgres(1);
    for (const statement of FILL.replaceAll('SCOPE', service.url).split(';\n')) await server.sql(statement);
    const ask = async <T>(path: string) => {
      const answer = await hub.own('GET', path);
      expect(answer.status, path).toBe(200);
      return (await answer.json()) as T;
    };
    const audit = await ask<Audit>('/svcd/hub/audit');
    expect([audit.right, audit.charged, audit.purchases.paid]).toEqual([true, 100_000, 100_000]);
    expect(audit.lines.filter(({ day }) => day === 'total')).toHaveLength(1 + 500 + 20 + 50);
    const { machines } = await ask<{ machines: MachineView[] }>('/svcd/hub/machines');
    expect(machines.map(({ spent }) => spent)).toEqual(machines.map(() => 200));
    const { checks } = await ask<{ checks: { name: string; status: string }[] }>('/svcd/health');
    expect(checks).toContainEqual(expect.objectContaining({ name: 'audit', status: 'ok' }));
    await ask('/svcd/hub/status');
    const { month, rows } = await ask<HubReport>('/svcd/hub/report?month=2026-02&by=project');
    // 28 days of 300, of 100,000.
    const credits = rows.reduce((sum, row) => sum + row.credits, 0);
    expect([month, rows.length, Math.abs(credits - 9333) <= 28]).toEqual(['2026-02', 20, true]);
    const { stdout } = await runHere(['hub', 'purchases', '--ndjson', '--project', 'p3'], { home: hub.home });
    const ids = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect([ids.length, new Set(ids).size]).toEqual([5000, 5000]);
  });
});
